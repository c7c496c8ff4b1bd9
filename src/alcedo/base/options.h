// Options declared once.
//
// An options struct lists its fields in one function that its header defines beside it:
//
//   struct LpOptions { double p = 2; bool keep_sign = true; };
//   template <class Visitor> void VisitFields(LpOptions& o, Visitor&& visit) {
//     visit("p", o.p, "exponent, >= 1; 1 is the mean, infinity the maximum");
//     visit("keep_sign", o.keep_sign, "pool sign(x) |x|^p instead of |x|^p");
//   }
//
// Command line flags, help texts and stored configurations are all made from that list, so that
// nothing is listed twice and an unknown name can be refused. Field types are bool, int, double,
// std::uint64_t, std::string, std::vector<double>, enums with an EnumNames specialisation, and a
// Choice (base/choice.h).
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "alcedo/base/error.h"

namespace alcedo {

// EnumNames<E>::values is an array of {E, "name"} pairs: the one list of an enum's spellings.
template <class E>
struct EnumNames;

template <class E>
concept NamedEnum = requires { EnumNames<E>::values; };

template <NamedEnum E>
std::string_view Name(E value) {
  for (const auto& [candidate, name] : EnumNames<E>::values) {
    if (candidate == value) return name;
  }
  return "?";
}

// The names of an enum as "a, b or c", for help texts and messages.
template <NamedEnum E>
std::string NameList() {
  std::string list;
  const auto& values = EnumNames<E>::values;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i > 0) list += i + 1 == values.size() ? " or " : ", ";
    list += values[i].second;
  }
  return list;
}

template <NamedEnum E>
E ParseEnum(std::string_view option, std::string_view text) {
  for (const auto& [value, name] : EnumNames<E>::values) {
    if (name == text) return value;
  }
  throw InvalidArgument(std::string(option), "must be " + NameList<E>(),
                        "'" + std::string(text) + "'");
}

}  // namespace alcedo
