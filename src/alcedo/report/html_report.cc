#include "alcedo/report/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <vector>

#include "alcedo/report/findings.h"
#include "alcedo/report/html_figures.h"
#include "alcedo/report/methods.h"
#include "alcedo/report/paper_tables.h"
#include "alcedo/report/report_lists.h"
#include "alcedo/report/report_text.h"
#include "alcedo/report/table_layout.h"

namespace alcedo::report {
namespace {

// Quiet on purpose: one accent, rules only where they separate, figures of equal width.
constexpr std::string_view kPageStyle = R"(
:root{color-scheme:light dark;--ink:#1c1c1a;--soft:#5f5f5a;--rule:#d9d8d2;--page:#fdfdfb;
--accent:#00598c;--best:#e8f1f7;--warn:#a33c00}
@media (prefers-color-scheme:dark){:root{--ink:#e5e4de;--soft:#a3a29b;--rule:#3a3a38;
--page:#161615;--accent:#7cc0ee;--best:#1d2f3b;--warn:#ff9d66}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;scroll-behavior:auto}
body{margin:0 auto;max-width:72rem;padding:1.5rem 1rem 4rem;background:var(--page);color:var(--ink);
font:1.0625rem/1.55 Charter,"Bitstream Charter","Sitka Text",Cambria,Georgia,serif}
h1{font-size:1.9rem;line-height:1.2;font-weight:600;margin:.5rem 0 .75rem;text-wrap:balance}
h2{font-size:1.35rem;line-height:1.3;font-weight:600;margin:3rem 0 .5rem;padding-top:.75rem;
border-top:1px solid var(--rule)}
h3{font-size:1.1rem;font-weight:600;margin:2rem 0 .25rem}
p,ul{max-width:44rem;margin:.5rem 0}
a{color:var(--accent);text-decoration-thickness:1px;text-underline-offset:.15em}
.lead{font-size:1.15rem}
.soft,.note{color:var(--soft)}
.note{font-size:.95rem}
.warn{color:var(--warn)}
nav ul{list-style:none;padding:0;display:flex;flex-wrap:wrap;gap:.15rem 1.25rem;max-width:none}
.box{overflow-x:auto;margin:1.25rem 0}
.box:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
table{border-collapse:collapse;font:.9rem/1.4 system-ui,sans-serif;font-variant-numeric:tabular-nums}
caption{text-align:left;font:600 1rem/1.4 Charter,"Bitstream Charter",Georgia,serif;
padding-bottom:.4rem;min-width:18rem}
caption span{display:block;max-width:min(44rem,calc(100vw - 2.5rem))}
caption .soft{font-weight:400}
th,td{padding:.3rem .8rem;text-align:left;vertical-align:baseline;font-weight:400}
thead th{border-bottom:1px solid var(--ink);font-weight:600;white-space:nowrap}
tbody tr+tr>*{border-top:1px solid var(--rule)}
tbody th{white-space:nowrap}
tbody th[scope=rowgroup]{font-weight:600;padding-top:.9rem;border-top:1px solid var(--ink)}
thead+tbody th[scope=rowgroup]{border-top:0}
table.results td,table.results thead th+th{text-align:right;min-width:7.25rem}
table.results th{min-width:5rem}
tbody th[scope=row]{position:sticky;left:0;background:var(--page)}
td{white-space:nowrap}
td.n,th.n{text-align:right}
td.choices{white-space:normal;min-width:5rem}
td.text{white-space:normal;min-width:14rem;max-width:34rem;overflow-wrap:anywhere}
td.best{background:var(--best)}
.ours{font-size:1.15rem}
td.best .ours{font-weight:650}
.pm,.paper,.others{color:var(--soft);font-size:.8rem;white-space:nowrap}
.paper,.others{display:block}
.below{color:var(--warn)}
figure{margin:1.5rem 0;min-width:0}
figure svg{display:block}
.figures{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,30rem),1fr));gap:1.75rem 2.5rem;
align-items:start;margin:1.25rem 0}
.figures figure{margin:0}
.wide{min-width:44rem;max-width:54rem}
.middling{min-width:36rem}
.alcedo-plot.alcedo-plot{background:none;color:inherit}
pre{overflow-x:auto;font:.8rem/1.5 ui-monospace,Menlo,Consolas,monospace;padding:.75rem 1rem;
border:1px solid var(--rule);max-width:100%}
summary{cursor:pointer}
@media (max-width:40rem){body{padding-top:.5rem}h1{font-size:1.6rem}.lead{font-size:1.0625rem}
th,td{padding:.3rem .45rem}
table{font-size:.8rem}table.results th,table.results td{padding:.3rem .22rem}
table.results th,table.results thead th+th{min-width:0}table.results td{min-width:4.1rem}
table.results .ours{font-size:1rem}table.results .pm{display:block}
table.results .pm,table.results .paper,table.results .others{font-size:.7rem;white-space:normal}}
@media print{body{max-width:none}nav{display:none}.box{overflow:visible}}
)";

// A box that scrolls must be reachable by keyboard, and have a name then.
std::string OpenBox(std::string_view name) {
  return fmt::format("<div class=\"box\" role=\"region\" tabindex=\"0\" aria-label=\"{}\">\n",
                     Escape(name));
}

std::string CellHtml(const TableLayout& table, const TableRow& row, const Cell* cell) {
  if (cell == nullptr) return "<td></td>";
  const bool best = IsBest(row, *cell);
  std::string out = fmt::format("<td{}><span class=\"ours\">{}</span>",
                                best ? " class=\"best\"" : "", ValueText(*cell));
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

// A table of our numbers and the paper's, in a box that scrolls.
std::string HtmlTable(const Results& results, const TableLayout& table) {
  const std::string title =
      fmt::format("{}, {}", TableTitle(table.table), TitleOf(results, table.dataset));
  std::string out = OpenBox(title);
  out += fmt::format(
      "<table class=\"results\">\n<caption><span>{}</span> <span class=\"soft\">{}; {}; "
      "best of each row shaded{}.</span></caption>\n<thead><tr><th scope=\"col\">Descriptor</th>",
      Escape(title), Escape(MetricName(table.metric)), IntervalNote(results),
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

// Empty if the list is; with a caption if the section does not say its title.
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

// A part of the page; left out if its body is empty.
struct Section {
  std::string id, title, body;
};

std::string Paragraphs(const std::vector<std::string>& sentences, std::string_view css) {
  std::string text;
  for (const std::string& sentence : sentences) {
    if (!text.empty()) text += ' ';
    text += Escape(sentence);
  }
  return text.empty() ? "" : fmt::format("<p class=\"{}\">{}</p>\n", css, text);
}

std::string Bullets(const std::vector<std::string>& sentences) {
  std::string items;
  for (const std::string& sentence : sentences) items += "<li>" + Escape(sentence) + "</li>\n";
  return items.empty() ? "" : "<ul>\n" + items + "</ul>\n";
}

std::string Tables(const Results& results, bool beyond) {
  std::string out;
  for (const TableLayout& table : LayOutTables(results)) {
    if ((table.table == "beyond") == beyond) out += HtmlTable(results, table);
  }
  return out;
}

std::string DatasetsHtml(const Results& results) {
  std::string out = HtmlList(DatasetsList(results), false);
  std::string notes;
  for (const DatasetSummary& dataset : results.datasets) {
    for (const std::string& note : dataset.notes) {
      notes +=
          fmt::format("<li>{}: {}</li>\n", Escape(TitleOf(results, dataset.name)), Escape(note));
    }
  }
  if (!notes.empty()) out += "<h3>Notes</h3>\n<ul>\n" + notes + "</ul>\n";
  return out + HtmlList(FailuresList(results), true);
}

std::string ConfigHtml(const Results& results) {
  std::string out;
  std::string facts;
  if (!results.version.empty()) facts += fmt::format("Alcedo {}.", Escape(results.version));
  if (!results.seeds.empty()) {
    facts += fmt::format("{}Seeds: {}.", facts.empty() ? "" : " ", SeedsText(results));
  }
  if (!facts.empty()) out += "<p>" + facts + "</p>\n";
  const std::string config = ConfigText(results);
  if (!config.empty()) {
    // Line by line: escaping makes one line of whatever it is given.
    std::string lines;
    for (std::size_t start = 0; start <= config.size();) {
      const std::size_t end = std::min(config.find('\n', start), config.size());
      lines += Escape(std::string_view(config).substr(start, end - start)) + "\n";
      start = end + 1;
    }
    out += "<details><summary>All options</summary>\n<pre>" + lines + "</pre></details>\n";
  }
  return out;
}

std::string Title(const Results& results) {
  std::vector<std::string> datasets;
  for (const TableLayout& table : LayOutTables(results)) {
    std::string title = TitleOf(results, table.dataset);
    if (std::find(datasets.begin(), datasets.end(), title) == datasets.end()) {
      datasets.push_back(std::move(title));
    }
  }
  if (datasets.empty() || datasets.size() > 3) return "Generalized max pooling";
  return fmt::format("Generalized max pooling on {}", fmt::join(datasets, ", "));
}

bool InThePaper(const Results& results) {
  return std::ranges::any_of(results.cells, [](const Cell& cell) {
    return cell.table != "beyond" && PaperMetric(cell.dataset).has_value();
  });
}

// Whether the gains per class are of the same predictions, for whoever looks from one to the other.
std::string ConfusionNote(const Results& results) {
  std::string out;
  for (const Confusion& c : results.confusions) {
    const bool same = std::ranges::any_of(results.gains, [&](const ClassGains& gains) {
      return std::tie(gains.dataset, gains.encoder, gains.gaussians, gains.descriptor,
                      gains.method) ==
             std::tie(c.dataset, c.encoder, c.gaussians, c.descriptor, c.method);
    });
    if (!same) continue;
    out += fmt::format(
        "<p class=\"note\">{}: {}, {}, {}; the gains per class are of the same "
        "predictions.</p>\n",
        Escape(TitleOf(results, c.dataset)), Escape(MethodName(c.method)),
        Escape(EncoderName(c.encoder, c.gaussians)), Escape(DescriptorName(c.descriptor)));
  }
  return out;
}

std::vector<Section> Sections(const Results& results) {
  const std::string beyond = Tables(results, true);
  return {
      {"tables", InThePaper(results) ? "The paper’s tables" : "Results", Tables(results, false)},
      {"beyond", "Beyond the paper", Bullets(BeyondSentences(results)) + beyond},
      {"parameters", "Accuracy along the parameters", CurveFigures(results)},
      {"classes", "Gains per class", GainFigures(results)},
      {"confusion", "Confusion",
       ConfusionNote(results) + ConfusionFigures(results) + HtmlList(ConfusedList(results), true)},
      {"comparisons", "Comparisons", HtmlList(ComparisonsList(results), false)},
      {"checks", "Checks", HtmlList(ChecksList(results), false)},
      {"unconverged", "Not converged", HtmlList(UnconvergedList(results), false)},
      {"chosen", "Chosen parameters", HtmlList(ChosenList(results), false)},
      {"timings", "Timings", HtmlList(TimingsList(results), false)},
      {"datasets", "Datasets", DatasetsHtml(results)},
      {"configuration", "Configuration and seeds", ConfigHtml(results)},
  };
}

}  // namespace

std::string HtmlReport(const Results& results) {
  const std::string title = Escape(Title(results));
  std::string contents;
  std::string body;
  for (const Section& section : Sections(results)) {
    if (section.body.empty()) continue;
    contents += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", section.id, section.title);
    body +=
        fmt::format("<section aria-labelledby=\"{0}\">\n<h2 id=\"{0}\">{1}</h2>\n{2}</section>\n",
                    section.id, section.title, section.body);
  }
  std::string out = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en-GB\" xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n"
      "<meta charset=\"utf-8\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
      "<meta name=\"color-scheme\" content=\"light dark\"/>\n"
      "<title>{0}</title>\n<style>{1}</style>\n</head>\n<body>\n<header>\n<h1>{0}</h1>\n",
      title, kPageStyle);
  out += Paragraphs(SummarySentences(results), "lead");
  const std::string status = StatusSentence(results);
  if (!status.empty()) out += fmt::format("<p class=\"warn\">{}</p>\n", Escape(status));
  out += "</header>\n";
  if (!contents.empty()) {
    out += "<nav aria-label=\"Contents\">\n<ul>\n" + contents + "</ul>\n</nav>\n";
  }
  return out + "<main>\n" + body + "</main>\n</body>\n</html>\n";
}

}  // namespace alcedo::report
