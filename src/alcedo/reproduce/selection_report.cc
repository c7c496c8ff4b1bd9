// What was tried and chosen, as reports show it.
#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <variant>

#include "alcedo/base/types.h"
#include "alcedo/projection/pca.h"
#include "alcedo/reproduce/selection.h"

namespace alcedo::reproduce {
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
      {"gamma",
       [](const ReadyChoices& choices, const Trial& t) -> std::optional<double> {
         const auto* democratic =
             std::get_if<DemocraticOptions>(&choices.choice(t.candidate).pooling);
         return democratic != nullptr && democratic->gamma > 0 ? std::optional(democratic->gamma)
                                                               : std::nullopt;
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

// Those that show most of a parameter. If there was a pilot, it chose sigma, and about which
// lambda.
const std::vector<Trial>& TrialsOf(const std::string& parameter, const RowSelection& selection) {
  const bool piloted = parameter == "sigma" || parameter == "lambda";
  return piloted && !selection.pilot.empty() ? selection.pilot : selection.trials;
}

// About the mean squared norm of an image's encodings, by which lambdas that are relative to it
// compare with absolute ones: that of Fisher Vectors is about half of their dimension.
std::optional<double> TypicalSquaredNorm(const Coding& coding) {
  if (!coding.encoder.Is<FisherOptions>()) return std::nullopt;
  return coding.words * static_cast<double>(PcaOptions{}.dimensions);
}

// On the axis that has the ends of what was searched: that of the parameter, but of both kinds of
// lambda together if they compare, since 1e5 is not the end if there are larger relative ones.
std::optional<double> OnAxis(const std::string& name, const Parameter& parameter,
                             const ReadyChoices& choices, const Trial& trial) {
  const auto value = parameter(choices, trial);
  if (!name.ends_with("lambda")) return value;
  const auto norm = TypicalSquaredNorm(choices.coding(trial.candidate));
  const auto* gmp = std::get_if<GmpOptions>(&choices.choice(trial.candidate).pooling);
  if (!norm || gmp == nullptr) return value;
  return gmp->relative ? gmp->lambda * *norm : gmp->lambda;
}

// Which parameters were chosen at the end of what was searched, where more of it might be better.
// Powers are all that there are.
Json Edges(const ReadyChoices& choices, const Row::Method& method, const RowSelection& selection,
           const Trial& chosen) {
  Json edges = Json::array();
  for (const auto& [name, parameter] : Parameters()) {
    if (!parameter(choices, chosen) || name == "power") continue;
    const double mine = *OnAxis(name, parameter, choices, chosen);
    std::set<double> values;
    std::set<double> of_all_images;
    // Also what a pilot has tried and left: it was worse there.
    for (const std::vector<Trial>* trials : {&selection.trials, &selection.pilot}) {
      for (const Trial& trial : *trials) {
        if (!Belongs(choices, method, trial)) continue;
        // A C that only the screening tried is not one that could have been chosen.
        if (trial.screening && name == "c") continue;
        const auto x = OnAxis(name, parameter, choices, trial);
        if (!x) continue;
        values.insert(*x);
        if (trials == &selection.trials) of_all_images.insert(*x);
      }
    }
    const auto ends = [&](const std::set<double>& searched) {
      return searched.size() > 1 && (mine == *searched.begin() || mine == *searched.rbegin());
    };
    // A pilot leaves the lambdas next to the best: all images may want one beyond them.
    if (ends(values) || (!selection.pilot.empty() && name == "lambda" && ends(of_all_images))) {
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
  json["converged"] = used.converged;
  json["edge"] = Edges(choices, row.methods[method], selection, used);
  return json;
}

void AddCurves(const std::string& dataset, const std::string& metric, const ReadyChoices& choices,
               const Row& row, const RowSelection& selection, report::Results& results) {
  // SVMs decide between few candidates only. A curve has one kind of trials, or its ups and downs
  // would be those of the classifier: of C the SVMs', of the rest the screening's if there was one.
  const bool screened = std::ranges::any_of(selection.trials, &Trial::screening);
  double sum = 0, screened_sum = 0;
  for (const Trial& trial : selection.trials) {
    if (!Belongs(choices, {"sum", "sum", false, ""}, trial)) continue;
    double& best = trial.screening ? screened_sum : sum;
    best = std::max(best, trial.validation);
  }
  for (const Row::Method& method : row.methods) {
    for (const auto& [name, parameter] : Parameters()) {
      std::map<double, double> best;
      const std::vector<Trial>& trials = TrialsOf(name, selection);
      const bool by_pilot = &trials == &selection.pilot;
      const bool by_screening = (screened && name != "c") || by_pilot;
      for (const Trial& trial : trials) {
        if (trial.screening != by_screening || !Belongs(choices, method, trial)) continue;
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
      if (method.family != "sum" && !by_pilot) curve.baseline = by_screening ? screened_sum : sum;
      results.curves.push_back(std::move(curve));
    }
  }
}

}  // namespace alcedo::reproduce
