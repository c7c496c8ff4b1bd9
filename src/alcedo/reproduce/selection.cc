#include "alcedo/reproduce/selection.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

#include "alcedo/base/error.h"
#include "alcedo/base/types.h"
#include "alcedo/classifier/fusion.h"
#include "alcedo/normalization/normalize.h"
#include "alcedo/training/cross_validation.h"

namespace alcedo::reproduce {
namespace {

// A method's best so far.
struct Best {
  Trial trial;
  bool any = false;
  std::vector<Matrix> scores;  // of its candidate, for every C
};

bool Takes(const Row::Method& method, const PoolChoice& choice, double power) {
  return choice.method == method.family && (method.power || power == 1);
}

Index CountCandidates(const Row& row, const ReadyPlan& ready) {
  Index count = 0;
  for (const int coding : row.codings) {
    count += static_cast<Index>(
        ready.codings[static_cast<std::size_t>(coding)].coding.choices.size() * row.powers.size());
  }
  return count;
}

// Judges candidates, and keeps the best of every method of a row.
class RowSearch {
 public:
  RowSearch(const Row& row, const std::vector<double>& cs, const Truth& held_out)
      : best(row.methods.size()), row_(row), cs_(cs), held_out_(held_out) {}

  void Try(const Candidate& candidate, const PoolChoice& choice,
           const std::vector<Matrix>& scores) {
    for (std::size_t i = 0; i < cs_.size(); ++i) {
      const Trial trial{candidate, cs_[i], Quality(scores[i], held_out_)};
      selection.trials.push_back(trial);
      for (std::size_t m = 0; m < best.size(); ++m) {
        Best& b = best[m];
        if (!Takes(row_.methods[m], choice, candidate.power)) continue;
        // Among equals the first: less power, smaller C.
        if (b.any && trial.validation <= b.trial.validation) continue;
        if (!b.any || b.trial.candidate != candidate) b.scores = scores;
        b.trial = trial;
        b.any = true;
      }
    }
  }

  RowSelection selection;
  std::vector<Best> best;  // per method

