// What solvers of poolings left unfinished, kept in the work folder, so that a run that was resumed
// still tells of it. Files are there for what did not converge only: usually none.
#pragma once

#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <utility>

#include "alcedo/base/run.h"
#include "alcedo/base/types.h"
#include "alcedo/encode/channel.h"

namespace alcedo::reproduce {

// Of one image and one coding: the positions, among the poolings that were wanted, of those with a
// solve that did not converge.
std::vector<int> UnfinishedIn(const ChannelVectors& vectors);

// Images by coding and choice (their names).
using UnfinishedCounts = std::map<std::pair<std::string, std::string>, Index>;

// Of the images of one part ("training" or "test") of a work folder.
class UnfinishedSolves {
 public:
  UnfinishedSolves(const std::filesystem::path& work, const std::string& part);

  // Before the shard itself is written: what was left by a run that was killed in between is
  // written over by the same.
  void Write(const Run& run, Index shard, const UnfinishedCounts& counts) const;
  UnfinishedCounts Read() const;

 private:
  std::filesystem::path folder_;
};

}  // namespace alcedo::reproduce
