#include "alcedo/reproduce/candidate_trials.h"

#include <algorithm>
#include <numeric>

#include "alcedo/reproduce/climb.h"
#include "alcedo/reproduce/finish.h"
#include "alcedo/reproduce/work_files.h"
#include "alcedo/training/cross_validation.h"

namespace alcedo::reproduce {

CandidateTrials::CandidateTrials(std::string row, Index expected, const ReadyPlan& ready,
                                 const TrainingVectors& vectors, const Truth& truth,
                                 const std::vector<Fold>& folds, std::vector<double> cs,
                                 std::filesystem::path file, const Run& run)
    : row_(std::move(row)),
      expected_(expected),
      ready_(ready),
      vectors_(vectors),
      truth_(truth),
      folds_(folds),
      held_out_(HeldOutTruth(truth, folds)),
      cs_(std::move(cs)),
      file_(std::move(file)),
      run_(run),
      all_rows_(vectors.images().size()),
      screening_(ThinOut(truth, folds, kScreeningImages)) {
  std::iota(all_rows_.begin(), all_rows_.end(), Index{0});
  std::ranges::sort(cs_);
  cs_.erase(std::unique(cs_.begin(), cs_.end()), cs_.end());
  if (!std::filesystem::exists(file_)) return;
  const Json known = ReadJson(file_);
  for (const Json& json : known.at("trials")) {
    trials_.push_back(TrialFromJson(ready_, json));
  }
  resumed_ = trials_.size();
}

void CandidateTrials::Make(const Candidate& candidate, std::span<const Index> rows,
                           Products& products) {
  if (products.candidate == candidate) return;
  const ReadyCoding& coding = ready_.codings[static_cast<std::size_t>(candidate.coding)];
  const Candidate& last = products.candidate;
  if (last.coding != candidate.coding || last.choice != candidate.choice) {
    products.pooled = vectors_.Read(candidate.coding, candidate.choice, rows);
    products.centre = CentreOf(coding, products.pooled);
  }
  products.gram =
      GramMatrix(Finished(coding, products.pooled, candidate.power, products.centre, run_.threads),
                 run_.threads);
  products.candidate = candidate;
  ReportProgress();
}

const Rows& CandidateTrials::Gram(const Candidate& candidate) {
  Make(candidate, all_rows_, of_all_);
  return of_all_.gram;
}

const Rows& CandidateTrials::ScreeningGram(const Candidate& candidate) {
  if (screening_.rows.size() == all_rows_.size()) return Gram(candidate);
  Make(candidate, screening_.rows, of_screening_);
  return of_screening_.gram;
}

void CandidateTrials::ForgetMatrix() { of_all_ = of_screening_ = {}; }

const Trial* CandidateTrials::Find(const Candidate& candidate, bool screening, double c) const {
  const auto found = std::ranges::find_if(trials_, [&](const Trial& trial) {
    return trial.candidate == candidate && trial.screening == screening &&
           (screening || trial.c == c);
  });
  return found != trials_.end() ? &*found : nullptr;
}

void CandidateTrials::ReportProgress() {
  const auto done = static_cast<Index>(trials_.size());
  Progress progress{"selection for " + row_, done, std::max(expected_, done + 1),
                    static_cast<Index>(resumed_), "trials"};
  Report(run_, progress);
}

void CandidateTrials::Remember(const Trial& trial) {
  trials_.push_back(trial);
  Json all = Json::array();
  for (const Trial& t : trials_) all.push_back(TrialJson(ready_, t));
  WriteJson(run_, file_, {{"trials", std::move(all)}});
  ReportProgress();
}

Trial CandidateTrials::Screen(const Candidate& candidate) {
  if (const Trial* known = Find(candidate, true, 0)) return *known;
  const Rows& gram = ScreeningGram(candidate);
  const auto quality = [&](std::size_t i) {
    const auto scores = HeldOutRidgeScores(gram, screening_.truth, screening_.folds, cs_[i],
                                           run_.threads, [&] { ReportProgress(); });
    return scores ? Quality(*scores, screening_.held_out) : -1.0;
  };
  // Never from the C of another candidate alone: the best C of two poolings may be four powers of
  // ten apart, and a climb that begins on the wrong side does not arrive.
  constexpr std::size_t kStride = 3;
  const Peak peak = ClimbFromEvery(kStride, cs_.size(), quality);
  Remember({candidate, cs_[peak.index], std::max(0.0, peak.quality), true, true});
  return trials_.back();
}

Trial CandidateTrials::Try(const Candidate& candidate, double c) {
  if (const Trial* known = Find(candidate, false, c)) return *known;
  SvmOptions svm;
  svm.c = c;
  svm.threads = run_.threads;
  SvmReport report;
  const Matrix scores =
      HeldOutSvmScores(Gram(candidate), truth_, folds_, svm, &report, [&] { ReportProgress(); });
  // Of an exhaustive search there are thousands: those that are asked for are made again.
  if (scores_.size() < kMostScores) scores_.insert_or_assign({candidate, c}, scores.cast<float>());
  Remember({candidate, c, Quality(scores, held_out_), false, report.converged});
  return trials_.back();
}

Trial CandidateTrials::TryLikely(const Candidate& candidate) {
  return Try(candidate, cs_[LikelyC(candidate)]);
}

Trial CandidateTrials::BestC(const Candidate& candidate) {
  const Peak peak = Climb(cs_.size(), LikelyC(candidate),
                          [&](std::size_t i) { return Try(candidate, cs_[i]).validation; });
  return Try(candidate, cs_[peak.index]);
}

// The squared hinge leaves out what is on the right side of its margin: its best C is somewhat
// above that of the regression.
std::size_t CandidateTrials::LikelyC(const Candidate& candidate) {
  const double c = 3 * Screen(candidate).c;
  const auto above = std::ranges::upper_bound(cs_, c * (1 + 1e-9)) - cs_.begin();
  return static_cast<std::size_t>(std::max<std::ptrdiff_t>(above - 1, 0));
}

Matrix CandidateTrials::Scores(const Candidate& candidate, double c) {
  const auto found = scores_.find({candidate, c});
  if (found != scores_.end()) return found->second.cast<double>();
  if (Find(candidate, false, c) == nullptr) {
    Try(candidate, c);
  } else {  // by an earlier run, or no longer kept
    SvmOptions svm;
    svm.c = c;
    svm.threads = run_.threads;
    scores_.insert_or_assign({candidate, c},
                             HeldOutSvmScores(Gram(candidate), truth_, folds_, svm, nullptr, [&] {
                               ReportProgress();
                             }).cast<float>());
  }
  return scores_.at({candidate, c}).cast<double>();
}

}  // namespace alcedo::reproduce
