#include "alcedo/learn/learn_sampling.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "alcedo/base/error.h"
#include "alcedo/base/parallel.h"
#include "alcedo/base/types.h"
#include "alcedo/config/field_json.h"
#include "alcedo/descriptors/describe.h"
#include "alcedo/io/checksummed_file.h"
#include "alcedo/io/file_bytes.h"
#include "alcedo/io/json_text.h"
#include "alcedo/learn/sample_file.h"

namespace alcedo::internal {

Index SampleQuota(Index image, Index images, Index samples) {
  return (image + 1) * samples / images - image * samples / images;
}

std::vector<Index> DrawRows(const RowsView& rows, Index quota, Rng& rng) {
  std::vector<Index> candidates;
  for (Index r = 0; r < rows.rows(); ++r) {
    if ((rows.row(r).array() != 0).any()) candidates.push_back(r);
  }
  const auto count = static_cast<Index>(candidates.size());
  if (count <= quota) return candidates;
  for (Index i = 0; i < quota; ++i) {  // the beginning of a shuffle
    std::swap(candidates[i], candidates[i + rng.UniformIndex(count - i)]);
  }
  candidates.resize(quota);
  std::sort(candidates.begin(), candidates.end());
  return candidates;
}

Rows Subsample(const SampleSource& samples, Index count) {
  count = std::min(count, samples.rows());
  Rows rows(count, samples.dimension());
  Rows scratch;
  for (Index i = 0; i < count; ++i) {
    const float* row = samples.Chunk(i * samples.rows() / count, 1, scratch);
    std::copy_n(row, samples.dimension(), rows.row(i).data());
  }
  return rows;
}

namespace {

// After a group its samples are written and flushed. So many images are seconds of work, beside
// which a flush is nothing, and so many rows are a few MiB; but no thread should have less than two
// images to do before it waits for the others.
constexpr Index kGroupImages = 64;
constexpr Index kGroupRows = 32768;

constexpr Index kFloatBytes = sizeof(float);

struct ImageSample {
  std::string hash;  // of the contents; empty: not read
  Index dimension = 0;
  Rows rows;
  std::string failure;  // empty: none
};

// A task at work.
class Recorder;
struct Sampler {
  const LearnConfig* config;
  Describer describer;
  std::unique_ptr<Recorder> recorder;
};

void DrawFrom(const Descriptors& descriptors, Index image, Index quota, const LearnConfig& config,
              ImageSample& sample) {
  sample.dimension = descriptors.values.cols();
  Rng rng = Rng::ForItem(config.seed, static_cast<std::uint64_t>(image));
  const std::vector<Index> drawn = DrawRows(descriptors.values, quota, rng);
  sample.rows.resize(static_cast<Index>(drawn.size()), sample.dimension);
  for (Index r = 0; r < sample.rows.rows(); ++r) {
    sample.rows.row(r) = descriptors.values.row(drawn[r]);
  }
}

// The samples of one image for each of these tasks.
std::vector<ImageSample> SampleImage(const Input& input, Index image, Index images,
                                     const std::vector<Sampler*>& tasks) {
  std::vector<ImageSample> samples(tasks.size());
  double max_mib = 0;
  for (const Sampler* task : tasks) {
    max_mib = std::max(max_mib, task->config->describe.image.max_image_memory);
  }
  std::string bytes, hash;
  try {
    bytes = ReadInputFile(input.path, max_mib);
    hash = ContentHash(bytes);
  } catch (const Error& error) {
    for (ImageSample& sample : samples) sample.failure = ReasonOf(error);
    return samples;
  }
  SharedImage shared(bytes, input.name);
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    const Index quota = SampleQuota(image, images, tasks[t]->config->samples);
    if (quota == 0) continue;
    samples[t].hash = hash;
    try {
      DrawFrom(shared.Describe(tasks[t]->describer), image, quota, *tasks[t]->config, samples[t]);
    } catch (const Error& error) {
      samples[t].failure = ReasonOf(error);
    }
  }
  return samples;
}

// The images from `begin` on that are done together.
struct Group {
  std::vector<Index> images;  // that give samples
  Index end = 0;              // the first image after the group
};

Group NextGroup(Index begin, Index limit, Index images, const std::vector<Sampler*>& tasks,
                int threads) {
  Group group;
  group.end = begin;
  const Index most = std::max<Index>(kGroupImages, 8 * threads);
  Index rows = 0;
  while (group.end < limit) {
    const auto size = static_cast<Index>(group.images.size());
    if (size == most || (rows >= kGroupRows && size >= 2 * threads)) break;
    Index quota = 0;
    for (const Sampler* task : tasks) {
      quota += SampleQuota(group.end, images, task->config->samples);
    }
    if (quota > 0) group.images.push_back(group.end);
    rows += quota;
    ++group.end;
  }
  return group;
}

// Adds what a group gave to the files and the journal, in the order of the images.
class Recorder {
 public:
  Recorder(const std::vector<Input>& inputs, const LearnConfig& config, WorkFolder& folder) try
      : inputs_(inputs),
        samples_asked_(config.samples),
        folder_(folder),
        journal_(folder.journal()),
        samples_(folder.samples(), journal_.rows * journal_.dimension * kFloatBytes,
                 journal_.samples_hash),
        failures_(folder.failures(), journal_.failure_bytes, journal_.failures_hash) {
  } catch (const FormatError& error) {
    throw FormatError(error.file(), error.reason(), folder.Advice());
  }

