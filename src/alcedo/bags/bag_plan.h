// Which bags there are, and where: from headers alone, before anything is read or pooled.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "alcedo/bags/array_source.h"
#include "alcedo/bags/bag_job.h"
#include "alcedo/base/run.h"

namespace alcedo {

struct Bag {
  std::string name;   // of its output
  std::string label;  // in messages: the file, and what in it
  std::shared_ptr<ArraySource> source;
  Index begin = 0;  // its rows of the source
  Index end = 0;
};

// A file or folder, and the option of the job that leads to it ("output").
using OptionPath = std::pair<std::string, std::string>;

struct BagPlan {
  std::vector<ArrayFile> files;  // all that were looked into
  std::vector<Bag> bags;
  std::vector<Failure> failures;      // files that could not be opened; reasons are whole sentences
  std::vector<std::string> warnings;  // arrays that are not bags
  // Whether the output is a table of bags, even of one, or the vector of a single bag.
  bool collection = false;
  // Whether a bad bag is left out, or an error of the whole.
  bool skip_bad = false;
};

// Looks into all inputs. Folders are their .npy, .npz and .safetensors files (in any case), sorted
// by name, without hidden files and subfolders. `job` must outlive the plan.
BagPlan PlanBags(const BagJob& job);

// All that is read. The folders of the inputs belong to it ("inputs" without a file): pooled
// vectors among the encodings would be taken for encodings the next time.
std::vector<OptionPath> PathsRead(const BagJob& job, const BagPlan& plan);

}  // namespace alcedo
