#include "alcedo/reproduce/selection.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "alcedo/base/error.h"
#include "alcedo/base/types.h"
#include "alcedo/classifier/fusion.h"
#include "alcedo/reproduce/candidate_trials.h"
#include "alcedo/reproduce/climb.h"
#include "alcedo/training/cross_validation.h"

namespace alcedo::reproduce {
namespace {

// How many candidates of a method the SVMs decide between, by their rank in the screening.
constexpr std::size_t kFinalists = 3;
// How many of a family's poolings are screened again with another power, by their rank with none.
constexpr std::size_t kPoolingsPerPower = 5;

bool Takes(const Row::Method& method, const PoolChoice& choice, double power) {
  return choice.method == method.family && (method.power || power == 1);
}

// The candidates of one family of poolings (sum, gmp, ...) without power, in order.
std::vector<Candidate> PlainCandidates(const Row& row, const ReadyPlan& ready,
                                       const std::string& family) {
  std::vector<Candidate> candidates;
  for (std::size_t i = 0; i < row.codings.size(); ++i) {
    const int c = row.codings[i];
    const Coding& coding = ready.codings[static_cast<std::size_t>(c)].coding;
    for (const int k : row.searched[i]) {
      if (coding.choices[static_cast<std::size_t>(k)].method == family) {
        candidates.push_back({c, k, 1});
      }
    }
  }
  return candidates;
}

// The first `count` by their validation in the screening; among equals the first screened.
std::vector<Candidate> BestScreened(CandidateTrials& trials, std::vector<Candidate> candidates,
                                    std::size_t count) {
  std::ranges::stable_sort(candidates, std::greater<>(), [&](const Candidate& candidate) {
    return trials.Screen(candidate).validation;
  });
  candidates.resize(std::min(count, candidates.size()));
  return candidates;
}

// The search of one row. Lambda (and sigma) and power are searched one after the other, not
// crossed: a power that is good for one lambda is good for its neighbours.
class RowSearch {
 public:
  RowSearch(const Row& row, const ReadyPlan& ready, CandidateTrials& trials)
      : row_(row), ready_(ready), trials_(trials) {}

  // The best of every method of the row.
  std::vector<Trial> Screened() {
    for (const std::string& family : Families()) Screen(family);
    std::vector<Trial> best;
    for (const Row::Method& method : row_.methods) {
      // All at the C that the screening makes likely; only the best of them climbs.
      Trial chosen;
      chosen.validation = -1;
      for (const Candidate& candidate : Finalists(method)) {
        const Trial trial = trials_.TryLikely(candidate);
        // Among equals the one that the screening preferred.
        if (trial.validation > chosen.validation) chosen = trial;
      }
      chosen = trials_.BestC(chosen.candidate);
      best.push_back(chosen);
    }
    return best;
  }

  // The same, with every candidate and every C.
  std::vector<Trial> Exhaustive() {
    std::vector<Trial> best(row_.methods.size());
    for (Trial& trial : best) trial.validation = -1;
    for (const std::string& family : Families()) {
      for (const Candidate& plain : PlainCandidates(row_, ready_, family)) {
        for (const double power : row_.powers) {
          const Candidate candidate{plain.coding, plain.choice, power};
          for (const double c : trials_.cs()) {
            const Trial trial = trials_.Try(candidate, c);
            for (std::size_t m = 0; m < best.size(); ++m) {
              if (!Takes(row_.methods[m], ChoiceOf(candidate), power)) continue;
              // Among equals the first: less power, smaller C.
              if (trial.validation > best[m].validation) best[m] = trial;
            }
          }
        }
      }
    }
    return best;
  }

 private:
  const PoolChoice& ChoiceOf(const Candidate& c) const {
    return ready_.codings[static_cast<std::size_t>(c.coding)]
        .coding.choices[static_cast<std::size_t>(c.choice)];
  }

  std::vector<std::string> Families() const {
    std::vector<std::string> families;
    for (const Row::Method& method : row_.methods) {
      if (std::ranges::find(families, method.family) == families.end()) {
        families.push_back(method.family);
      }
    }
    return families;
  }

  double Look(const Candidate& candidate) {
    if (std::ranges::find(screened_, candidate) == screened_.end()) screened_.push_back(candidate);
    return trials_.Screen(candidate).validation;
  }