 private:
  const Row& row_;
  const std::vector<double>& cs_;
  const Truth& held_out_;
};

// C of the late fusion of every method.
void ChooseFusedC(std::vector<RowSearch>& searches, const std::vector<double>& cs,
                  const Truth& held_out) {
  for (std::size_t m = 0; m < searches.front().best.size(); ++m) {
    double fused_c = cs.front(), fused_validation = -1;
    for (std::size_t i = 0; i < cs.size(); ++i) {
      std::vector<Matrix> channels;
      for (const RowSearch& search : searches) channels.push_back(search.best[m].scores[i]);
      const double quality = Quality(FuseScores(channels), held_out);
      if (quality > fused_validation) fused_c = cs[i], fused_validation = quality;
    }
    for (RowSearch& search : searches) {
      search.selection.methods.push_back({search.best[m].trial, fused_c, fused_validation});
    }
  }
}

}  // namespace

Rows Normalized(const ReadyCoding& coding, Rows vectors, double power, int threads) {
  NormalizeRows(vectors, {.power = power, .l2 = true}, {.cells = coding.cells}, threads);
  return vectors;
}

PairSelection Select(const Plan& plan, const ReadyPlan& ready, std::span<const int> rows,
                     const TrainingVectors& vectors, const Truth& truth,
                     const std::vector<Fold>& folds, const ReproduceOptions& options,
                     const Run& run) {
  std::vector<double> cs = options.c;
  std::ranges::sort(cs);
  const Truth held_out = HeldOutTruth(truth, folds);
  SvmOptions svm;
  svm.threads = run.threads;
  Progress progress{"", 0, 0, 0, "candidates"};
  for (const int r : rows) {
    progress.total += CountCandidates(plan.rows[static_cast<std::size_t>(r)], ready);
  }
  std::vector<RowSearch> searches;
  for (const int r : rows) {
    const Row& row = plan.rows[static_cast<std::size_t>(r)];
    progress.stage = "selection for " + row.name;
    RowSearch& search = searches.emplace_back(row, cs, held_out);
    for (const int c : row.codings) {
      const ReadyCoding& coding = ready.codings[static_cast<std::size_t>(c)];
      for (int choice = 0; choice < static_cast<int>(coding.coding.choices.size()); ++choice) {
        const Rows pooled = vectors.Read(c, choice);
        for (const double power : row.powers) {
          const Rows gram = GramMatrix(Normalized(coding, pooled, power, run.threads), run.threads);
          search.Try({c, choice, power}, coding.coding.choices[static_cast<std::size_t>(choice)],
                     HeldOutScores(gram, truth, folds, ForPenalties(cs, svm)));
          ++progress.done;
          Report(run, progress);
        }
      }
    }
  }
  ChooseFusedC(searches, cs, held_out);
  PairSelection pair;
  for (RowSearch& search : searches) pair.rows.push_back(std::move(search.selection));
  return pair;
}

namespace {

// By names: numbers of codings and choices depend on what else there is in a plan.
Json TrialJson(const ReadyPlan& ready, const Trial& t) {
  const Coding& coding = ready.codings[static_cast<std::size_t>(t.candidate.coding)].coding;
  return Json{{"coding", coding.name},
              {"choice", coding.choices[static_cast<std::size_t>(t.candidate.choice)].name},
              {"power", t.candidate.power},
              {"c", t.c},
              {"validation", t.validation}};
}

Trial TrialFromJson(const ReadyPlan& ready, const Json& j) {
  for (std::size_t c = 0; c < ready.codings.size(); ++c) {
    const Coding& coding = ready.codings[c].coding;
    if (j.at("coding") != coding.name) continue;
    for (std::size_t k = 0; k < coding.choices.size(); ++k) {
      if (j.at("choice") != coding.choices[k].name) continue;
      return {
          {static_cast<int>(c), static_cast<int>(k), j.at("power")}, j.at("c"), j.at("validation")};
    }
  }
  throw FormatError(fmt::format("the selection has a candidate {} {} that is not searched",
                                j.at("coding").get<std::string>(),
                                j.at("choice").get<std::string>()));
}

}  // namespace

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

namespace {

// The value of a parameter for a trial, if it has one.
using Parameter = std::function<std::optional<double>(const ReadyChoices&, const Trial&)>;

const std::vector<std::pair<std::string, Parameter>>& Parameters() {
  static const std::vector<std::pair<std::string, Parameter>> parameters{
      {"lambda",
       [](const ReadyChoices& choices, const Trial& t) -> std::optional<double> {
         const PoolChoice& choice = choices.choice(t.candidate);
         const auto* gmp = std::get_if<GmpOptions>(&choice.pooling);
         return gmp != nullptr && !gmp->relative ? std::optional(gmp->lambda) : std::nullopt;
       }},
      {"relative lambda",
       [](const ReadyChoices& choices, const Trial& t) -> std::optional<double> {
         const PoolChoice& choice = choices.choice(t.candidate);
         const auto* gmp = std::get_if<GmpOptions>(&choice.pooling);
         return gmp != nullptr && gmp->relative ? std::optional(gmp->lambda) : std::nullopt;
       }},
      {"power",
       [](const ReadyChoices&, const Trial& t) -> std::optional<double> {
         return t.candidate.power;
       }},
      {"sigma",
       [](const ReadyChoices& choices, const Trial& t) -> std::optional<double> {
         const double sigma = choices.coding(t.candidate).sigma;
         return sigma > 0 ? std::optional(sigma) : std::nullopt;
       }},
      {"c", [](const ReadyChoices&, const Trial& t) -> std::optional<double> { return t.c; }}};
  return parameters;
}

// What a pooling is set to. Most have nothing to set.
void AddParameters(const auto&, Json&) {}
void AddParameters(const GmpOptions& o, Json& json) {
  json[o.relative ? "relative lambda" : "lambda"] = o.lambda;
}
void AddParameters(const DemocraticOptions& o, Json& json) { json["gamma"] = o.gamma; }
void AddParameters(const SoftmaxOptions& o, Json& json) { json["beta"] = o.beta; }

bool Belongs(const ReadyChoices& choices, const Row::Method& method, const Trial& trial) {
  return choices.choice(trial.candidate).method == method.family &&
         (method.power || trial.candidate.power == 1);
}

// Which parameters were chosen at the end of what was searched, where more of it might be better.
// Powers are all that there are.
Json Edges(const ReadyChoices& choices, const Row::Method& method, const RowSelection& selection,
           const Trial& chosen) {
  Json edges = Json::array();
  for (const auto& [name, parameter] : Parameters()) {
    const std::optional<double> mine = parameter(choices, chosen);
    if (!mine || name == "power") continue;
    std::set<double> values;
    for (const Trial& trial : selection.trials) {
      if (!Belongs(choices, method, trial)) continue;
      if (const auto value = parameter(choices, trial)) values.insert(*value);
    }
    if (values.size() > 1 && (*mine == *values.begin() || *mine == *values.rbegin())) {
      edges.push_back(name);
    }
  }
  return edges;
}

}  // namespace

Json ChosenJson(const ReadyChoices& choices, const Row& row, const RowSelection& selection,
                std::size_t method, bool fused) {
  const Chosen& chosen = selection.methods[method];
  Trial used = chosen.trial;
  if (fused) {
    used.c = chosen.fused_c;
    used.validation = chosen.fused_validation;
  }
  const PoolChoice& choice = choices.choice(used.candidate);
  const Coding& coding = choices.coding(used.candidate);
  Json json;
  json["descriptor"] = coding.descriptor.name();
  std::visit([&](const auto& options) { AddParameters(options, json); }, choice.pooling);
  if (coding.sigma > 0) json["sigma"] = coding.sigma;
  json["power"] = used.candidate.power;
  json["c"] = used.c;
  json["validation"] = used.validation;
  json["edge"] = Edges(choices, row.methods[method], selection, used);
  return json;
}

void AddCurves(const std::string& dataset, const std::string& metric, const ReadyChoices& choices,
               const Row& row, const RowSelection& selection, report::Results& results) {
  double sum = 0;
  for (const Trial& trial : selection.trials) {
    if (Belongs(choices, {"sum", "sum", false, ""}, trial)) sum = std::max(sum, trial.validation);
  }
  for (const Row::Method& method : row.methods) {
    for (const auto& [name, parameter] : Parameters()) {
      std::map<double, double> best;
      for (const Trial& trial : selection.trials) {
        if (!Belongs(choices, method, trial)) continue;
        const auto x = parameter(choices, trial);
        if (!x) continue;
        const auto [entry, is_new] = best.emplace(*x, trial.validation);
        if (!is_new) entry->second = std::max(entry->second, trial.validation);
      }
      if (best.size() < 2) continue;
      report::Curve curve{dataset,
                          RepresentationName(row),
                          row.descriptor,
                          method.name,
                          row.words,
                          name,
                          metric,
                          {},
                          {}};
      for (const auto& [x, y] : best) curve.points.push_back({x, y});
      if (method.family != "sum") curve.baseline = sum;
      results.curves.push_back(std::move(curve));
    }
  }
}

}  // namespace alcedo::reproduce
