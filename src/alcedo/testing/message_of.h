// What a call threw, for tests of refusals. Not installed.
#pragma once

#include <string>
#include <utility>

#include "alcedo/base/error.h"

// Not alcedo::testing, which would hide GoogleTest's namespace from the tests.
namespace alcedo::test {

// The message of the error, or "(accepted)".
template <class Call>
std::string MessageOf(Call&& call) {
  try {
    std::forward<Call>(call)();
  } catch (const Error& error) {
    return error.what();
  }
  return "(accepted)";
}

// The parts of an InvalidArgument, all empty if the call was accepted. Other errors get through.
struct Refused {
  std::string option, rule, value;

  friend bool operator==(const Refused&, const Refused&) = default;
};
template <class Call>
Refused RefusalOf(Call&& call) {
  try {
    std::forward<Call>(call)();
  } catch (const InvalidArgument& error) {
    return {error.option(), error.rule(), error.value()};
  }
  return {};
}

// The option that Check(options) refuses; "" if it accepts them.
template <class Options>
std::string BadOption(const Options& options) {
  return RefusalOf([&] { Check(options); }).option;
}

}  // namespace alcedo::test
