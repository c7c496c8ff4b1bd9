#include "alcedo/experiment/findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "alcedo/experiment/report_text.h"
#include "alcedo/experiment/table_layout.h"

namespace alcedo::internal {
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

std::string Plural(std::size_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
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

// What GMP gains over a baseline in the paper's tables, in ours and in the same cells of the paper:
// with late fusion, or, where there is one descriptor only, with that.
std::string GainClause(const Results& results, std::string_view baseline, std::string_view name) {
  double ours = 0;
  double paper = 0;
  std::size_t count = 0;
  bool all_printed = true;
  const bool fused = HasFusion(results);
  for (const Pair& pair : Pairs(results, "gmp", baseline)) {
    if (pair.method->table == "beyond") continue;
    if (fused && pair.method->descriptor != "fusion") continue;
    ++count;
    ours += pair.method->value - pair.baseline->value;
    all_printed &= pair.method->paper && pair.baseline->paper;
    if (all_printed) paper += *pair.method->paper - *pair.baseline->paper;
  }
  if (count == 0) return "";
  const auto n = static_cast<double>(count);
  std::string clause = fmt::format("{} {}", AboveOrBelow(ours / n), name);
  if (count > 1) clause += fmt::format(" (mean of {})", count);
  if (all_printed) clause += fmt::format(", in the paper {}", Signed(paper / n));
  return clause;
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

// Says who wins, by how much, and what of it is significant.
std::string AgainstGmp(const Results& results, std::string_view method, std::string_view gmp) {
  const std::vector<Pair> pairs = Pairs(results, method, gmp);
  if (pairs.empty()) return "";
  std::size_t wins = 0;
  std::size_t losses = 0;
  double sum = 0;
  for (const Pair& pair : pairs) {
    const double difference = pair.method->value - pair.baseline->value;
    sum += difference;
    wins += difference > 0;
    losses += difference < 0;
  }
  std::size_t tested = 0;
  std::size_t for_method = 0;
  std::size_t for_gmp = 0;
  for (const Comparison& comparison : results.comparisons) {
    const bool forward = comparison.method == method && comparison.baseline == gmp;
    const bool backward = comparison.method == gmp && comparison.baseline == method;
    if (!forward && !backward) continue;
    ++tested;
    if (!(comparison.p < 0.05)) continue;
    ((comparison.difference > 0) == forward ? for_method : for_gmp) += 1;
  }
  std::string text =
      fmt::format("{} against {}: ahead in {} of {} and behind in {}, {} points on average",
                  MethodName(method), MethodName(gmp), wins, Plural(pairs.size(), "cell", "cells"),
                  losses, Signed(sum / static_cast<double>(pairs.size())));
  if (tested > 0) {
    text += fmt::format("; of {} it is significantly (p < 0.05) ahead in {} and behind in {}",
                        Plural(tested, "comparison", "comparisons"), for_method, for_gmp);
  }
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
    sentences.push_back(fmt::format("{}GMP is {}{}{}.",
                                    HasFusion(results) ? "With late fusion, " : "", sum,
                                    !sum.empty() && !power.empty() ? "; it is " : "", power));
  }
  return sentences;
}

std::vector<std::string> BeyondSentences(const Results& results) {
  constexpr std::array<std::array<std::string_view, 2>, 4> kPairs = {{
      {"democratic", "gmp"},
      {"democratic+p", "gmp+p"},
      {"gamma-democratic", "gmp"},
      {"gamma-democratic+p", "gmp+p"},
  }};
  std::vector<std::string> sentences;
  for (const auto& [method, gmp] : kPairs) {
    std::string sentence = AgainstGmp(results, method, gmp);
    if (sentence.empty()) continue;
    if (sentence[0] == 'd') sentence[0] = 'D';
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

}  // namespace alcedo::internal