  void Screen(const std::string& family) {
    const std::vector<Candidate> plain = PlainCandidates(row_, ready_, family);
    for (const Candidate& candidate : plain) Look(candidate);
    const bool powers = std::ranges::any_of(row_.methods, [&](const Row::Method& method) {
      return method.family == family && method.power;
    });
    if (!powers) return;
    // Every power for the best pooling, then the other good poolings with the best powers.
    const std::vector<Candidate> some = BestScreened(trials_, plain, kPoolingsPerPower);
    std::vector<Candidate> with_power;
    for (const double power : row_.powers) {
      with_power.push_back({some.front().coding, some.front().choice, power});
      Look(with_power.back());
    }
    for (const Candidate& best : BestScreened(trials_, with_power, kFinalists)) {
      for (const Candidate& pooling : some) Look({pooling.coding, pooling.choice, best.power});
    }
  }

  // Those that the SVMs decide between. Each of another power, if the method has one: which power
  // is best is what SVMs and regression agree on least.
  std::vector<Candidate> Finalists(const Row::Method& method) {
    std::vector<Candidate> mine;
    for (const Candidate& candidate : screened_) {
      if (Takes(method, ChoiceOf(candidate), candidate.power)) mine.push_back(candidate);
    }
    mine = BestScreened(trials_, std::move(mine), screened_.size());
    if (method.power) {
      std::vector<Candidate> one_each;
      for (const Candidate& candidate : mine) {
        const auto same = [&](const Candidate& c) { return c.power == candidate.power; };
        if (std::ranges::none_of(one_each, same)) one_each.push_back(candidate);
      }
      mine = std::move(one_each);
    }
    const std::vector<Candidate> all = mine;
    mine.resize(std::min(kFinalists, mine.size()));
    if (method.power) {
      // No power is a power, too: a method with one must not end below the same without.
      const auto plain = [](const Candidate& c) { return c.power == 1; };
      const auto best = std::ranges::find_if(all, plain);
      if (best != all.end() && std::ranges::none_of(mine, plain)) mine.push_back(*best);
    }
    return mine;
  }

