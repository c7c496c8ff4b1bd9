// `alcedo info`.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace alcedo::cli {

// Owns the CLI11 app and what its options write to.
class InfoArguments {
 public:
  InfoArguments();
  InfoArguments(const InfoArguments&) = delete;
  InfoArguments& operator=(const InfoArguments&) = delete;

  CLI::App& app() { return app_; }
  const std::string& file() const { return file_; }
  bool json() const { return json_; }

  // False where --help was asked for and given. Throws UsageError.
  bool Parse(const std::vector<std::string>& args);

 private:
  CLI::App app_;
  std::string file_;
  bool json_ = false;
};

// Says what a file is. The exit code of the program.
int InfoCommand(const std::vector<std::string>& args);

}  // namespace alcedo::cli
