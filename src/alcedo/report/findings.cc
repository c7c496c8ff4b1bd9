#include "alcedo/report/findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "alcedo/report/methods.h"
#include "alcedo/report/paper_tables.h"
#include "alcedo/report/report_text.h"
#include "alcedo/report/table_layout.h"

namespace alcedo::report {
namespace {

struct Pair {
  const Cell* method;
  const Cell* baseline;
};

// Whether two cells differ in nothing but their method. Pyramids are another representation; the
// other tables are not, since "beyond" holds other methods for the same encodings.
bool Comparable(const Cell& a, const Cell& b) {
  return a.dataset == b.dataset && a.encoder == b.encoder && a.gaussians == b.gaussians &&
         a.descriptor == b.descriptor && a.metric == b.metric &&
         (a.table == "pyramid") == (b.table == "pyramid");
}

std::vector<Pair> Pairs(const Results& results, std::string_view method,
                        std::string_view baseline) {
  std::vector<Pair> pairs;
  for (const Cell& a : results.cells) {
    if (a.method != method || !std::isfinite(a.value)) continue;
    for (const Cell& b : results.cells) {
      if (b.method == baseline && std::isfinite(b.value) && Comparable(a, b)) {
        pairs.push_back({&a, &b});
        break;
      }
    }
  }
  return pairs;
}

// "1.3 points above", "level with".
std::string AboveOrBelow(double difference) {
  const std::string size = Percent(std::abs(difference));
  if (size == "0.0") return "level with";
  return fmt::format("{} points {}", size, difference > 0 ? "above" : "below");
}

bool HasFusion(const Results& results) {
  return std::ranges::any_of(results.cells,
                             [](const Cell& cell) { return cell.descriptor == "fusion"; });
}

// The test of two cells; null if there is none.
const Comparison* TestOf(const Results& results, const Pair& pair) {
  const Cell& a = *pair.method;
  for (const Comparison& c : results.comparisons) {
    const std::string encoder = a.encoder + (a.table == "pyramid" ? "-pyramid" : "");
    if (c.dataset == a.dataset && c.encoder == encoder && c.gaussians == a.gaussians &&
        c.descriptor == a.descriptor && c.metric == a.metric && c.method == a.method &&
        c.baseline == pair.baseline->method) {
      return &c;
    }
  }
  return nullptr;
}

// What GMP gains over a baseline: ours, and in the same cells of the paper.
struct Gain {
  double ours = 0, paper = 0;  // means
  std::size_t cells = 0;
  bool all_printed = true;  // by the paper
  std::size_t tested = 0, above = 0, below = 0;
  const Comparison* last = nullptr;
};

// In the paper's tables, with late fusion, or with the only descriptor.
Gain GainOver(const Results& results, std::string_view baseline) {
  Gain gain;
  const bool fused = HasFusion(results);
  for (const Pair& pair : Pairs(results, "gmp", baseline)) {
    if (pair.method->table == "beyond") continue;
    if (fused && pair.method->descriptor != "fusion") continue;
    ++gain.cells;
    gain.ours += pair.method->value - pair.baseline->value;
    gain.all_printed &= pair.method->paper && pair.baseline->paper;
    if (gain.all_printed) gain.paper += *pair.method->paper - *pair.baseline->paper;
    if (const Comparison* test = TestOf(results, pair)) {
      gain.last = test;
      ++gain.tested;
      gain.above += test->verdict == Verdict::kAhead;
      gain.below += test->verdict == Verdict::kBehind;
    }
  }
  gain.ours /= static_cast<double>(std::max<std::size_t>(1, gain.cells));
  gain.paper /= static_cast<double>(std::max<std::size_t>(1, gain.cells));
  return gain;
}

// "95% interval −25.2 to +9.9, p = 0.55", or of several tests how many are decided.
std::string TestClause(const Gain& gain) {
  if (gain.tested == 0) return "not tested";
  if (gain.tested == 1) {
    const Comparison& test = *gain.last;
    return fmt::format("95% interval {} to {}, {}", Signed(test.low), Signed(test.high),
                       PText(test));
  }
  const std::size_t undecided = gain.tested - gain.above - gain.below;
  if (undecided == gain.tested) return fmt::format("none of {} decided", gain.tested);
  std::vector<std::string> parts;
  if (gain.above > 0) parts.push_back(fmt::format("above in {}", gain.above));
  if (gain.below > 0) parts.push_back(fmt::format("below in {}", gain.below));
  if (undecided > 0) parts.push_back(fmt::format("undecided in {}", undecided));
  return fmt::format("{} of {}", fmt::join(parts, ", "), gain.tested);
}

// "GMP is 5.0 points above sum pooling (95% interval +3.9 to +6.1, p < 0.001), in the paper +5.0".
std::string GainClause(const Results& results, std::string_view baseline, std::string_view name) {
  const Gain gain = GainOver(results, baseline);
  if (gain.cells == 0) return "";
  std::string details = gain.cells > 1 ? fmt::format("mean of {}, ", gain.cells) : "";
  details += TestClause(gain);
  const bool open = gain.tested > 0 && gain.above + gain.below == 0;
  std::string clause =
      open ? fmt::format("GMP against {} is undecided: {} points ({})", name, Signed(gain.ours),
                         details)
           : fmt::format("GMP is {} {} ({})", AboveOrBelow(gain.ours), name, details);
  if (gain.all_printed) clause += fmt::format(", in the paper {}", Signed(gain.paper));
  return clause;
}

// "On 23 test images", of several datasets "On 9,848 test images of 2 datasets".
std::string TestImages(const Results& results) {
  std::int64_t images = 0;
  for (const DatasetSummary& dataset : results.datasets) images += dataset.test;
  if (images == 0) return "";
  return fmt::format(
      "On {} test {}{}", Thousands(images), images == 1 ? "image" : "images",
      results.datasets.size() > 1 ? fmt::format(" of {} datasets", results.datasets.size()) : "");
}

std::string ReachedSentence(const Results& results) {
  std::size_t printed = 0;
  std::size_t reached = 0;
  std::size_t within = 0;
  for (const Cell& cell : results.cells) {
    if (!cell.paper || !std::isfinite(*cell.paper)) continue;
    ++printed;
    if (Reaches(cell)) {
      ++reached;
    } else if (*cell.paper <= cell.high) {
      ++within;
    }
  }
  if (printed == 0) return "";
  std::string text = fmt::format("{} of the paper's {} {} reached or beaten", reached,
                                 Plural(printed, "number", "numbers"), reached == 1 ? "is" : "are");
  const std::size_t rest = printed - reached;
  if (rest > 0 && within == rest) {
    text += fmt::format("; the other {} within our 95% interval",
                        rest == 1 ? "one lies" : fmt::format("{} lie", rest));
  } else if (rest > 0) {
    text += fmt::format("; of the other {}, {} within our 95% interval", rest,
                        within == 1 ? "1 lies" : fmt::format("{} lie", within));
  }
  return text + ".";
}

// By how much, and what of it is decided.
std::string AgainstGmp(const Results& results, std::string_view method, std::string_view gmp) {
  const std::vector<Pair> pairs = Pairs(results, method, gmp);
  if (pairs.empty()) return "";
  double sum = 0;
  for (const Pair& pair : pairs) sum += pair.method->value - pair.baseline->value;
  std::size_t tested = 0;
  std::size_t ahead = 0;
  std::size_t behind = 0;
  for (const Comparison& comparison : results.comparisons) {
    const bool forward = comparison.method == method && comparison.baseline == gmp;
    const bool backward = comparison.method == gmp && comparison.baseline == method;
    if (!forward && !backward) continue;
    ++tested;
    if (comparison.verdict == Verdict::kUndecided) continue;
    ((comparison.verdict == Verdict::kAhead) == forward ? ahead : behind) += 1;
  }
  std::string text = fmt::format("{} against {}: {} points on average of {}", MethodName(method),
                                 MethodName(gmp), Signed(sum / static_cast<double>(pairs.size())),
                                 Plural(pairs.size(), "cell", "cells"));
  text += tested == 0 ? "; not tested"
                      : fmt::format("; of {} it is ahead in {}, behind in {}, and {} undecided",
                                    Plural(tested, "comparison", "comparisons"), ahead, behind,
                                    tested - ahead - behind == 1
                                        ? "1 is"
                                        : fmt::format("{} are", tested - ahead - behind));
  return text + ".";
}

}  // namespace

std::vector<std::string> SummarySentences(const Results& results) {
  std::vector<std::string> sentences;
  const std::string reached = ReachedSentence(results);
  if (!reached.empty()) sentences.push_back(reached);
  const std::string sum = GainClause(results, "sum", "sum pooling");
  const std::string power = GainClause(results, "sum+p", "sum pooling with power normalisation");
  if (!sum.empty() || !power.empty()) {
    std::string where = TestImages(results);
    if (HasFusion(results)) where += where.empty() ? "With late fusion" : ", with late fusion";
    if (!where.empty()) where += ", ";
    sentences.push_back(
        fmt::format("{}{}{}{}.", where, sum, !sum.empty() && !power.empty() ? "; " : "", power));
  }
  return sentences;
}

std::vector<std::string> BeyondSentences(const Results& results) {
  std::vector<std::string> sentences;
  for (const std::string& method : Methods()) {
    const bool in_paper = std::ranges::any_of(
        PaperCells(), [&](const PaperCell& cell) { return cell.method == method; });
    if (in_paper) continue;
    std::string sentence = AgainstGmp(results, method, method.ends_with("+p") ? "gmp+p" : "gmp");
    if (sentence.empty()) continue;
    if (sentence[0] >= 'a' && sentence[0] <= 'z') sentence[0] += 'A' - 'a';
    sentences.push_back(sentence);
  }
  return sentences;
}

std::string StatusSentence(const Results& results) {
  std::string text;
  if (!results.complete) text += "This report is not complete: some cells are still missing.";
  if (results.lite) {
    text += text.empty() ? "" : " ";
    text += "A lite run: cut down to be quick, not to be compared with the paper.";
  }
  return text;
}

}  // namespace alcedo::report
