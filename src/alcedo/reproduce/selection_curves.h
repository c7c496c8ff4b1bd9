// What was tried and chosen, as reports show it.
#pragma once

#include "alcedo/report/results.h"
#include "alcedo/reproduce/selection.h"

namespace alcedo {

// The meaning of candidates' numbers.
class ReadyChoices {
 public:
  explicit ReadyChoices(const Plan& plan) : plan_(plan) {}
  const Coding& coding(const Candidate& c) const {
    return plan_.codings[static_cast<std::size_t>(c.coding)];
  }
  const PoolChoice& choice(const Candidate& c) const {
    return coding(c).choices[static_cast<std::size_t>(c.choice)];
  }
  const Plan& plan() const { return plan_; }

 private:
  const Plan& plan_;
};

// The parameters of a row's method (by number) as a cell has them.
Json ChosenJson(const ReadyChoices& choices, const Row& row, const RowSelection& selection,
                std::size_t method, bool fused);

// Validation accuracy along lambda, relative lambda, power, sigma and C, at the best of all other
// parameters.
void AddCurves(const std::string& dataset, const std::string& metric, const ReadyChoices& choices,
               const Row& row, const RowSelection& selection, report::Results& results);

}  // namespace alcedo
