// Writes the HTML report of a results.json. usage: report_page results.json report.html
#include <cstdio>
#include <exception>
#include <fstream>

#include "alcedo/report/html_report.h"
#include "alcedo/io/atomic_file.h"

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: %s results.json report.html\n", argv[0]);
    return 2;
  }
  try {
    std::ifstream file(argv[1]);
    const alcedo::Results results = alcedo::ResultsFromJson(alcedo::Json::parse(file), argv[1]);
    alcedo::WriteWholeFile(argv[2], alcedo::HtmlReport(results));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
