#include "alcedo/reproduce/reproduce.h"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <ranges>
#include <set>

#include "alcedo/base/error.h"
#include "alcedo/base/version.h"
#include "alcedo/dataset/twin_images.h"
#include "alcedo/io/atomic_file.h"
#include "alcedo/io/checksummed_file.h"
#include "alcedo/io/file_bytes.h"
#include "alcedo/io/folder_lock.h"
#include "alcedo/reproduce/pilot.h"
#include "alcedo/reproduce/plan.h"
#include "alcedo/reproduce/recorded_options.h"
#include "alcedo/reproduce/tables.h"
#include "alcedo/reproduce/work_files.h"
#include "alcedo/reproduce/work_folder.h"

namespace alcedo::reproduce {
namespace {
namespace fs = std::filesystem;

using Group = std::vector<int>;  // rows of the plan that are fused

// The vectors that these groups need.
WantedPoolings VectorsOf(const Plan& plan, const std::vector<Group>& groups,
                         const std::vector<std::size_t>& which) {
  std::vector<int> rows;
  for (const std::size_t p : which) rows.insert(rows.end(), groups[p].begin(), groups[p].end());
  return reproduce::VectorsOf(plan, rows);
}

std::vector<std::string> NamesOf(const ReadyPlan& ready, const WantedPoolings& wanted) {
  std::vector<std::string> names;
  for (std::size_t c = 0; c < wanted.size(); ++c) {
    if (!wanted[c].empty()) names.push_back(ready.codings[c].coding.name);
  }
  return names;
}

// In bytes.
double DiskLimit(const ReproduceOptions& options) {
  return options.max_disk > 0 ? options.max_disk * std::pow(2.0, 30) : INFINITY;
}

// Groups whose vectors are on the disk at the same time, and are made in one pass over the images:
// all of them, unless that would be more than max_disk.
std::vector<std::vector<std::size_t>> Passes(const Plan& plan, const ReadyPlan& ready,
                                             const std::vector<Group>& groups, Index images,
                                             const ReproduceOptions& options) {
  const double limit = DiskLimit(options);
  const auto bytes = [&](const std::vector<std::size_t>& pass) {
    return TrainingVectors::DiskBytes(ready, VectorsOf(plan, groups, pass), images);
  };
  std::vector<std::vector<std::size_t>> passes;
  for (std::size_t p = 0; p < groups.size(); ++p) {
    const double alone = bytes({p});
    if (alone > limit) {
      throw InvalidArgument(
          fmt::format("max_disk must be at least {:.1f} GiB for the vectors of {}, got {}",
                      alone / std::pow(2.0, 30),
                      plan.rows[static_cast<std::size_t>(groups[p][0])].name, options.max_disk));
    }
    if (passes.empty()) passes.emplace_back();
    passes.back().push_back(p);
    if (bytes(passes.back()) <= limit) continue;
    passes.back().pop_back();
    passes.push_back({p});
  }
  return passes;
}

// Named after all that a selection depends on beside the vectors, so that runs with other tables or
// candidates share a work folder.
std::string SelectionFile(const Plan& plan, const Group& group, const ReproduceOptions& options) {
  Json what = Json::array({options.c, options.folds, Name(options.search)});
  for (const int r : group) {
    const Row& row = plan.rows[static_cast<std::size_t>(r)];
    what.push_back(row.powers);
    for (const Row::Method& method : row.methods) what.push_back(method.name);
    for (std::size_t i = 0; i < row.codings.size(); ++i) {
      const Coding& coding = plan.codings[static_cast<std::size_t>(row.codings[i])];
      what.push_back(coding.name);
      for (const int choice : row.searched[i]) {
        what.push_back(coding.choices[static_cast<std::size_t>(choice)].name);
      }
    }
  }
  return fmt::format("{}-{}.json", plan.rows[static_cast<std::size_t>(group[0])].name,
                     ContentHash(Dump(what)).substr(0, 8));
}

// Vectors, selection and models of the pairs of one pass.
void RunPass(const Plan& plan, const ReadyPlan& ready, const std::vector<Group>& groups,
             const std::vector<std::size_t>& pass, const Dataset& dataset,
             const ImageHashes& hashes, const ReproduceOptions& options, std::uint64_t seed,
             const ReproduceRun& run, std::vector<PairSelection>& selections,
             std::vector<Failure>& failures) {
  const fs::path folder = run.work / "selection";
  std::vector<std::size_t> to_do;
  for (const std::size_t p : pass) {
    const fs::path file = folder / SelectionFile(plan, groups[p], options);
    if (fs::exists(file)) {
      const Json json = ReadJson(file);
      selections[p] = PairSelectionFromJson(ready, json.at("rows"));
      failures.clear();
      for (const Json& f : json.at("failures")) failures.push_back({f.at(0), f.at(1)});
    } else {
      to_do.push_back(p);
    }
  }
  if (to_do.empty()) return;
  const double limit = DiskLimit(options);
  Plan searched = plan;
  const auto make_vectors = [&] {
    const WantedPoolings wanted = VectorsOf(searched, groups, to_do);
    Stopwatch making(run, run.maker, "vectors of the training images", NamesOf(ready, wanted));
    auto made = std::make_unique<TrainingVectors>(ready, wanted, dataset, hashes, run);
    making.Stop(made->made(), made->made() > 0);
    return made;
  };
  std::unique_ptr<TrainingVectors> vectors = make_vectors();
  failures = vectors->failures();
  const Truth truth = TruthOf(dataset, vectors->images());
  const std::vector<Fold> folds = MakeFolds(dataset, vectors->images(), options.folds, seed);
  for (const std::size_t p : to_do) {
    std::vector<std::string> rows;
    for (const int row : groups[p]) rows.push_back(plan.rows[static_cast<std::size_t>(row)].name);
    const fs::path trials = folder / "trials" / SelectionFile(plan, groups[p], options);
    while (true) {
      Stopwatch searching(run, run.maker, "selection and training", rows);
      selections[p] =
          Select(searched, ready, groups[p], *vectors, truth, folds, options, trials, run);
      searching.Stop(0, true);
      Plan further = searched;
      if (!GoBeyond(further, groups[p], selections[p])) break;
      const WantedPoolings wanted = VectorsOf(further, groups, to_do);
      if (TrainingVectors::DiskBytes(ready, wanted, std::ssize(vectors->images())) > limit) break;
      searched = std::move(further);
      vectors = make_vectors();
    }
    Stopwatch selecting(run, run.maker, "selection and training", std::move(rows));
    TrainModels(ready, ModelsOf(selections[p]), *vectors, truth, run);
    Json failed = Json::array();
    for (const Failure& f : failures) failed.push_back({f.name, f.reason});
    // Last: where it is, the models are too.
    WriteJson(run, folder / SelectionFile(plan, groups[p], options),
              {{"rows", ToJson(ready, selections[p])}, {"failures", failed}});
    RemoveTrials(plan, groups[p], trials);
    selecting.Stop(0, true);
  }
  if (!run.keep_vectors) vectors->Remove();
}

Index VocabulariesIn(const Run& run) {
  const fs::path folder = run.work / "vocabularies";
  if (!fs::exists(folder)) return 0;
  return std::ranges::count_if(fs::directory_iterator(folder), [](const fs::directory_entry& e) {
    return e.path().extension() == ".safetensors";
  });
}

SeedOutcome RunSeed(const Plan& whole_plan, const Dataset& dataset, const ImageHashes& hashes,
                    const ReproduceOptions& options, std::uint64_t seed, const ReproduceRun& run,
                    std::vector<report::CheckResult>* checks, std::vector<Failure>& failures) {
  std::vector<std::string> coding_names;
  for (const Coding& coding : whole_plan.codings) coding_names.push_back(coding.name);
  const Index known = VocabulariesIn(run);
  Stopwatch learning(run, run.maker, "vocabularies", coding_names);
  const ReadyPlan ready = MakeReady(whole_plan, dataset, options, seed, run);
  learning.Stop(0, VocabulariesIn(run) > known);
  if (checks != nullptr) checks->push_back(CheckBovGmpIsMax(ready, dataset, run));

  const PilotResults pilot = RunPilot(whole_plan, dataset, options, seed, run);
  const Plan plan = AfterPilot(whole_plan, pilot);
  const std::vector<Group>& groups = plan.groups;
  const Index training = std::ssize(ImagesNotForTesting(dataset));
  const auto passes = Passes(plan, ready, groups, training, options);
  double most = 0;
  for (const auto& pass : passes) {
    most =
        std::max(most, TrainingVectors::DiskBytes(ready, VectorsOf(plan, groups, pass), training));
  }
  const double gib = most / std::pow(2.0, 30);
  Say(run, fmt::format("intermediate files take up to {} in {} ({} over the training "
                       "images; max_disk limits them)",
                       gib < 1 ? fmt::format("{:.0f} MiB", std::ceil(1024 * gib))
                               : fmt::format("{:.1f} GiB", gib),
                       run.work.string(),
                       passes.size() == 1 ? "one pass" : fmt::format("{} passes", passes.size())));

  SeedOutcome outcome;
  outcome.pairs.resize(groups.size());
  for (const auto& pass : passes) {
    RunPass(plan, ready, groups, pass, dataset, hashes, options, seed, run, outcome.pairs,
            failures);
  }
  for (std::size_t p = 0; p < groups.size(); ++p) {
    for (std::size_t r = 0; r < groups[p].size(); ++r) {
      outcome.pairs[p].rows[r].pilot = pilot.trials[static_cast<std::size_t>(groups[p][r])];
    }
  }
  std::vector<std::vector<ModelKey>> keys;
  for (const PairSelection& pair : outcome.pairs) keys.push_back(ModelsOf(pair));
  Stopwatch testing(run, run.maker, "test images", coding_names);
  outcome.test = ScoreTestImages(ready, keys, dataset, hashes, run);
  testing.Stop(outcome.test.made, outcome.test.made > 0);
  failures.insert(failures.end(), outcome.test.failures.begin(), outcome.test.failures.end());
  outcome.training_unfinished = UnfinishedSolves(run.work, "training").Read();
  outcome.test_unfinished = UnfinishedSolves(run.work, "test").Read();
  for (const ModelKey& key : std::views::join(keys)) {
    if (!ModelConverged(ready, key, run)) outcome.unfinished_models.insert(key);
  }
  return outcome;
}

report::DatasetSummary Summary(const Dataset& dataset, const ImageHashes& hashes,
                               const std::vector<Failure>& failures) {
  report::DatasetSummary summary;
  summary.name = Name(dataset.kind);
  summary.title = dataset.title;
  summary.classes = static_cast<std::int64_t>(dataset.classes.size());
  // Of images that were used: a result of 8 test images is not one of 9.
  std::set<std::string> failed;
  for (const Failure& f : failures) failed.insert(f.name);
  for (const DatasetImage& image : dataset.images) {
    if (failed.contains(image.name)) continue;
    ++(image.split == Split::kTest         ? summary.test
       : image.split == Split::kValidation ? summary.validation
                                           : summary.train);
  }
  for (const Split split : {Split::kTrain, Split::kValidation, Split::kTest}) {
    std::string lines;
    for (const Index i : ImagesOf(dataset, split)) {
      const auto n = static_cast<std::size_t>(i);
      lines += fmt::format("{} {}\n", hashes[n], dataset.images[n].name);
    }
    if (!lines.empty()) summary.hashes[std::string(Name(split))] = ContentHash(lines);
  }
  summary.notes = dataset.notes;
  const std::string twins = TwinImagesNote(dataset, TwinImages(dataset, hashes));
  if (!twins.empty()) summary.notes.push_back(twins);
  for (const Failure& f : dataset.failures) summary.failures.push_back({f.name, f.reason});
  for (const Failure& f : failures) summary.failures.push_back({f.name, f.reason});
  if (!failures.empty()) {
    summary.notes.push_back(
        failures.size() == 1
            ? "1 image could not be read and is left out"
            : fmt::format("{} images could not be read and are left out", failures.size()));
  }
  return summary;
}

}  // namespace

Dataset LiteDataset(const Dataset& dataset) {
  constexpr int kClasses = 20, kImages = 20;
  const int all = static_cast<int>(dataset.classes.size());
  if (dataset.multi_label || all <= kClasses) return KeepPerClass(dataset, kImages);
  std::vector<int> classes;
  for (int i = 0; i < kClasses; ++i) classes.push_back(i * all / kClasses);
  return KeepPerClass(SelectClasses(dataset, classes), kImages);
}

report::Results Reproduce(std::span<const Dataset> datasets, const ReproduceOptions& options,
                          const ReproduceRun& run) {
  Check(options);
  report::Results results;
  results.version = Version();
  results.config = OptionsJson(options);
  results.lite = options.lite;
  for (int s = 0; s < options.seeds; ++s) {
    results.seeds.push_back(options.seed + static_cast<std::uint64_t>(s));
  }
  std::optional<std::int64_t> memory = 0;  // unless it is not known of all runs
  for (const Dataset& whole : datasets) {
    const Dataset dataset = options.lite ? LiteDataset(whole) : whole;
    const std::string name(Name(dataset.kind));
    const Plan plan = MakePlan(options, dataset.kind == DatasetKind::kVoc2007);
    const ImageHashes hashes = HashImages(dataset, run);
    std::vector<SeedOutcome> outcomes;
    std::vector<Failure> failures;
    for (const std::uint64_t seed : results.seeds) {
      ReproduceRun one = run;
      one.work = run.work / name / fmt::format("seed-{}", seed);
      fs::create_directories(one.work);
      const FolderLock lock(one.work);
      // What the names of intermediate files do not tell.
      Json config;
      for (const char* field : {"lite", "samples", "root_sift", "sift_patch", "color_patch",
                                "scales", "mirror", "accuracy"}) {
        config[field] = results.config.at(field);
      }
      ClaimFolder(one, dataset, hashes, config);
      one.progress = [&](Progress progress) {
        progress.stage = fmt::format("{}, seed {}: {}", name, seed, progress.stage);
        Report(run, progress);
      };
      // What must hold does so whatever the seed.
      std::vector<report::CheckResult>* checks =
          seed == results.seeds.front() ? &results.checks : nullptr;
      outcomes.push_back(RunSeed(plan, dataset, hashes, options, seed, one, checks, failures));
      std::set<std::string> names;
      for (const Coding& coding : plan.codings) names.insert(coding.name);
      for (const Row& row : plan.rows) names.insert(row.name);
      AddTimings(one, name, names, results.timings);
      const std::optional<std::int64_t> peak = PeakMemory(one, names);
      for (const Maker& maker : Makers(one, names)) AddMaker(maker, results);
      memory = memory && peak ? std::optional(std::max(*memory, *peak)) : std::nullopt;
    }
    results.datasets.push_back(Summary(dataset, hashes, failures));
    results.peak_memory = memory.value_or(0);
    AddOutcomes(plan, dataset, outcomes, run.threads, results);
    if (run.results) run.results(results);
  }
  results.complete = true;
  return results;
}

}  // namespace alcedo::reproduce
