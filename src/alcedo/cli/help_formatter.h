// Help without what goes without saying, and whose descriptions are wrapped: this version of CLI11
// prints them as one long line.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace alcedo::cli {

class HelpFormatter : public CLI::Formatter {
 public:
  HelpFormatter() { column_width(38); }

  // That --x and --no-x exclude each other needs no words.
  std::string make_option_opts(const CLI::Option* option) const override {
    const std::string text = CLI::Formatter::make_option_opts(option);
    return text.substr(0, text.find(" Excludes:"));
  }

  std::string make_option_desc(const CLI::Option* option) const override {
    return Wrap(CLI::Formatter::make_option_desc(option), 100 - get_column_width());
  }

 private:
  // Breaks at the last blank before each `width` characters; CLI11 indents after a line break.
  static std::string Wrap(std::string text, std::size_t width) {
    std::size_t line = 0;
    while (text.size() - line > width) {
      const std::size_t blank = text.rfind(' ', line + width);
      if (blank == std::string::npos || blank <= line) break;
      text[blank] = '\n';
      line = blank + 1;
    }
    return text;
  }
};

}  // namespace alcedo::cli
