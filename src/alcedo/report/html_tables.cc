#include <fmt/format.h>

#include <algorithm>

#include "alcedo/report/html_parts.h"
#include "alcedo/report/paper_tables.h"
#include "alcedo/report/report_text.h"

namespace alcedo::internal {
namespace {

// A box that scrolls must be reachable by keyboard, and have a name then.
std::string OpenBox(std::string_view name) {
  return fmt::format("<div class=\"box\" role=\"region\" tabindex=\"0\" aria-label=\"{}\">\n",
                     Escape(name));
}

std::string CellHtml(const TableLayout& table, const TableRow& row, const Cell* cell) {
  if (cell == nullptr) return "<td></td>";
  const bool best = IsBest(row, *cell);
  std::string out = fmt::format("<td{}><span class=\"ours\">{}</span>",
                                best ? " class=\"best\"" : "", Percent(cell->value));
  const std::string half = IntervalText(*cell);
  if (!half.empty()) {
    out += fmt::format(" <span class=\"pm\" title=\"95% interval: {} to {}\">{}</span>",
                       Percent(cell->low), Percent(cell->high), half);
  }
  if (table.has_paper && cell->paper) {
    out += fmt::format("<span class=\"paper\">{}paper {}</span>",
                       FallsShort(*cell)
                           ? "<span class=\"below\" title=\"ours is below the paper\">↓</span> "
                           : "",
                       Percent(*cell->paper));
  }
  std::string others;
  for (const auto& [name, value] : cell->other) {
    others += fmt::format("{}{} {}", others.empty() ? "" : ", ", Escape(ShortMetricName(name)),
                          Percent(value));
  }
  if (!others.empty()) out += fmt::format("<span class=\"others\">{}</span>", others);
  return out + "</td>";
}

}  // namespace

std::string HtmlTable(const Results& results, const TableLayout& table) {
  const std::string title =
      fmt::format("{}, {}", TableTitle(table.table), TitleOf(results, table.dataset));
  std::string out = OpenBox(title);
  out += fmt::format(
      "<table class=\"results\">\n<caption><span>{}</span> <span class=\"soft\">{}; ± half of the "
      "95% interval, or the interval; "
      "best of each row shaded{}.</span></caption>\n<thead><tr><th scope=\"col\">Descriptor</th>",
      Escape(title), Escape(MetricName(table.metric)),
      table.has_paper ? "; ↓ below the paper" : "");
  for (const std::string& method : table.methods) {
    out += fmt::format("<th scope=\"col\">{}</th>", Escape(MethodName(method)));
  }
  out += "</tr></thead>\n<tbody>\n";
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    const TableRow& row = table.rows[r];
    if (!row.group.empty() && (r == 0 || table.rows[r - 1].group != row.group)) {
      if (r > 0) out += "</tbody>\n<tbody>\n";
      out += fmt::format("<tr><th scope=\"rowgroup\" colspan=\"{}\">{}</th></tr>\n",
                         table.methods.size() + 1, Escape(row.group));
    }
    out += fmt::format("<tr><th scope=\"row\">{}</th>", Escape(row.label));
    for (const Cell* cell : row.cells) out += CellHtml(table, row, cell);
    out += "</tr>\n";
  }
  return out + "</tbody>\n</table>\n</div>\n";
}

std::string HtmlList(const List& list, bool with_caption) {
  if (list.rows.empty()) return "";
  std::string out;
  if (!list.note.empty()) out += fmt::format("<p class=\"note\">{}</p>\n", Escape(list.note));
  out += OpenBox(list.title) + "<table>\n";
  if (with_caption) out += fmt::format("<caption><span>{}</span></caption>\n", Escape(list.title));
  out += "<thead><tr>";
  const auto css = [](const List::Column& column) {
    switch (column.kind) {
      case List::Column::kName:
        return "";
      case List::Column::kNumber:
        return " class=\"n\"";
      case List::Column::kChoices:
        return " class=\"choices\"";
      case List::Column::kSentence:
        return " class=\"text\"";
    }
    return "";
  };
  for (const List::Column& column : list.columns) {
    out += fmt::format("<th scope=\"col\"{}>{}</th>", css(column), Escape(column.name));
  }
  out += "</tr></thead>\n<tbody>\n";
  for (std::size_t r = 0; r < list.rows.size(); ++r) {
    const bool alarming =
        std::find(list.alarming.begin(), list.alarming.end(), r) != list.alarming.end();
    out += alarming ? "<tr class=\"warn\">" : "<tr>";
    for (std::size_t i = 0; i < list.rows[r].size(); ++i) {
      const std::string& text = list.rows[r][i];
      const bool choices = list.columns[i].kind == List::Column::kChoices;
      out += fmt::format("<td{}>{}</td>", css(list.columns[i]),
                         Escape(choices ? Unbroken(text, '+') : text));
    }
    out += "</tr>\n";
  }
  return out + "</tbody>\n</table>\n</div>\n";
}

}  // namespace alcedo::internal
