// The work folder of a learning run: what an interrupted run resumes from.
//
//   progress.json       what is being learned from what, and how far sampling came
//   samples.f32         the rows drawn so far; what lies beyond the journal's count is cut off
//   failures.jsonl      one line per bad image, cut off likewise
//   projected.f32       the samples after PCA, if they do not fit into memory; made again
//   state.safetensors   an iteration of the words
//   lock                held while a run works here
//
// progress.json and state.safetensors appear whole or not at all, and the journal is written only
// after what it counts has reached the disk. Both have a checksum, and the journal has those of the
// rows and lines that it counts: damaged ones are noticed when a run is resumed. projected.f32 is
// only used by the run that wrote it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "alcedo/base/error.h"
#include "alcedo/config/config.h"
#include "alcedo/io/folder_lock.h"
#include "alcedo/learn/learn.h"

namespace alcedo::internal {

// How far sampling came.
struct SamplingJournal {
  Index next_image = 0;       // the first that was not looked at
  Index rows = 0;             // samples
  Index dimension = 0;        // of descriptors; 0: not known yet
  Index dimension_image = 0;  // the image that set it
  Index used_images = 0;      // that gave at least one sample
  Index failures = 0;
  std::int64_t failure_bytes = 0;  // of failures.jsonl
  std::string samples_hash;        // of so many rows of samples.f32; empty: there are none
  std::string failures_hash;       // of so many bytes of failures.jsonl
  std::string inputs_hash;         // of the names and contents of all images that were read
};

class WorkFolder {
 public:
  // Makes the folder, or opens one to go on with, and locks it against a second run until the
  // object or the process ends. Throws InvalidArgument, with what to do, if the folder belongs
  // to other inputs, another config, another version or something else altogether.
  WorkFolder(const LearnRun& run, const std::vector<Input>& inputs, const LearnConfig& config,
             const std::string& version);
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;

  const SamplingJournal& journal() const { return journal_; }
  // Stores the journal. What it counts must be on the disk. Call it inside Write().
  void Commit(const SamplingJournal& journal);

  std::filesystem::path samples() const { return path_ / "samples.f32"; }
  std::filesystem::path failures() const { return path_ / "failures.jsonl"; }
  std::filesystem::path projected() const { return path_ / "projected.f32"; }
  std::filesystem::path state() const { return path_ / "state.safetensors"; }

  // What is being learned, with what program, from which samples: what a checkpoint belongs to.
  std::string Identity() const;

  // Runs `action`, which writes to the folder, so that no interruption falls into it.
  void Write(const std::function<void()>& action) const;

  // "remove the folder X to start again": for what only that can mend.
  Hint Advice() const;

 private:
  bool ReadJournal();
  void CheckStranger() const;

  std::filesystem::path path_;
  std::function<void(const std::function<void()>&)> write_;
  Json identity_;
  SamplingJournal journal_;
  std::optional<FolderLock> lock_;
};

}  // namespace alcedo::internal
