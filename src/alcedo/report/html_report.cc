#include "alcedo/report/html_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <vector>

#include "alcedo/report/findings.h"
#include "alcedo/report/html_parts.h"
#include "alcedo/report/paper_tables.h"
#include "alcedo/report/report_text.h"

namespace alcedo {
namespace {

using internal::Escape;
using internal::HtmlList;

// A part of the page; left out where its body is empty.
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
  for (const internal::TableLayout& table : internal::LayOutTables(results)) {
    if ((table.table == "beyond") == beyond) out += internal::HtmlTable(results, table);
  }
  return out;
}

std::string DatasetsHtml(const Results& results) {
  std::string out = HtmlList(internal::DatasetsList(results), false);
  std::string notes;
  for (const DatasetSummary& dataset : results.datasets) {
    for (const std::string& note : dataset.notes) {
      notes += fmt::format("<li>{}: {}</li>\n", Escape(internal::TitleOf(results, dataset.name)),
                           Escape(note));
    }
  }
  if (!notes.empty()) out += "<h3>Notes</h3>\n<ul>\n" + notes + "</ul>\n";
  return out + HtmlList(internal::FailuresList(results), true);
}

std::string ConfigHtml(const Results& results) {
  std::string out;
  std::string facts;
  if (!results.version.empty()) facts += fmt::format("Alcedo {}.", Escape(results.version));
  if (!results.seeds.empty()) {
    facts += fmt::format("{}Seeds: {}.", facts.empty() ? "" : " ", internal::SeedsText(results));
  }
  if (!facts.empty()) out += "<p>" + facts + "</p>\n";
  const std::string config = internal::ConfigText(results);
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
  for (const internal::TableLayout& table : internal::LayOutTables(results)) {
    std::string title = internal::TitleOf(results, table.dataset);
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
        Escape(internal::TitleOf(results, c.dataset)), Escape(internal::MethodName(c.method)),
        Escape(internal::EncoderName(c.encoder, c.gaussians)),
        Escape(internal::DescriptorName(c.descriptor)));
  }
  return out;
}

std::vector<Section> Sections(const Results& results) {
  const std::string beyond = Tables(results, true);
  return {
      {"tables", InThePaper(results) ? "The paper’s tables" : "Results", Tables(results, false)},
      {"beyond", "Beyond the paper", Bullets(internal::BeyondSentences(results)) + beyond},
      {"parameters", "Accuracy along the parameters", internal::CurveFigures(results)},
      {"classes", "Gains per class", internal::GainFigures(results)},
      {"confusion", "Confusion",
       ConfusionNote(results) + internal::ConfusionFigures(results) +
           HtmlList(internal::ConfusedList(results), true)},
      {"comparisons", "Comparisons", HtmlList(internal::ComparisonsList(results), false)},
      {"checks", "Checks", HtmlList(internal::ChecksList(results), false)},
      {"chosen", "Chosen parameters", HtmlList(internal::ChosenList(results), false)},
      {"timings", "Timings", HtmlList(internal::TimingsList(results), false)},
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
      title, internal::kPageStyle);
  out += Paragraphs(internal::SummarySentences(results), "lead");
  const std::string status = internal::StatusSentence(results);
  if (!status.empty()) out += fmt::format("<p class=\"warn\">{}</p>\n", Escape(status));
  out += "</header>\n";
  if (!contents.empty()) {
    out += "<nav aria-label=\"Contents\">\n<ul>\n" + contents + "</ul>\n</nav>\n";
  }
  return out + "<main>\n" + body + "</main>\n</body>\n</html>\n";
}

}  // namespace alcedo
