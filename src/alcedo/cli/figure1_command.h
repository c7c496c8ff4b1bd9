// `alcedo figure1`: the paper's Figure 1 as a picture.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace alcedo::cli {

struct Figure1Job {
  std::string output;  // a .svg or .png, or "-": an SVG on standard output; "": none
  std::string png;     // a file; "": none
  double lambda = 0;
  bool quiet = false;
};

// Owns the CLI11 app and what its options write to.
class Figure1Arguments {
 public:
  Figure1Arguments();
  Figure1Arguments(const Figure1Arguments&) = delete;
  Figure1Arguments& operator=(const Figure1Arguments&) = delete;

  CLI::App& app() { return app_; }
  const Figure1Job& job() const { return job_; }

  // False where --help was asked for and given. Throws UsageError.
  bool Parse(const std::vector<std::string>& args);

 private:
  CLI::App app_;
  Figure1Job job_;
};

int Figure1Command(const std::vector<std::string>& args);

}  // namespace alcedo::cli
