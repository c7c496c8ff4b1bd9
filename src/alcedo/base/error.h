// Errors of the library. A message is one sentence that names the thing, the rule and the value:
// "gmp.lambda must be >= 0, got -1".
//
// A numerical outcome (a solver that stopped early) is a field of a report, never an exception.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace alcedo {

class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The caller passed something that breaks a documented rule.
class InvalidArgument : public Error {
 public:
  using Error::Error;
};

// The operating system refused: cannot open, no space left, short read.
class IoError : public Error {
 public:
  using Error::Error;
};

// A file's bytes are not what its format promises.
class FormatError : public Error {
 public:
  using Error::Error;
};

// Throws InvalidArgument("`name` must be `rule`, got `value`") unless `ok`.
void Require(bool ok, std::string_view name, std::string_view rule, double value);

}  // namespace alcedo
