#include "alcedo/reproduce/pilot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
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

// All candidates of a row without power, by ridge regression.
std::vector<Trial> TryRow(const Row& row, CandidateTrials& trials) {
  for (std::size_t i = 0; i < row.codings.size(); ++i) {
    for (const int choice : row.searched[i]) trials.Screen({row.codings[i], choice, 1});
  }
  return trials.trials();
}

// Of all images that the pilot has, those that candidates are judged on.
Index HeldOut(const Dataset& pilot) {
  return std::ranges::count_if(pilot.images, [&](const DatasetImage& image) {
    return !pilot.has_validation || image.split == Split::kValidation;
  });
}

// Of a share of `images`, in per cent.
double StandardError(double percent, Index images) {
  return std::sqrt(percent * (100 - percent) / static_cast<double>(std::max<Index>(images, 1)));
}

double SigmaOf(const Plan& plan, const Trial& trial) {
  return plan.codings[static_cast<std::size_t>(trial.candidate.coding)].sigma;
}

// Of one family's trials, those within a standard error of the best.
std::vector<Trial> AsGoodAsTheBest(const std::vector<Trial>& trials, Index held_out) {
  const double most = std::ranges::max_element(trials, {}, &Trial::validation)->validation;
  const double enough = most - StandardError(most, held_out);
  std::vector<Trial> good;
  std::ranges::copy_if(trials, std::back_inserter(good),
                       [&](const Trial& trial) { return trial.validation >= enough; });
  return good;
}

// The best with the smallest sigma; among equals the first.
Trial BestWithSmallestSigma(const Plan& plan, const std::vector<Trial>& trials) {
  return *std::ranges::min_element(trials, {}, [&](const Trial& trial) {
    return std::pair(SigmaOf(plan, trial), -trial.validation);
  });
}

// By the name of the family.
std::map<std::string, std::vector<Trial>> ByFamily(const Plan& plan,
                                                   const std::vector<Trial>& trials) {
  std::map<std::string, std::vector<Trial>> families;
  for (const Trial& trial : trials) {
    const Coding& coding = plan.codings[static_cast<std::size_t>(trial.candidate.coding)];
    families[coding.choices[static_cast<std::size_t>(trial.candidate.choice)].method].push_back(
        trial);
  }
  return families;
}

// The choices of the same family in the order of lambda.
std::vector<int> FamilyOf(const Coding& coding, int choice) {
  const auto lambda = [&](int k) {
    const auto* gmp = std::get_if<GmpOptions>(&coding.choices[static_cast<std::size_t>(k)].pooling);
    return gmp != nullptr ? gmp->lambda : 0;
  };
  std::vector<int> family;
  for (int k = 0; k < static_cast<int>(coding.choices.size()); ++k) {
    if (coding.choices[static_cast<std::size_t>(k)].method ==
        coding.choices[static_cast<std::size_t>(choice)].method) {
      family.push_back(k);
    }
  }
  std::ranges::stable_sort(family, {}, lambda);
  return family;
}

