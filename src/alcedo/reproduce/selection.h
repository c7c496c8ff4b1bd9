// Choosing lambda, power, sigma and C on the validation split (or by cross-validation), the same
// search for every method: a gain over a weak baseline is not a result.
#pragma once

#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "alcedo/base/types.h"
#include "alcedo/report/results.h"
#include "alcedo/reproduce/plan.h"
#include "alcedo/reproduce/training_vectors.h"
#include "alcedo/training/training_set.h"

namespace alcedo::reproduce {

// A vector of every image, normalised.
struct Candidate {
  int coding = 0;
  int choice = 0;
  double power = 1;

  friend auto operator<=>(const Candidate&, const Candidate&) = default;
};

// What one candidate reached with one C.
struct Trial {
  Candidate candidate;
  double c = 1;
  double validation = 0;   // percent
  bool screening = false;  // by ridge regression; else by SVMs
  bool converged = true;   // all SVMs
};

// What a method uses.
struct Chosen {
  Trial trial;
  double fused_c = 1;           // of both channels where they are fused
  double fused_validation = 0;  // of the fusion
};

struct RowSelection {
  std::vector<Chosen> methods;  // of the row, in its order
  std::vector<Trial> trials;    // all that were tried, in order
  std::vector<Trial> pilot;     // all that were tried on a part of the images before (pilot.h)
};

// Both channels of a table's row: SIFT and colour.
struct PairSelection {
  std::vector<RowSelection> rows;
};

// options.search says how: "screened" ranks candidates by ridge regression (HeldOutRidgeScores) and
// lets SVMs decide between the best of every method; "exhaustive" trains SVMs of every candidate
// with every C. For late fusion each channel keeps what it chose for itself and only C, which must
// be the same for scores to be of the same scale, is chosen again.
//
// What was tried is kept in files beside `trials_file` (its name with that of a row before it), so
// that a run that was killed resumes after the last candidate. RemoveTrials() removes them, when
// the selection itself is on the disk.
PairSelection Select(const Plan& plan, const ReadyPlan& ready, std::span<const int> rows,
                     const TrainingVectors& vectors, const Truth& truth,
                     const std::vector<Fold>& folds, const ReproduceOptions& options,
                     const std::filesystem::path& trials_file, const Run& run);

void RemoveTrials(const Plan& plan, std::span<const int> rows,
                  const std::filesystem::path& trials_file);

// For files, to go on from.
Json TrialJson(const ReadyPlan& ready, const Trial& trial);
Trial TrialFromJson(const ReadyPlan& ready, const Json& json);
Json ToJson(const ReadyPlan& ready, const PairSelection& selection);
PairSelection PairSelectionFromJson(const ReadyPlan& ready, const Json& json);

// What was tried and chosen, as reports show it: the meaning of candidates' numbers.
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

}  // namespace alcedo::reproduce
