#include "alcedo/report/report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "alcedo/report/findings.h"
#include "alcedo/report/methods.h"
#include "alcedo/report/paper_tables.h"
#include "alcedo/report/report_lists.h"
#include "alcedo/report/report_text.h"
#include "alcedo/report/table_layout.h"

namespace alcedo::report {
namespace {

constexpr std::size_t kMaxWidth = 100;

struct TextCell {
  std::string text;
  bool best = false;
};

std::string Left(const std::string& text, std::size_t width) {
  return text + std::string(width - std::min(width, Width(text)), ' ');
}

std::string Right(const std::string& text, std::size_t width) {
  return std::string(width - std::min(width, Width(text)), ' ') + text;
}

// "84.6 / 85.1 ±0.9* ": as wide in every row, so that numbers stand below each other.
TextCell TerminalCell(const TableLayout& table, const TableRow& row, const Cell* cell) {
  if (cell == nullptr) return {};
  std::string text;
  if (table.has_paper) {
    text = Right(cell->paper ? Percent(*cell->paper) : std::string(kNoNumber), 4) + " / ";
  }
  text += Right(Percent(cell->value), 4);
  text += cell->unconverged.empty() ? " " : kUnconvergedMark;
  text += Left(IntervalText(*cell), 4);
  const bool best = IsBest(row, *cell);
  text += best ? '*' : ' ';
  if (table.has_paper) text += FallsShort(*cell) ? '<' : ' ';
  return {text, best};
}

// Columns [first, last) of a table.
std::string Block(const TableLayout& table, const std::vector<std::vector<TextCell>>& cells,
                  const std::vector<std::size_t>& widths, std::size_t label_width,
                  std::size_t first, std::size_t last, bool bold) {
  std::string out = "  " + std::string(label_width, ' ');
  for (std::size_t m = first; m < last; ++m) {
    out += "  " + Left(CleanText(MethodName(table.methods[m])), widths[m]);
  }
  const auto end_line = [&out] {
    out.erase(out.find_last_not_of(' ') + 1);
    out += '\n';
  };
  end_line();
  std::string group;
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    const TableRow& row = table.rows[r];
    if (std::all_of(row.cells.begin() + static_cast<std::ptrdiff_t>(first),
                    row.cells.begin() + static_cast<std::ptrdiff_t>(last),
                    [](const Cell* cell) { return cell == nullptr; })) {
      continue;
    }
    if (row.group != group) out += "  " + CleanText(row.group) + "\n";
    group = row.group;
    const std::string indent = row.group.empty() ? "" : "  ";
    out += "  " + Left(indent + CleanText(row.label), label_width);
    for (std::size_t m = first; m < last; ++m) {
      const TextCell& cell = cells[r][m];
      const std::string text = Left(cell.text, widths[m]);
      out += bold && cell.best ? "  \x1b[1m" + text + "\x1b[0m" : "  " + text;
    }
    end_line();
  }
  return out;
}

std::string TableText(const TableLayout& table, bool bold) {
  std::size_t label_width = 0;
  std::vector<std::size_t> widths;
  for (const std::string& method : table.methods) {
    widths.push_back(Width(CleanText(MethodName(method))));
  }
  std::vector<std::vector<TextCell>> cells;
  for (const TableRow& row : table.rows) {
    label_width =
        std::max(label_width, Width(CleanText(row.label)) + (row.group.empty() ? 0u : 2u));
    std::vector<TextCell>& line = cells.emplace_back();
    for (std::size_t m = 0; m < widths.size(); ++m) {
      line.push_back(TerminalCell(table, row, row.cells[m]));
      widths[m] = std::max(widths[m], Width(line.back().text));
    }
  }
  std::string out;
  for (std::size_t first = 0; first < widths.size();) {
    std::size_t width = 2 + label_width;
    std::size_t last = first;
    while (last < widths.size() && (last == first || width + 2 + widths[last] <= kMaxWidth)) {
      width += 2 + widths[last++];
    }
    out += Block(table, cells, widths, label_width, first, last, bold);
    first = last;
  }
  return out;
}

std::string ComparisonLine(const Results& results, const Comparison& c) {
  return CleanText(fmt::format(
      "  {}, {}, {}: {} against {} {} points [{}, {}], {}{}", TitleOf(results, c.dataset),
      EncoderName(c.encoder, c.gaussians), DescriptorName(c.descriptor), MethodName(c.method),
      MethodName(c.baseline), Signed(c.difference), Signed(c.low), Signed(c.high), PText(c),
      c.verdict == Verdict::kUndecided ? ", undecided" : ""));
}

std::string CheckLine(const Results& results, const CheckResult& check) {
  return CleanText(fmt::format(
      "  {}: {} ({}; deviation {}, tolerance {}, {} {})", check.holds ? "holds" : "FAILS",
      check.what, TitleOf(results, check.dataset), Short(check.deviation), Short(check.tolerance),
      Thousands(check.images), check.images == 1 ? "image" : "images"));
}

}  // namespace

std::string TextReport(const Results& results, bool bold) {
  std::string out;
  bool has_paper = false;
  for (const TableLayout& table : LayOutTables(results)) {
    out += CleanText(fmt::format("{}. {} ({})", TableTitle(table.table),
                                 TitleOf(results, table.dataset), MetricName(table.metric))) +
           "\n" + TableText(table, bold) + "\n";
    has_paper |= table.has_paper;
  }
  if (!results.cells.empty()) {
    out += fmt::format("{}{}; * best of its row{}\n\n", has_paper ? "paper / ours; " : "",
                       IntervalNote(results), has_paper ? "; < below the paper" : "");
  }
  const auto lines = [&out](const std::vector<std::string>& sentences) {
    for (const std::string& sentence : sentences) out += CleanText(sentence) + "\n";
    if (!sentences.empty()) out += '\n';
  };
  lines(SummarySentences(results));
  lines(BeyondSentences(results));
  const List unconverged = UnconvergedList(results);
  if (!unconverged.rows.empty()) {
    out += unconverged.note + "\n";
    for (const std::vector<std::string>& row : unconverged.rows) {
      out += CleanText(fmt::format("  {}", fmt::join(row, ", "))) + "\n";
    }
    out += '\n';
  }
  if (!results.comparisons.empty()) {
    out += "Comparisons on the same test images\n";
    for (const Comparison& c : results.comparisons) out += ComparisonLine(results, c) + "\n";
    out += ComparisonsNote(results) + "\n";
    out += '\n';
  }
  if (!results.checks.empty()) {
    out += "Checks\n";
    for (const CheckResult& check : results.checks) out += CheckLine(results, check) + "\n";
    out += '\n';
  }
  const std::string status = StatusSentence(results);
  if (!status.empty()) out += status + "\n";
  while (out.ends_with("\n\n")) out.pop_back();
  return out;
}

}  // namespace alcedo::report