  const Row& row_;
  const ReadyPlan& ready_;
  CandidateTrials& trials_;
  std::vector<Candidate> screened_;  // in order
};

// About how many trials a row takes.
Index ExpectedTrials(const Row& row, const ReproduceOptions& options) {
  std::size_t poolings = 0;
  for (const std::vector<int>& choices : row.searched) poolings += choices.size();
  const std::size_t all = poolings * row.powers.size() * options.c.size();
  if (options.search == CandidateSearch::kExhaustive) return static_cast<Index>(all);
  const std::size_t powers =
      row.powers.size() > 1 ? row.powers.size() + kFinalists * (kPoolingsPerPower - 1) : 0;
  const std::size_t methods = row.methods.size();
  // Finalists of two methods are often the same; the best of them takes two more C.
  return static_cast<Index>(poolings + powers * methods / 2 + (kFinalists + 2) * methods);
}

std::filesystem::path TrialsFile(const Row& row, const std::filesystem::path& trials_file) {
  return trials_file.parent_path() /
         fmt::format("{}-{}", row.name, trials_file.filename().string());
}

// C of the late fusion of a method, from what its channels chose for themselves.
Trial ChooseFusedC(std::vector<CandidateTrials>& channels, const std::vector<Trial>& chosen,
                   const Truth& held_out) {
  const std::vector<double>& cs = channels.front().cs();
  const auto start = std::ranges::lower_bound(cs, chosen.front().c) - cs.begin();
  const Peak peak = Climb(cs.size(), static_cast<std::size_t>(start), [&](std::size_t i) {
    std::vector<Matrix> scores;
    for (std::size_t r = 0; r < channels.size(); ++r) {
      scores.push_back(channels[r].Scores(chosen[r].candidate, cs[i]));
    }
    return Quality(FuseScores(scores), held_out);
  });
  Trial trial;
  trial.c = cs[peak.index];
  trial.validation = peak.quality;
  return trial;
}

}  // namespace

PairSelection Select(const Plan& plan, const ReadyPlan& ready, std::span<const int> rows,
                     const TrainingVectors& vectors, const Truth& truth,
                     const std::vector<Fold>& folds, const ReproduceOptions& options,
                     const std::filesystem::path& trials_file, const Run& run) {
  const Truth held_out = HeldOutTruth(truth, folds);
  std::vector<CandidateTrials> channels;
  std::vector<std::vector<Trial>> best;  // per row and method
  for (const int r : rows) {
    const Row& row = plan.rows[static_cast<std::size_t>(r)];
    channels.emplace_back(row.name, ExpectedTrials(row, options), ready, vectors, truth, folds,
                          options.c, TrialsFile(row, trials_file), run);
    RowSearch search(row, ready, channels.back());
    best.push_back(options.search == CandidateSearch::kExhaustive ? search.Exhaustive()
                                                                  : search.Screened());
    channels.back().ForgetMatrix();
  }
  PairSelection pair;
  pair.rows.resize(rows.size());
  for (std::size_t m = 0; m < best.front().size(); ++m) {
    std::vector<Trial> chosen;
    for (const std::vector<Trial>& of_row : best) chosen.push_back(of_row[m]);
    // One channel is not fused with anything.
    const Trial fused = rows.size() > 1 ? ChooseFusedC(channels, chosen, held_out) : chosen.front();
    for (std::size_t r = 0; r < rows.size(); ++r) {
      pair.rows[r].methods.push_back({chosen[r], fused.c, fused.validation});
    }
  }
  for (std::size_t r = 0; r < rows.size(); ++r) pair.rows[r].trials = channels[r].trials();
  return pair;
}

void RemoveTrials(const Plan& plan, std::span<const int> rows,
                  const std::filesystem::path& trials_file) {
  for (const int r : rows) {
    std::filesystem::remove(TrialsFile(plan.rows[static_cast<std::size_t>(r)], trials_file));
  }
}

// By names: numbers of codings and choices depend on what else there is in a plan.
Json TrialJson(const ReadyPlan& ready, const Trial& t) {
  const Coding& coding = ready.codings[static_cast<std::size_t>(t.candidate.coding)].coding;
  return Json{{"coding", coding.name},
              {"choice", coding.choices[static_cast<std::size_t>(t.candidate.choice)].name},
              {"power", t.candidate.power},
              {"c", t.c},
              {"validation", t.validation},
              {"screening", t.screening},
              {"converged", t.converged}};
}

Trial TrialFromJson(const ReadyPlan& ready, const Json& j) {
  for (std::size_t c = 0; c < ready.codings.size(); ++c) {
    const Coding& coding = ready.codings[c].coding;
    if (j.at("coding") != coding.name) continue;
    for (std::size_t k = 0; k < coding.choices.size(); ++k) {
      if (j.at("choice") != coding.choices[k].name) continue;
      return {{static_cast<int>(c), static_cast<int>(k), j.at("power")},
              j.at("c"),
              j.at("validation"),
              j.at("screening"),
              j.at("converged")};
    }
  }
  throw FormatError(fmt::format("the selection has a candidate {} {} that is not searched",
                                j.at("coding").get<std::string>(),
                                j.at("choice").get<std::string>()));
}

Json ToJson(const ReadyPlan& ready, const PairSelection& selection) {
  Json rows = Json::array();
  for (const RowSelection& row : selection.rows) {
    Json methods = Json::array(), trials = Json::array();
    for (const Chosen& chosen : row.methods) {
      methods.push_back({{"trial", TrialJson(ready, chosen.trial)},
                         {"fused_c", chosen.fused_c},
                         {"fused_validation", chosen.fused_validation}});
    }
    for (const Trial& trial : row.trials) trials.push_back(TrialJson(ready, trial));
    rows.push_back({{"methods", methods}, {"trials", trials}});
  }
  return rows;
}

PairSelection PairSelectionFromJson(const ReadyPlan& ready, const Json& json) {
  PairSelection selection;
  for (const Json& row : json) {
    RowSelection& r = selection.rows.emplace_back();
    for (const Json& chosen : row.at("methods")) {
      r.methods.push_back({TrialFromJson(ready, chosen.at("trial")), chosen.at("fused_c"),
                           chosen.at("fused_validation")});
    }
    for (const Json& trial : row.at("trials")) r.trials.push_back(TrialFromJson(ready, trial));
  }
  return selection;
}

}  // namespace alcedo::reproduce
