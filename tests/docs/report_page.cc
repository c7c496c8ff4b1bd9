// Writes the report of a results.json as HTML, or as Markdown if the name ends in .md. usage:
// report_page results.json report.html|report.md
#include <cstdio>
#include <exception>
#include <fstream>
#include <string_view>

#include "alcedo/io/atomic_file.h"
#include "alcedo/report/report.h"

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: %s results.json report.html|report.md\n", argv[0]);
    return 2;
  }
  try {
    std::ifstream file(argv[1]);
    const alcedo::report::Results results =
        alcedo::report::ResultsFromJson(alcedo::report::Json::parse(file), argv[1]);
    const bool markdown = std::string_view(argv[2]).ends_with(".md");
    alcedo::WriteWholeFile(argv[2], markdown ? alcedo::report::MarkdownReport(results)
                                             : alcedo::report::HtmlReport(results));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
