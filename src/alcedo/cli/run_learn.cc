#include "alcedo/cli/run_learn.h"

#include <fmt/format.h>

#include <chrono>

#include "alcedo/cli/errors.h"
#include "alcedo/cli/failure_lines.h"
#include "alcedo/cli/interrupt.h"
#include "alcedo/cli/learn_progress.h"
#include "alcedo/cli/progress.h"
#include "alcedo/cli/stdio.h"
#include "alcedo/cli/vocabulary_text.h"
#include "alcedo/training/train_options.h"
#include "alcedo/io/atomic_file.h"
#include "alcedo/learn/learn.h"

namespace alcedo::cli {
namespace {
namespace fs = std::filesystem;

std::string FailuresFile(const LearnJob& job) { return job.run.output + ".failures.csv"; }

std::vector<BadImage> BadImages(const LearnJob& job, const LearnResult& result) {
  const Json config = ToJson(job.config);
  std::vector<BadImage> bad;
  bad.reserve(result.failures.size());
  for (const LearnFailure& failure : result.failures) {
    bad.push_back({failure.name, WithConfigFlags(failure.reason, config)});
  }
  return bad;
}

void PrintSummary(const LearnJob& job, const Vocabulary& vocabulary, std::int64_t bytes,
                  double seconds) {
  const TrainingRecord& training = vocabulary.training;
  PrintLine(fmt::format("{} from {} samples of {} images in {}", WordsText(vocabulary),
                        Thousands(training.samples), Thousands(training.images),
                        Duration(seconds)));
  std::string line = DescriptorText(vocabulary);
  if (vocabulary.config.describe.descriptor != DescriptorKind::kExternal) {
    const int max_pixels = vocabulary.config.describe.image.max_pixels;
    line += max_pixels > 0 ? fmt::format(", pictures of at most {} pixels (--max-pixels)",
                                         Thousands(max_pixels))
                           : ", pictures at their full size (--max-pixels 0)";
  }
  PrintLine(line);
  const std::string training_line = TrainingText(vocabulary);
  if (!training_line.empty()) PrintLine(training_line);
  PrintLine(fmt::format("wrote {}, {}", job.run.output, FileSize(bytes)));
  const std::int64_t gaussians = vocabulary.config.gmm.gaussians;
  if (vocabulary.config.kind == VocabularyKind::kGmm &&
      training.samples < kSamplesPerGaussian * gaussians) {
    PrintLine(fmt::format(
        "note: {} samples for {} Gaussians are few; {} for each are a common least (--gaussians)",
        Thousands(training.samples), Thousands(gaussians), kSamplesPerGaussian));
  }
}

}  // namespace

int RunLearn(const LearnJob& job, const ImageList& images) {
  CheckImagePaths(images, {{"--config", job.run.config}, {"--list", job.run.list}},
                  {{"--output", job.run.output}, {"--work", job.work}});
  CheckParent(job.run.output);
  CheckParent(job.work);
  std::vector<LearnInput> inputs;
  inputs.reserve(images.images.size());
  for (const EncodeInput& image : images.images) inputs.push_back({image.path, image.name});

  const auto start = std::chrono::steady_clock::now();
  LearnProgressLine progress(job.run.quiet);
  Interrupts interrupts([&] {
    progress.Clear();
    return fmt::format("alcedo: interrupted while {}; run the same command again to go on",
                       progress.stage().empty() ? "starting" : "at " + progress.stage());
  });
  LearnRun run;
  run.max_memory = job.max_memory;
  run.threads = job.run.threads;
  run.work_folder = job.work;
  run.progress = [&](const LearnProgress& step) { progress.Show(step); };
  run.write = [&](const std::function<void()>& write) {
    const Interrupts::Writing writing(interrupts);
    write();
  };

  LearnResult result;
  try {
    result = Learn(inputs, job.config, run);
  } catch (const InvalidArgument& error) {
    progress.Clear();
    throw InvalidArgument(WithConfigFlags(error.what(), ToJson(job.config)));
  } catch (...) {
    progress.Clear();
    throw;
  }
  progress.Clear();

  const std::vector<BadImage> bad = BadImages(job, result);
  const std::string bytes = VocabularyBytes(result.vocabulary);
  {
    const Interrupts::Writing writing(interrupts);
    WriteFailures(FailuresFile(job), bad);
    WriteWholeFile(job.run.output, bytes);
    RemoveWorkFolder(job.work);
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  if (!job.run.quiet) {
    PrintSummary(job, result.vocabulary, static_cast<std::int64_t>(bytes.size()), seconds.count());
  }
  PrintLeftOut(images, job.run.quiet);
  PrintBadImages(bad, inputs.size(), FailuresFile(job));
  return bad.empty() ? kOk : kSomeSkipped;
}

}  // namespace alcedo::cli
