// Errors of the library, with their parts as fields: a program words them for its users, in flags
// or keywords, without reading a sentence. what() is the whole sentence in the library's own words:
// "gmp.lambda must be >= 0, got -1".
//
// A numerical outcome (a solver that stopped early) is a field of a report, never an exception.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace alcedo {

// What the caller can do about an error. `option` and `value` name an option to set, if there is
// one; `text` leads up to it ("learn a vocabulary with") or stands alone.
struct Hint {
  std::string text = {};
  std::string option = {};  // as in InvalidArgument::option()
  std::string value = {};

  bool empty() const { return text.empty() && option.empty(); }
};

class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& message, Hint hint = {})
      : std::runtime_error(message), hint_(std::move(hint)) {}

  // Not part of what().
  const Hint& hint() const { return hint_; }

 private:
  Hint hint_;
};

// The caller passed something that breaks a documented rule.
class InvalidArgument : public Error {
 public:
  // A rule that no single option breaks.
  explicit InvalidArgument(const std::string& message, Hint hint = {})
      : Error(message, std::move(hint)) {}

  // what() is "OPTION RULE, got VALUE", or "OPTION RULE" if there is no value to show. The option
  // is "SECTION.FIELD" as configurations have it ("gmp.max_iterations"), or a field without a
  // section; the rule is the rest of the sentence, with its verb ("must be >= 1").
  InvalidArgument(std::string option, std::string rule, std::string value, Hint hint = {});

  const std::string& option() const { return option_; }  // empty: no single option is to blame
  const std::string& rule() const { return rule_; }
  const std::string& value() const { return value_; }

 private:
  std::string option_, rule_, value_;
};

// Something is wrong with a file. what() is "FILE: REASON", or the reason alone if the file has no
// name.
class FileError : public Error {
 public:
  explicit FileError(const std::string& message, Hint hint = {})
      : Error(message, std::move(hint)), reason_(message) {}
  FileError(std::string file, std::string reason, Hint hint = {});

  const std::string& file() const { return file_; }
  const std::string& reason() const { return reason_; }

 private:
  std::string file_, reason_;
};

// The operating system refused: cannot open, no space left, short read.
class IoError : public FileError {
 public:
  using FileError::FileError;
};

// A file's bytes are not what its format promises.
class FormatError : public FileError {
 public:
  using FileError::FileError;
};

// Throws InvalidArgument(name, "must be `rule`", value) unless `ok`.
void Require(bool ok, std::string_view name, std::string_view rule, double value);

// What is wrong, without the name of the file that a list of failures has already.
std::string ReasonOf(const Error& error);

}  // namespace alcedo
