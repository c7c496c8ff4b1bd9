#include "alcedo/cli/run_encode.h"

#include <fmt/format.h>

#include <chrono>
#include <numeric>
#include <unordered_set>

#include "alcedo/cli/encode_totals.h"
#include "alcedo/cli/errors.h"
#include "alcedo/cli/failure_lines.h"
#include "alcedo/cli/interrupt.h"
#include "alcedo/cli/json.h"
#include "alcedo/cli/progress.h"
#include "alcedo/cli/stdio.h"
#include "alcedo/cli/vector_file.h"
#include "alcedo/cli/vocabulary_text.h"
#include "alcedo/encode/encode_batch.h"
#include "alcedo/base/escape.h"

namespace alcedo::cli {
namespace {
namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

// Vectors in memory before they go to the disk, where no store says how many.
constexpr Index kGroup = 16;

class EncodeTask {
 public:
  EncodeTask(const EncodeJob& job, const Representer& representer, const std::string& checksum,
             std::vector<EncodeInput> inputs, bool several)
      : job_(job),
        representer_(representer),
        checksum_(checksum),
        inputs_(std::move(inputs)),
        several_(several),
        totals_(representer) {}

  int ToFile();
  int ToStore();

 private:
  EncodeRun MakeRun(ProgressMeter& progress, Interrupts& interrupts) const;
  // What a store must have in common with this run to be gone on with.
  StoreHeader Header() const;
  void Count(std::span<const Index> which, std::span<EncodedImage> images);
  std::string Reason(const std::string& failure) const {
    return WithConfigFlags(failure, ToJson(representer_.config));
  }
  // Of the inputs of this run; a store may have others.
  std::vector<BadImage> BadOf(const FeatureStore& store) const;
  // What is wrong where not one picture has a patch; "" where one has.
  std::string WithoutPatches() const;
  void PrintSummary(const std::string& written) const;