// This one, and those next to it.
std::vector<int> WithNeighbours(const Coding& coding, int choice) {
  const std::vector<int> family = FamilyOf(coding, choice);
  const auto mine = std::ranges::find(family, choice);
  const auto begin = mine == family.begin() ? mine : mine - 1;
  const auto end = mine + 1 == family.end() ? mine + 1 : mine + 2;
  return {begin, end};
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

PilotResults RunPilot(const Plan& whole, const Dataset& dataset, const ReproduceOptions& options,
                      std::uint64_t seed, const ReproduceRun& run) {
  const bool needed =
      std::ranges::any_of(whole.rows, [](const Row& row) { return row.codings.size() > 1; });
  PilotResults results;
  results.trials.resize(whole.rows.size());
  if (!needed) return results;
  const Dataset pilot = PilotDataset(dataset);
  results.held_out = HeldOut(pilot);
  const Plan plan = WithFewFeatures(whole);
  const ReadyPlan ready = MakeReady(plan, dataset, options, seed, run);  // they were learned before
  Run mine = run;
  mine.work = run.work / "pilot";
  mine.progress = [&](Progress progress) {
    progress.stage = "pilot for sigma: " + progress.stage;
    Report(run, progress);
  };
  std::vector<int> to_do;
  std::vector<std::string> names;
  for (std::size_t r = 0; r < plan.rows.size(); ++r) {
    const Row& row = plan.rows[r];
    if (row.codings.size() < 2) continue;
    const fs::path file = mine.work / ResultFile(plan, row, options);
    if (fs::exists(file)) {
      const Json json = ReadJson(file);
      for (const Json& trial : json.at("trials")) {
        results.trials[r].push_back(TrialFromJson(ready, trial));
      }
      continue;
    }
    to_do.push_back(static_cast<int>(r));
    names.push_back(row.name);
  }
  if (to_do.empty()) return results;
  Stopwatch piloting(run, run.maker, "pilot for sigma", names);
  const TrainingVectors vectors(ready, VectorsOf(plan, to_do), pilot, HashImages(pilot, mine),
                                mine);
  const Truth truth = TruthOf(pilot, vectors.images());
  const std::vector<Fold> folds = MakeFolds(pilot, vectors.images(), options.folds, seed);
  for (const int number : to_do) {
    const auto r = static_cast<std::size_t>(number);
    const Row& row = plan.rows[r];
    const std::string name = ResultFile(plan, row, options);
    const Index expected = static_cast<Index>(
        row.codings.size() *
        ready.codings[static_cast<std::size_t>(row.codings[0])].coding.choices.size());
    CandidateTrials trials(row.name, expected, ready, vectors, truth, folds, options.c,
                           mine.work / "trials" / name, mine);
    results.trials[r] = TryRow(row, trials);
    Json all = Json::array();
    for (const Trial& trial : results.trials[r]) all.push_back(TrialJson(ready, trial));
    WriteJson(mine, mine.work / name, {{"trials", all}});
    fs::remove(mine.work / "trials" / name);
  }
  vectors.Remove();
  piloting.Stop(vectors.made(), true);
  return results;
}

Plan AfterPilot(Plan plan, const PilotResults& pilot) {
  for (std::size_t r = 0; r < plan.rows.size(); ++r) {
    if (pilot.trials[r].empty()) continue;
    std::map<int, std::vector<int>> left;  // by coding
    for (const auto& [family, trials] : ByFamily(plan, pilot.trials[r])) {
      const std::vector<Trial> good = AsGoodAsTheBest(trials, pilot.held_out);
      if (family == "sum") {  // costs little
        for (const Trial& trial : good) {
          left[trial.candidate.coding].push_back(trial.candidate.choice);
        }
        continue;
      }
      const Candidate best = BestWithSmallestSigma(plan, good).candidate;
      const std::vector<int> mine =
          WithNeighbours(plan.codings[static_cast<std::size_t>(best.coding)], best.choice);
      std::vector<int>& choices = left[best.coding];
      choices.insert(choices.end(), mine.begin(), mine.end());
    }
    Row& row = plan.rows[r];
    row.codings.clear();
    row.searched.clear();
    for (auto& [coding, choices] : left) {
      std::ranges::sort(choices);
      row.codings.push_back(coding);
      row.searched.push_back(std::move(choices));
    }
  }
  return plan;
}

bool GoBeyond(Plan& plan, std::span<const int> rows, const PairSelection& selection) {
  bool any = false;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    Row& row = plan.rows[static_cast<std::size_t>(rows[r])];
    for (const Chosen& chosen : selection.rows[r].methods) {
      const Candidate& best = chosen.trial.candidate;
      const auto place = std::ranges::find(row.codings, best.coding) - row.codings.begin();
      std::vector<int>& searched = row.searched[static_cast<std::size_t>(place)];
      const Coding& coding = plan.codings[static_cast<std::size_t>(best.coding)];
      for (const int next : WithNeighbours(coding, best.choice)) {
        if (std::ranges::find(searched, next) != searched.end()) continue;
        searched.push_back(next);
        std::ranges::sort(searched);
        any = true;
      }
    }
  }
  return any;
}

}  // namespace alcedo::reproduce
