#include "alcedo/learn/learn_sampling.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <mutex>
#include <optional>
#include <utility>

#include "alcedo/base/error.h"
#include "alcedo/base/parallel.h"
#include "alcedo/base/types.h"
#include "alcedo/io/content_hash.h"
#include "alcedo/descriptors/describe.h"
#include "alcedo/config/field_json.h"
#include "alcedo/io/input_file.h"
#include "alcedo/learn/learn_draw.h"
#include "alcedo/learn/sample_file.h"

namespace alcedo::internal {
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

ImageSample SampleImage(const LearnInput& input, Index image, Index quota,
                        const LearnConfig& config) {
  ImageSample sample;
  try {
    std::string bytes = ReadInputFile(input.path, config.describe.image.max_image_memory);
    sample.hash = ContentHash(bytes);
    const Descriptors descriptors = Describe(std::move(bytes), input.name, config.describe);
    sample.dimension = descriptors.values.cols();
    Rng rng = Rng::ForItem(config.seed, static_cast<std::uint64_t>(image));
    const std::vector<Index> drawn = DrawRows(descriptors.values, quota, rng);
    sample.rows.resize(static_cast<Index>(drawn.size()), sample.dimension);
    for (Index r = 0; r < sample.rows.rows(); ++r) {
      sample.rows.row(r) = descriptors.values.row(drawn[r]);
    }
  } catch (const Error& error) {
    sample.failure = WithoutName(error.what(), input.name);
  }
  return sample;
}

// The images from `begin` on that are done together.
struct Group {
  std::vector<Index> images;  // that give samples
  Index end = 0;              // the first image after the group
};

Group NextGroup(Index begin, Index images, Index samples, int threads) {
  Group group;
  group.end = begin;
  const Index most = std::max<Index>(kGroupImages, 8 * threads);
  Index rows = 0;
  while (group.end < images) {
    const auto size = static_cast<Index>(group.images.size());
    if (size == most || (rows >= kGroupRows && size >= 2 * threads)) break;
    const Index quota = SampleQuota(group.end, images, samples);
    if (quota > 0) group.images.push_back(group.end);
    rows += quota;
    ++group.end;
  }
  return group;
}

// Adds what a group gave to the files and the journal, in the order of the images.
class Recorder {
 public:
  Recorder(const std::vector<LearnInput>& inputs, WorkFolder& folder) try
      : inputs_(inputs),
        folder_(folder),
        journal_(folder.journal()),
        samples_(folder.samples(), journal_.rows * journal_.dimension * kFloatBytes),
        failures_(folder.failures(), journal_.failure_bytes) {
  } catch (const FormatError& error) {
    throw FormatError(fmt::format("{}; {}", error.what(), folder.Advice()));
  }

  Index next_image() const { return journal_.next_image; }

  void Record(const Group& group, std::vector<ImageSample>& samples) {
    for (std::size_t i = 0; i < samples.size(); ++i) Add(group.images[i], samples[i]);
    samples_.Sync();
    failures_.Sync();
    journal_.next_image = group.end;
    journal_.failure_bytes = failures_.size();
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

  const std::vector<LearnInput>& inputs_;
  WorkFolder& folder_;
  SamplingJournal journal_;
  AppendFile samples_;
  AppendFile failures_;
};

}  // namespace

void SampleImages(const std::vector<LearnInput>& inputs, const LearnConfig& config,
                  const LearnRun& run, WorkFolder& folder) {
  const auto images = static_cast<Index>(inputs.size());
  const Index samples = config.samples;
  std::optional<Recorder> recorder;
  folder.Write([&] { recorder.emplace(inputs, folder); });
  LearnProgress progress;
  progress.stage = "sampling";
  progress.total = std::min(images, samples);  // the others give nothing and are not read
  // Image i is one of these if the sum of the quotas up to it rises there.
  progress.resumed =
      samples < images ? recorder->next_image() * samples / images : recorder->next_image();
  progress.done = progress.resumed;
  if (run.progress) run.progress(progress);

  std::mutex mutex;
  while (recorder->next_image() < images) {
    const Group group = NextGroup(recorder->next_image(), images, samples, run.threads);
    std::vector<ImageSample> drawn(group.images.size());
    ParallelFor(static_cast<Index>(drawn.size()), run.threads, [&](Index i) {
      const Index image = group.images[i];
      drawn[i] = SampleImage(inputs[image], image, SampleQuota(image, images, samples), config);
      const std::lock_guard lock(mutex);
      ++progress.done;
      if (run.progress) run.progress(progress);
    });
    folder.Write([&] { recorder->Record(group, drawn); });
  }
}

std::vector<LearnFailure> ReadFailures(const std::vector<LearnInput>& inputs,
                                       const WorkFolder& folder) {
  std::vector<LearnFailure> failures;
  std::ifstream stream(folder.failures(), std::ios::binary);
  std::string line;
  for (Index i = 0; i < folder.journal().failures; ++i) {
    std::getline(stream, line);
    const Json json = Json::parse(line, nullptr, /*allow_exceptions=*/false);
    if (!json.is_object() || !json.contains("image") || !json.contains("reason")) {
      throw FormatError(fmt::format("{}: line {} is damaged; {}", folder.failures().string(), i + 1,
                                    folder.Advice()));
    }
    failures.push_back({inputs.at(json["image"].get<std::size_t>()).name, json["reason"]});
  }
  return failures;
}

}  // namespace alcedo::internal