  const EncodeJob& job_;
  const Representer& representer_;
  const std::string& checksum_;
  const std::vector<EncodeInput> inputs_;
  const bool several_;
  const Clock::time_point start_ = Clock::now();
  EncodeTotals totals_;
};

EncodeRun EncodeTask::MakeRun(ProgressMeter& progress, Interrupts& interrupts) const {
  EncodeRun run;
  run.threads = job_.run.threads;
  run.progress = [&progress] { progress.Advance(); };
  run.write = [&interrupts](const std::function<void()>& write) {
    const Interrupts::Writing writing(interrupts);
    write();
  };
  return run;
}

StoreHeader EncodeTask::Header() const {
  Json config = ToJson(representer_.config);
  // The folder that a vocabulary lies in changes nothing; what it holds is told by its checksum.
  config["vocabulary"] =
      internal::EscapeText(fs::path(representer_.config.vocabulary).filename().string());
  return {{{"config", std::move(config)}, {"vocabulary_checksum", checksum_}},
          ValueShape(representer_),
          representer_.config.dtype,
          job_.images_per_shard};
}

void EncodeTask::Count(std::span<const Index> which, std::span<EncodedImage> images) {
  for (std::size_t i = 0; i < images.size(); ++i) {
    totals_.Add(inputs_[static_cast<std::size_t>(which[i])], images[i]);
  }
}

std::vector<BadImage> EncodeTask::BadOf(const FeatureStore& store) const {
  std::vector<StoreEntry> failures = store.Failures();
  if (failures.empty()) return {};
  std::unordered_set<std::string_view> names;
  for (const EncodeInput& input : inputs_) names.insert(input.name);
  std::vector<BadImage> bad;
  for (StoreEntry& entry : failures) {
    if (!names.contains(entry.name)) continue;
    bad.push_back({std::move(entry.name), Reason(entry.failure)});
  }
  return bad;
}

std::string EncodeTask::WithoutPatches() const {
  const DescribeOptions& describe = representer_.config.describe;
  if (describe.descriptor == DescriptorKind::kExternal || !totals_.AllWithoutPatches()) return "";
  return fmt::format(
      "no picture has room for a patch of {} x {} pixels (--patch){}: all vectors are zero",
      describe.grid.patch, describe.grid.patch,
      describe.image.max_pixels > 0
          ? fmt::format(", scaled down to at most {} pixels (--max-pixels)",
                        describe.image.max_pixels)
          : "");
}

void EncodeTask::PrintSummary(const std::string& written) const {
  if (job_.run.quiet) return;
  const std::chrono::duration<double> seconds = Clock::now() - start_;
  // A store has them already: said before everything else.
  const std::string void_result = WithoutPatches();
  if (!void_result.empty()) PrintLine("alcedo: warning: " + void_result);
  for (const std::string& line : totals_.Summary(seconds.count())) PrintLine(line);
  PrintLine(written);
  if (!void_result.empty()) return;
  for (const std::string& line : totals_.Warnings()) PrintLine("alcedo: warning: " + line);
}

int EncodeTask::ToFile() {
  const std::string& output = job_.run.output;
  CheckParent(output);
  std::vector<BadImage> bad;
  VectorsHeader header;
  header.config = ToJson(representer_.config);
  header.vocabulary_checksum = checksum_;
  header.failures = Json::array();
  header.several = several_;
  header.shape = ValueShape(representer_);
  header.type = representer_.config.dtype;
  header.seed = representer_.config.seed;

  ProgressMeter progress(static_cast<Index>(inputs_.size()), job_.run.quiet, "images");
  Interrupts interrupts([&] {
    progress.Clear();
    return std::string("alcedo: interrupted, nothing was written; a folder can be gone on with");
  });
  Spill values(output);
  std::vector<Index> all(inputs_.size());
  std::iota(all.begin(), all.end(), Index{0});
  EncodeImages(representer_, inputs_, all, kGroup, MakeRun(progress, interrupts),
               [&](std::span<const Index> which, std::span<EncodedImage> images) {
                 Count(which, images);
                 for (std::size_t i = 0; i < images.size(); ++i) {
                   const std::string& name = inputs_[static_cast<std::size_t>(which[i])].name;
                   if (images[i].failure.empty()) {
                     header.names.push_back(name);
                     values.Append(images[i].values);
                   } else {
                     bad.push_back({name, Reason(images[i].failure)});
                   }
                 }
               });
  progress.Clear();
  if (!several_ && !bad.empty()) throw InvalidArgument(Sentence(bad[0]));
  for (const BadImage& image : bad) {
    header.failures.push_back({{"name", internal::EscapeText(image.name)},
                               {"reason", internal::EscapeText(image.reason)}});
  }
  if (const std::string why = WithoutPatches(); !why.empty()) {
    throw InvalidArgument(why + ", and nothing was written");
  }
  if (!header.names.empty()) {
    const Interrupts::Writing writing(interrupts);
    WriteVectors(output, job_.form, header, values);
  }
  PrintSummary(header.names.empty() ? "nothing was written: no image could be encoded"
                                    : "wrote " + output);
  if (header.names.empty()) {
    PrintBadImages(bad, inputs_.size(), "");
    return kFailed;
  }
  const std::string listed = job_.form == VectorsForm::kNpy ? output + ".json" : output;
  PrintBadImages(bad, inputs_.size(), listed);
  return bad.empty() ? kOk : kSomeSkipped;
}

int EncodeTask::ToStore() {
  const std::string& output = job_.run.output;
  ProgressMeter progress(static_cast<Index>(inputs_.size()), job_.run.quiet, "images");
  std::atomic<Index> stored = 0;
  Interrupts interrupts([&] {
    progress.Clear();
    return fmt::format(
        "alcedo: interrupted with {} of {} images stored; run the same command again to go on",
        stored, inputs_.size());
  });
  FeatureStore store = [&] {
    const Interrupts::Writing writing(interrupts);
    return FeatureStore::OpenToAppend(output, Header());
  }();
  EncodeRun run = MakeRun(progress, interrupts);
  std::vector<Index> which;
  {
    ProgressMeter checking(static_cast<Index>(inputs_.size()), job_.run.quiet, "images looked up");
    EncodeRun lookup = run;
    lookup.progress = [&checking] { checking.Advance(); };
    which = ImagesToDo(representer_, inputs_, store, lookup);
    checking.Clear();
  }
  const Index done_before = static_cast<Index>(inputs_.size() - which.size());
  progress.Skip(done_before);
  stored = done_before;
  EncodeToStore(representer_, inputs_, which, store, run,
                [&](std::span<const Index> group, std::span<EncodedImage> images) {
                  stored += static_cast<Index>(images.size());
                  Count(group, images);
                });
  progress.Clear();
  const std::vector<BadImage> bad = BadOf(store);
  PrintSummary(
      fmt::format("{}{} holds {} {} in {} {}",
                  done_before > 0 ? fmt::format("{} {} done before; ", Thousands(done_before),
                                                done_before == 1 ? "image was" : "images were")
                                  : "",
                  output, Thousands(store.size()), store.size() == 1 ? "vector" : "vectors",
                  Thousands(store.shards()), store.shards() == 1 ? "shard" : "shards"));
  PrintBadImages(bad, inputs_.size(), (fs::path(output) / "failures.csv").string());
  return bad.empty() ? kOk : kSomeSkipped;
}

}  // namespace

int RunEncode(const EncodeJob& job, const Representer& representer, const std::string& checksum,
              ImageList images) {
  const bool store = job.form == VectorsForm::kStore;
  {
    std::vector<NamedPath> written;
    if (store) {
      written.push_back({"--output", job.run.output});
    } else {
      for (const std::string& file : VectorFiles(job.run.output, job.form, images.several)) {
        written.push_back({"--output", file});
      }
    }
    std::vector<NamedPath> more{{"--config", job.run.config}, {"--list", job.run.list}};
    std::error_code ignored;
    if (fs::exists(job.config.vocabulary, ignored))
      more.push_back({"--vocabulary", job.config.vocabulary});
    CheckImagePaths(images, more, written);
  }
  EncodeTask task(job, representer, checksum, std::move(images.images), images.several);
  const int exit_code = store ? task.ToStore() : task.ToFile();
  PrintLeftOut(images, job.run.quiet);
  return exit_code;
}

}  // namespace alcedo::cli
