#include "alcedo/report/decisions.h"

#include <algorithm>
#include <map>

#include "alcedo/evaluation/holm.h"

namespace alcedo::report {
namespace {

// Whether nothing speaks for another sign than `sign`, 1 or -1.
bool AllSay(const Comparison& c, double sign) {
  const bool interval = sign > 0 ? c.low > 0 : c.high < 0;
  return interval && sign * c.difference > 0 &&
         std::ranges::all_of(c.differences, [&](double one) { return sign * one > 0; });
}

}  // namespace

void Decide(Results& results) {
  std::map<std::string, std::vector<Comparison*>> of_datasets;
  for (Comparison& c : results.comparisons) of_datasets[c.dataset].push_back(&c);
  for (const auto& [dataset, comparisons] : of_datasets) {
    std::vector<double> p;
    for (const Comparison* c : comparisons) p.push_back(c->p >= 0 && c->p <= 1 ? c->p : 1);
    const std::vector<double> corrected = HolmCorrected(p);
    for (std::size_t i = 0; i < comparisons.size(); ++i) {
      Comparison& c = *comparisons[i];
      c.corrected_p = corrected[i];
      c.verdict = Verdict::kUndecided;
      if (!(c.corrected_p < 0.05)) continue;
      if (AllSay(c, 1)) c.verdict = Verdict::kAhead;
      if (AllSay(c, -1)) c.verdict = Verdict::kBehind;
    }
  }
}

}  // namespace alcedo::report
