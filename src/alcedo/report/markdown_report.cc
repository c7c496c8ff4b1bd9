#include "alcedo/report/report.h"

#include <fmt/format.h>

#include <algorithm>

#include "alcedo/report/findings.h"
#include "alcedo/report/methods.h"
#include "alcedo/report/paper_tables.h"
#include "alcedo/report/report_lists.h"
#include "alcedo/report/report_text.h"
#include "alcedo/report/table_layout.h"

namespace alcedo::report {
namespace {

void AppendRow(std::string& out, const std::vector<std::string>& fields) {
  out += '|';
  for (const std::string& field : fields) out += fmt::format(" {} |", field);
  out += '\n';
}

// "**85.1** ±0.9 / 82.8 (84.6)": ours by the table's metric, whose interval it is, and by others,
// then the paper's.
std::string MarkdownCell(const TableLayout& table, const TableRow& row, const Cell* cell) {
  if (cell == nullptr) return "";
  std::string text = ValueText(*cell);
  if (IsBest(row, *cell)) text = "**" + text + "**";
  const std::string half = IntervalText(*cell);
  if (!half.empty()) text += " " + half;
  for (const auto& [name, value] : cell->other) text += " / " + Percent(value);
  if (table.has_paper && cell->paper) {
    text += fmt::format(" ({}{})", Percent(*cell->paper), FallsShort(*cell) ? " ↓" : "");
  }
  return text;
}

// The metrics of a table's cells in the order in which MarkdownCell prints them.
std::string MetricsText(const Results& results, const TableLayout& table) {
  std::string text = MetricName(table.metric) + ", " + IntervalNote(results);
  for (const TableRow& row : table.rows) {
    for (const Cell* cell : row.cells) {
      if (cell == nullptr || cell->other.empty()) continue;
      for (const auto& [name, value] : cell->other) text += " / " + MetricName(name);
      return text;
    }
  }
  return text;
}

std::string TableText(const Results& results, const TableLayout& table) {
  std::string out =
      fmt::format("{}: {}{}.\n\n", MarkdownEscape(TitleOf(results, table.dataset)),
                  MarkdownEscape(MetricsText(results, table)),
                  table.has_paper ? "; the paper in brackets, ↓ if ours is below it" : "");
  std::vector<std::string> header = {""};
  std::vector<std::string> rule = {"---"};
  for (const std::string& method : table.methods) {
    header.push_back(MarkdownEscape(MethodName(method)));
    rule.push_back("---:");
  }
  AppendRow(out, header);
  AppendRow(out, rule);
  for (const TableRow& row : table.rows) {
    std::vector<std::string> fields = {
        MarkdownEscape(row.group.empty() ? row.label : row.group + ", " + row.label)};
    for (const Cell* cell : row.cells) fields.push_back(MarkdownCell(table, row, cell));
    AppendRow(out, fields);
  }
  return out + "\n";
}

std::string ListText(const List& list) {
  if (list.rows.empty()) return "";
  std::string out = fmt::format("## {}\n", list.title);
  out += list.note.empty() ? "\n" : MarkdownEscape(list.note) + "\n\n";
  std::vector<std::string> header;
  std::vector<std::string> rule;
  for (const List::Column& column : list.columns) {
    header.push_back(MarkdownEscape(column.name));
    rule.push_back(column.kind == List::Column::kNumber ? "---:" : "---");
  }
  AppendRow(out, header);
  AppendRow(out, rule);
  for (const auto& row : list.rows) {
    std::vector<std::string> fields;
    for (const std::string& field : row) fields.push_back(MarkdownEscape(field));
    AppendRow(out, fields);
  }
  return out + "\n";
}

std::string Sentences(const std::vector<std::string>& sentences) {
  std::string out;
  for (const std::string& sentence : sentences) {
    out += (sentences.size() > 2 ? "- " : "") + MarkdownEscape(sentence) + "\n";
  }
  return out.empty() ? out : out + "\n";
}

std::string Tables(const Results& results) {
  std::string out;
  std::string last;
  for (const TableLayout& table : LayOutTables(results)) {
    if (out.empty() || table.table != last) {
      out += fmt::format("## {}\n", MarkdownEscape(TableTitle(table.table)));
      if (table.table == "beyond") out += Sentences(BeyondSentences(results));
    }
    last = table.table;
    out += TableText(results, table);
  }
  return out;
}

// A block of code, fenced by more backticks than it holds in a row.
std::string Code(const std::string& text) {
  std::size_t longest = 0;
  for (std::size_t i = 0, run = 0; i < text.size(); ++i) {
    run = text[i] == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string fence(std::max<std::size_t>(3, longest + 1), '`');
  return fmt::format("{}json\n{}\n{}\n", fence, text, fence);
}

}  // namespace

std::string MarkdownReport(const Results& results) {
  std::string out = "# Results\n";
  out += Sentences(SummarySentences(results));
  const std::string status = StatusSentence(results);
  if (!status.empty()) out += status + "\n\n";
  out += Tables(results);
  for (const List& list :
       {UnconvergedList(results), ChosenList(results), ComparisonsList(results),
        ChecksList(results), TimingsList(results), DatasetsList(results), FailuresList(results)}) {
    out += ListText(list);
  }
  std::string notes;
  for (const DatasetSummary& dataset : results.datasets) {
    for (const std::string& note : dataset.notes) {
      notes += fmt::format("- {}: {}\n", MarkdownEscape(TitleOf(results, dataset.name)),
                           MarkdownEscape(note));
    }
  }
  if (!notes.empty()) out += fmt::format("## Notes\n{}\n", notes);
  const std::string config = ConfigText(results);
  out += "## Configuration\n";
  out += MarkdownEscape(MadeBy(results));
  if (!results.seeds.empty()) out += fmt::format(" Seeds: {}.", SeedsText(results));
  out += "\n";
  if (!config.empty()) out += fmt::format("\n{}", Code(config));
  return out;
}

}  // namespace alcedo::report
