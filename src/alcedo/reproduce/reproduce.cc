#include "alcedo/reproduce/reproduce.h"

#include <fmt/format.h>
#include <cmath>
#include <set>

#include "alcedo/base/error.h"
#include "alcedo/base/version.h"
#include "alcedo/config/field_json.h"
#include "alcedo/dataset/twin_images.h"
#include "alcedo/io/atomic_file.h"
#include "alcedo/io/checksummed_file.h"
#include "alcedo/io/file_bytes.h"
#include "alcedo/reproduce/plan.h"
#include "alcedo/reproduce/tables.h"
#include "alcedo/reproduce/work_files.h"

namespace alcedo::reproduce {
namespace {
namespace fs = std::filesystem;

// Intermediate files belong to one config and one list of images.
void ClaimFolder(const Run& run, const Dataset& dataset, const Json& config) {
  std::string names;
  for (const DatasetImage& image : dataset.images) {
    names += fmt::format("{} {} {}\n", image.name, image.label, Name(image.split));
  }
  const Json mine{{"config", config}, {"images", ContentHash(names)}};
  const fs::path file = run.work / "experiment.json";
  if (!fs::exists(file)) {
    WriteJson(run, file, mine);
    return;
  }
  bool same = false;
  try {
    same = ReadJson(file) == mine;
  } catch (const FormatError& error) {
    throw FormatError(
        error.file(), error.reason(),
        {.text = fmt::format("choose another folder or remove {}", run.work.string())});
  }
  if (!same) {
    throw InvalidArgument(fmt::format(
        "{} holds the files of other options or other images; choose another folder or remove it",
        run.work.string()));
  }
}

using Group = std::vector<int>;  // rows of the plan that are fused

std::vector<int> CodingsOf(const Plan& plan, const Group& group) {
  std::vector<int> codings;
  for (const int row : group) {
    const std::vector<int>& mine = plan.rows[static_cast<std::size_t>(row)].codings;
    codings.insert(codings.end(), mine.begin(), mine.end());
  }
  return codings;
}

// Groups whose vectors are on the disk at the same time, and are made in one pass over the images:
// all of them, unless that would be more than max_disk.
std::vector<std::vector<std::size_t>> Passes(const Plan& plan, const ReadyPlan& ready,
                                             const std::vector<Group>& groups, Index images,
                                             double max_disk) {
  std::vector<std::vector<std::size_t>> passes;
  double bytes = 0;
  for (std::size_t p = 0; p < groups.size(); ++p) {
    const double mine = TrainingVectors::DiskBytes(ready, CodingsOf(plan, groups[p]), images);
    const double limit = max_disk > 0 ? max_disk * std::pow(2.0, 30) : INFINITY;
    if (mine > limit) {
      throw InvalidArgument(
          fmt::format("max_disk must be at least {:.1f} GiB for the vectors of {}, got {}",
                      mine / std::pow(2.0, 30),
                      plan.rows[static_cast<std::size_t>(groups[p][0])].name, max_disk));
    }
    if (passes.empty() || bytes + mine > limit) {
      passes.emplace_back();
      bytes = 0;
    }
    passes.back().push_back(p);
    bytes += mine;
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
    for (const int c : row.codings) {
      const Coding& coding = plan.codings[static_cast<std::size_t>(c)];
      what.push_back(coding.name);
      for (const PoolChoice& choice : coding.choices) what.push_back(choice.name);
    }
  }
  return fmt::format("{}-{}.json", plan.rows[static_cast<std::size_t>(group[0])].name,
                     ContentHash(Dump(what)).substr(0, 8));
}

// Vectors, selection and models of the pairs of one pass.
void RunPass(const Plan& plan, const ReadyPlan& ready, const std::vector<Group>& groups,
             const std::vector<std::size_t>& pass, const Dataset& dataset,
             const ReproduceOptions& options, std::uint64_t seed, const ReproduceRun& run,
             std::vector<PairSelection>& selections, std::vector<Failure>& failures,
             std::vector<report::Timing>& timings) {
  const std::string name(Name(dataset.kind));
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
  std::vector<int> codings;
  for (const std::size_t p : to_do) {
    const std::vector<int> mine = CodingsOf(plan, groups[p]);
    codings.insert(codings.end(), mine.begin(), mine.end());
  }
  Stopwatch making(name, "vectors of the training images");
  const TrainingVectors vectors(ready, codings, dataset, run);
  making.Stop(vectors.made(), timings);
  failures = vectors.failures();
  const Truth truth = TruthOf(dataset, vectors.images());
  const std::vector<Fold> folds = MakeFolds(dataset, vectors.images(), options.folds, seed);
  for (const std::size_t p : to_do) {
    Stopwatch selecting(name, "selection and training");
    selections[p] = Select(plan, ready, groups[p], vectors, truth, folds, options,
                           folder / "trials" / SelectionFile(plan, groups[p], options), run);
    TrainModels(ready, ModelsOf(selections[p]), vectors, truth, run);
    Json failed = Json::array();
    for (const Failure& f : failures) failed.push_back({f.name, f.reason});
    // Last: where it is, the models are too.
    WriteJson(run, folder / SelectionFile(plan, groups[p], options),
              {{"rows", ToJson(ready, selections[p])}, {"failures", failed}});
    selecting.Stop(0, timings);
  }
  if (!run.keep_vectors) vectors.Remove();
}

SeedOutcome RunSeed(const Plan& plan, const Dataset& dataset, const ReproduceOptions& options,
                    std::uint64_t seed, const ReproduceRun& run,
                    std::vector<report::CheckResult>* checks, std::vector<Failure>& failures,
                    std::vector<report::Timing>& timings) {
  const std::string name(Name(dataset.kind));
  Stopwatch learning(name, "vocabularies");
  const ReadyPlan ready = MakeReady(plan, dataset, options, seed, run);
  learning.Stop(0, timings);
  if (checks != nullptr) checks->push_back(CheckBovGmpIsMax(ready, dataset, run));

  const std::vector<Group>& groups = plan.groups;
  const Index training = std::ssize(ImagesNotForTesting(dataset));
  const auto passes = Passes(plan, ready, groups, training, options.max_disk);
  double most = 0;
  for (const auto& pass : passes) {
    double bytes = 0;
    for (const std::size_t p : pass) {
      bytes += TrainingVectors::DiskBytes(ready, CodingsOf(plan, groups[p]), training);
    }
    most = std::max(most, bytes);
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
    RunPass(plan, ready, groups, pass, dataset, options, seed, run, outcome.pairs, failures,
            timings);
  }
  std::vector<std::vector<ModelKey>> keys;
  for (const PairSelection& pair : outcome.pairs) keys.push_back(ModelsOf(pair));
  Stopwatch testing(name, "test images");
  outcome.test = ScoreTestImages(ready, keys, dataset, run);
  testing.Stop(outcome.test.made, timings);
  failures.insert(failures.end(), outcome.test.failures.begin(), outcome.test.failures.end());
  return outcome;
}

report::DatasetSummary Summary(const Dataset& dataset, const std::vector<Failure>& failures) {
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
  summary.notes = dataset.notes;
  const std::string twins = TwinImagesNote(dataset, TwinImages(dataset));
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
  ReproduceOptions copy = options;
  VisitFields(copy, FieldsToJson{results.config});
  results.lite = options.lite;
  for (int s = 0; s < options.seeds; ++s) {
    results.seeds.push_back(options.seed + static_cast<std::uint64_t>(s));
  }
  for (const Dataset& whole : datasets) {
    const Dataset dataset = options.lite ? LiteDataset(whole) : whole;
    const std::string name(Name(dataset.kind));
    const bool pyramid = options.table == TableChoice::kAll &&
                         dataset.kind == DatasetKind::kVoc2007 && !options.lite;
    const Plan plan = MakePlan(options, pyramid);
    std::vector<SeedOutcome> outcomes;
    std::vector<Failure> failures;
    for (const std::uint64_t seed : results.seeds) {
      ReproduceRun one = run;
      one.work = run.work / name / fmt::format("seed-{}", seed);
      fs::create_directories(one.work);
      // What the names of intermediate files do not tell.
      Json config;
      for (const char* field :
           {"lite", "samples", "root_sift", "sift_patch", "color_patch", "scales", "accuracy"}) {
        config[field] = results.config.at(field);
      }
      ClaimFolder(one, dataset, config);
      one.progress = [&](Progress progress) {
        progress.stage = fmt::format("{}, seed {}: {}", name, seed, progress.stage);
        Report(run, progress);
      };
      // What must hold does so whatever the seed.
      std::vector<report::CheckResult>* checks =
          seed == results.seeds.front() ? &results.checks : nullptr;
      outcomes.push_back(
          RunSeed(plan, dataset, options, seed, one, checks, failures, results.timings));
    }
    results.datasets.push_back(Summary(dataset, failures));
    AddOutcomes(plan, dataset, outcomes, run.threads, results);
    if (run.results) run.results(results);
  }
  results.complete = true;
  return results;
}

}  // namespace alcedo::reproduce
