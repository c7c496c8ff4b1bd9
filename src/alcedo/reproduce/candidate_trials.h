// What held-out images say of the candidates of one row, remembered in memory and in a file.
#pragma once

#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "alcedo/base/run.h"
#include "alcedo/base/types.h"
#include "alcedo/reproduce/screening_images.h"
#include "alcedo/reproduce/selection.h"

namespace alcedo::reproduce {

// Every result depends on the candidate and on C alone: a run that was interrupted ends in the same
// selection.
class CandidateTrials {
 public:
  // All but `cs` and `file` must outlive it. Goes on from `file` if it is there. `expected` is a
  // guess of how many trials there will be, for the progress.
  CandidateTrials(std::string row, Index expected, const ReadyPlan& ready,
                  const TrainingVectors& vectors, const Truth& truth,
                  const std::vector<Fold>& folds, std::vector<double> cs,
                  std::filesystem::path file, const Run& run);

  // By ridge regression, with the C that suits it best, on a part of the images if there are many
  // (screening_images.h).
  Trial Screen(const Candidate& candidate);
  // By SVMs: with this C; with the C that the screening makes likely; uphill from there.
  Trial Try(const Candidate& candidate, double c);
  Trial TryLikely(const Candidate& candidate);
  Trial BestC(const Candidate& candidate);

  // The held-out scores of Try().
  Matrix Scores(const Candidate& candidate, double c);

  // All so far, in order.
  const std::vector<Trial>& trials() const { return trials_; }
  const std::vector<double>& cs() const { return cs_; }  // increasing

  // Gives memory back: the products of the candidates that were looked at last.
  void ForgetMatrix();

 private:
  // Of some images, the vectors and the products of the candidate that was looked at last.
  struct Products {
    Candidate candidate{-1, -1, -1};
    Rows pooled, gram;
    Vector centre;
  };
  // Of all images; of those that are screened on.
  const Rows& Gram(const Candidate& candidate);
  const Rows& ScreeningGram(const Candidate& candidate);
  void Make(const Candidate& candidate, std::span<const Index> rows, Products& products);
  // What is known, or nullptr.
  const Trial* Find(const Candidate& candidate, bool screening, double c) const;
  void Remember(const Trial& trial);
  std::size_t LikelyC(const Candidate& candidate);  // its place in cs_
  void ReportProgress();

  std::string row_;
  Index expected_;
  const ReadyPlan& ready_;
  const TrainingVectors& vectors_;
  const Truth& truth_;
  const std::vector<Fold>& folds_;
  Truth held_out_;
  std::vector<double> cs_;
  std::filesystem::path file_;
  const Run& run_;
  std::vector<Trial> trials_;
  std::size_t resumed_ = 0;                       // of trials_, by an earlier run
  static constexpr std::size_t kMostScores = 64;  // more than a screened search looks at again
  std::map<std::pair<Candidate, double>, Rows> scores_;
  std::vector<Index> all_rows_;
  ScreeningImages screening_;
  Products of_all_, of_screening_;
};

}  // namespace alcedo::reproduce