  Index next_image() const { return journal_.next_image; }

  // `samples` are those of all tasks; this one's have the number `task`.
  void Record(const Group& group, std::vector<std::vector<ImageSample>>& samples,
              std::size_t task) {
    const auto images = static_cast<Index>(inputs_.size());
    for (std::size_t i = 0; i < samples.size(); ++i) {
      if (SampleQuota(group.images[i], images, samples_asked_) == 0) continue;
      Add(group.images[i], samples[i][task]);
    }
    samples_.Sync();
    failures_.Sync();
    journal_.next_image = group.end;
    journal_.failure_bytes = failures_.size();
    journal_.samples_hash = samples_.hash();
    journal_.failures_hash = failures_.hash();
    folder_.Commit(journal_);
  }

 private:
  void Add(Index image, ImageSample& sample) {
    const std::string& name = inputs_[image].name;
    if (!sample.hash.empty()) {
      // A chain, since the names and hashes of all images are not kept.
      journal_.inputs_hash = ContentHash(journal_.inputs_hash + name + sample.hash);
    }
    if (sample.failure.empty() && sample.dimension > 0) {
      if (journal_.dimension == 0) {
        journal_.dimension = sample.dimension;
        journal_.dimension_image = image;
      } else if (journal_.dimension != sample.dimension) {
        sample.failure =
            fmt::format("its descriptors have {} values, those of {} have {}", sample.dimension,
                        inputs_[journal_.dimension_image].name, journal_.dimension);
      }
    }
    if (!sample.failure.empty()) {
      const Json line = {{"image", image}, {"reason", sample.failure}};
      failures_.Append(Dump(line) + "\n");
      ++journal_.failures;
      return;
    }
    samples_.Append(sample.rows.data(), sample.rows.size());
    journal_.rows += sample.rows.rows();
    if (sample.rows.rows() > 0) ++journal_.used_images;
    sample.rows.resize(0, 0);
  }

  const std::vector<Input>& inputs_;
  Index samples_asked_;
  WorkFolder& folder_;
  SamplingJournal journal_;
  AppendFile samples_;
  AppendFile failures_;
};

}  // namespace

void SampleImages(const std::vector<Input>& inputs, const std::vector<SamplingTask>& tasks,
                  const LearnRun& run) {
  const auto images = static_cast<Index>(inputs.size());
  std::vector<Sampler> samplers;
  Index samples = 0, first = images;
  for (const SamplingTask& task : tasks) {
    Sampler& sampler =
        samplers.emplace_back(Sampler{&task.config, Describer(task.config.describe), nullptr});
    task.folder.Write(
        [&] { sampler.recorder = std::make_unique<Recorder>(inputs, task.config, task.folder); });
    samples = std::max<Index>(samples, task.config.samples);
    first = std::min(first, sampler.recorder->next_image());
  }
  Progress progress{"sampling", 0, std::min(images, samples), 0, "images"};
  // The others give nothing and are not read. Image i is one of these if the sum of the quotas up
  // to it rises there.
  progress.resumed = samples < images ? first * samples / images : first;
  progress.done = progress.resumed;
  Report(run, progress);

  std::mutex mutex;
  for (;;) {
    // After an interruption some tasks may be ahead: those that are behind catch up first.
    Index begin = images, limit = images;
    for (const Sampler& s : samplers) begin = std::min(begin, s.recorder->next_image());
    if (begin == images) break;
    std::vector<Sampler*> active;
    for (Sampler& s : samplers) {
      if (s.recorder->next_image() == begin) {
        active.push_back(&s);
      } else {
        limit = std::min(limit, s.recorder->next_image());
      }
    }
    const Group group = NextGroup(begin, limit, images, active, run.threads);
    std::vector<std::vector<ImageSample>> drawn(group.images.size());
    ParallelFor(static_cast<Index>(drawn.size()), run.threads, [&](Index i) {
      const Index image = group.images[i];
      drawn[i] = SampleImage(inputs[image], image, images, active);
      const std::lock_guard lock(mutex);
      ++progress.done;
      Report(run, progress);
    });
    for (std::size_t t = 0; t < active.size(); ++t) {
      Write(run, [&] { active[t]->recorder->Record(group, drawn, t); });
    }
  }
}

std::vector<Failure> ReadFailures(const std::vector<Input>& inputs, const WorkFolder& folder) {
  std::vector<Failure> failures;
  std::ifstream stream(folder.failures(), std::ios::binary);
  std::string line;
  for (Index i = 0; i < folder.journal().failures; ++i) {
    std::getline(stream, line);
    const Json json = ParseJsonIfItIs(line);
    if (!json.is_object() || !json.contains("image") || !json.contains("reason")) {
      throw FormatError(folder.failures().string(), fmt::format("line {} is damaged", i + 1),
                        folder.Advice());
    }
    failures.push_back({inputs.at(json["image"].get<std::size_t>()).name, json["reason"]});
  }
  return failures;
}

}  // namespace alcedo::internal
