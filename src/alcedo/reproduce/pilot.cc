#include "alcedo/reproduce/pilot.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "alcedo/io/checksummed_file.h"
#include "alcedo/reproduce/candidate_trials.h"
#include "alcedo/reproduce/work_files.h"

namespace alcedo::reproduce {
namespace {
namespace fs = std::filesystem;

// The images that are not tested on, thinned out.
Dataset PilotDataset(const Dataset& dataset) {
  Dataset pilot = dataset;
  std::erase_if(pilot.images, [](const DatasetImage& i) { return i.split == Split::kTest; });
  const int parts = static_cast<int>(dataset.classes.size()) * (dataset.has_validation ? 2 : 1);
  return KeepPerClass(pilot, std::max(4, kPilotImages / std::max(1, parts)));
}

Plan WithFewFeatures(Plan plan) {
  for (Coding& coding : plan.codings) {
    EmkOptions& emk = coding.encoder.Get<EmkOptions>();
    emk.outputs = std::min(emk.outputs, kPilotFeatures);
  }
  return plan;
}

// Of the codings that a row has; every family's best.
PilotResult TryRow(const Row& row, const ReadyPlan& ready, CandidateTrials& trials) {
  std::map<std::string, Trial> best;
  for (const int coding : row.codings) {
    const auto& choices = ready.codings[static_cast<std::size_t>(coding)].coding.choices;
    for (std::size_t choice = 0; choice < choices.size(); ++choice) {
      const Trial trial = trials.Screen({coding, static_cast<int>(choice), 1});
      const auto [known, is_new] = best.emplace(choices[choice].method, trial);
      if (!is_new && trial.validation > known->second.validation) known->second = trial;
    }
  }
  PilotResult result{{}, trials.trials()};
  for (const int coding : row.codings) {
    const auto wins = [&](const auto& entry) { return entry.second.candidate.coding == coding; };
    if (std::ranges::any_of(best, wins)) result.codings.push_back(coding);
  }
  return result;
}

// Named after all that it depends on beside the vectors.
std::string ResultFile(const Plan& plan, const Row& row, const ReproduceOptions& options) {
  Json what = Json::array({options.c, options.folds});
  for (const int c : row.codings) {
    const Coding& coding = plan.codings[static_cast<std::size_t>(c)];
    what.push_back(coding.name);
    for (const PoolChoice& choice : coding.choices) what.push_back(choice.name);
  }
  return fmt::format("{}-{}.json", row.name, ContentHash(Dump(what)).substr(0, 8));
}

}  // namespace

std::vector<PilotResult> RunPilot(const Plan& whole, const Dataset& dataset,
                                  const ReproduceOptions& options, std::uint64_t seed,
                                  const Run& run) {
  const bool needed =
      std::ranges::any_of(whole.rows, [](const Row& row) { return row.codings.size() > 1; });
  if (!needed) return std::vector<PilotResult>(whole.rows.size());
  const Plan plan = WithFewFeatures(whole);
  const ReadyPlan ready = MakeReady(plan, dataset, options, seed, run);  // they were learned before
  Run mine = run;
  mine.work = run.work / "pilot";
  mine.progress = [&](Progress progress) {
    progress.stage = "pilot for sigma: " + progress.stage;
    Report(run, progress);
  };
  std::vector<PilotResult> results(plan.rows.size());
  std::vector<std::size_t> to_do;
  std::vector<int> pooled;
  std::vector<std::string> names;
  for (std::size_t r = 0; r < plan.rows.size(); ++r) {
    const Row& row = plan.rows[r];
    if (row.codings.size() < 2) continue;
    const fs::path file = mine.work / ResultFile(plan, row, options);
    if (fs::exists(file)) {
      const Json json = ReadJson(file);
      for (const Json& trial : json.at("trials")) {
        results[r].trials.push_back(TrialFromJson(ready, trial));
      }
      for (const int coding : row.codings) {
        const std::string& name = plan.codings[static_cast<std::size_t>(coding)].name;
        const auto is_it = [&](const Json& kept) { return kept == name; };
        if (std::ranges::any_of(json.at("codings"), is_it)) results[r].codings.push_back(coding);
      }
      continue;
    }
    to_do.push_back(r);
    names.push_back(row.name);
    for (const int coding : row.codings) {
      const int has_vectors = ready.PooledAs(coding);
      if (std::ranges::count(pooled, has_vectors) == 0) pooled.push_back(has_vectors);
    }
  }
  if (to_do.empty()) return results;
  Stopwatch piloting(run, "pilot for sigma", names);
  const Dataset pilot = PilotDataset(dataset);
  const TrainingVectors vectors(ready, pooled, pilot, HashImages(pilot, mine), mine);
  const Truth truth = TruthOf(pilot, vectors.images());
  const std::vector<Fold> folds = MakeFolds(pilot, vectors.images(), options.folds, seed);
  for (const std::size_t r : to_do) {
    const Row& row = plan.rows[r];
    const std::string name = ResultFile(plan, row, options);
    const Index expected = static_cast<Index>(
        row.codings.size() *
        ready.codings[static_cast<std::size_t>(row.codings[0])].coding.choices.size());
    CandidateTrials trials(row.name, expected, ready, vectors, truth, folds, options.c,
                           mine.work / "trials" / name, mine);
    results[r] = TryRow(row, ready, trials);
    Json codings = Json::array(), all = Json::array();
    for (const int coding : results[r].codings) {
      codings.push_back(plan.codings[static_cast<std::size_t>(coding)].name);
    }
    for (const Trial& trial : results[r].trials) all.push_back(TrialJson(ready, trial));
    WriteJson(mine, mine.work / name, {{"codings", codings}, {"trials", all}});
    fs::remove(mine.work / "trials" / name);
  }
  vectors.Remove();
  piloting.Stop(vectors.made());
  return results;
}

Plan AfterPilot(Plan plan, const std::vector<PilotResult>& pilot) {
  for (std::size_t r = 0; r < plan.rows.size(); ++r) {
    if (!pilot[r].codings.empty()) plan.rows[r].codings = pilot[r].codings;
  }
  return plan;
}

}  // namespace alcedo::reproduce
