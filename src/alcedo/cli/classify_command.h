// `alcedo classify`: the classes of pictures, by a model.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace alcedo::cli {

struct ClassifyJob {
  std::string model;
  std::vector<std::string> inputs;
  std::string list;             // a file of inputs; "": none
  std::string output;           // "": standard output
  std::string format = "text";  // text, jsonl, csv
  int top = 5;
  int threads = 1;
  bool quiet = false;
};

// Owns the CLI11 app and what its options write to.
class ClassifyArguments {
 public:
  ClassifyArguments();
  ClassifyArguments(const ClassifyArguments&) = delete;
  ClassifyArguments& operator=(const ClassifyArguments&) = delete;

  CLI::App& app() { return app_; }
  const ClassifyJob& job() const { return job_; }

  // False where --help was asked for and given. Throws UsageError.
  bool Parse(const std::vector<std::string>& args);

 private:
  CLI::App app_;
  ClassifyJob job_;
};

int ClassifyCommand(const std::vector<std::string>& args);

}  // namespace alcedo::cli
