// The text lists of datasets: one thing per line, fields between blanks.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace alcedo::internal {

// A small text file: a list or an annotation. IoError if it cannot be read or is not a file,
// FormatError if it is larger than any list.
std::string ReadTextFile(const std::filesystem::path& path);

// A number that is all of `text`, in decimal, whatever the locale; false if it is none.
bool ParseNumber(std::string_view text, double& number);
bool ParseInteger(std::string_view text, std::int64_t& number);

struct ListLine {
  int number = 0;    // in the file, from 1
  std::string text;  // without blanks at its ends

  std::vector<std::string_view> Fields() const;
  std::string_view First() const;  // the first field
  std::string_view Rest() const;   // what follows it: a name may have blanks inside
};

class ListFile {
 public:
  // Reads root / name, which is UTF-8 or plain ASCII. Empty lines are left out, and so are those
  // that start with `comment`. A control character is a FormatError: the file is damaged, or no
  // list.
  ListFile(const std::filesystem::path& root, std::string name, char comment = '\0');

  const std::string& name() const { return name_; }
  const std::vector<ListLine>& lines() const { return lines_; }

  // FormatError "path: line 3: what".
  [[noreturn]] void Fail(const ListLine& line, std::string_view what) const;

  // FormatError unless the line has this many fields.
  std::vector<std::string_view> Fields(const ListLine& line, std::size_t count) const;
  int Integer(const ListLine& line, std::string_view field, std::string_view what, int low,
              int high) const;
  double Number(const ListLine& line, std::string_view field, std::string_view what) const;

  // `text` as a name inside the dataset: not empty, not absolute, no "..".
  std::string Name(const ListLine& line, std::string_view text) const;

 private:
  std::filesystem::path path_;
  std::string name_;
  std::vector<ListLine> lines_;
};

}  // namespace alcedo::internal
