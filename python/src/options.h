// Keywords from the fields of options structs: no option is listed a second time.
#pragma once

#include <fmt/format.h>
#include <pybind11/pybind11.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "alcedo/base/choice.h"
#include "alcedo/base/error.h"
#include "alcedo/base/options.h"
#include "alcedo/base/text.h"
#include "arrays.h"
#include "errors.h"
#include "scalars.h"

namespace alcedo::python {

namespace py = pybind11;

// ParseEnum() that says what was perhaps meant.
template <NamedEnum E>
E EnumFrom(const std::string& option, const std::string& text) {
  try {
    return ParseEnum<E>(option, text);
  } catch (const InvalidArgument& error) {
    std::vector<std::string> known;
    for (const auto& [unused, name] : EnumNames<E>::values) known.emplace_back(name);
    throw InvalidArgument(error.option(), error.rule(), error.value() + DidYouMean(text, known));
  }
}

// A visitor that sets the fields named by keywords, and remembers which there are.
class FieldsFromKeywords {
 public:
  explicit FieldsFromKeywords(const py::dict& keywords) : keywords_(keywords) {}

  template <class T>
  void operator()(std::string_view field, T& target, std::string_view) {
    const std::string keyword = KeywordOf(std::string(field));
    known_.push_back(keyword);
    if (keywords_.contains(keyword)) Set(keyword, keywords_[keyword.c_str()], target);
  }

  // TypeError for a keyword that is no field. `own` are those of the function itself, which are
  // perhaps meant.
  void RefuseUnknown(const std::string& what, const std::vector<std::string>& own = {}) const {
    for (const auto& [key, value] : keywords_) {
      const std::string keyword = FromPythonText(py::str(key));
      if (std::ranges::find(known_, keyword) != known_.end()) continue;
      std::vector<std::string> meant = known_;
      meant.insert(meant.end(), own.begin(), own.end());
      throw py::type_error(
          fmt::format("{} has no option {}{}", what, keyword, DidYouMean(keyword, meant)));
    }
  }

 private:
  static void Set(const std::string& keyword, const py::handle& value, bool& target) {
    target = BoolFrom(value, keyword);
  }
  static void Set(const std::string& keyword, const py::handle& value, double& target) {
    target = NumberFrom(value, keyword);
  }
  template <class Integer>
    requires(std::is_same_v<Integer, int> || std::is_same_v<Integer, std::uint64_t>)
  static void Set(const std::string& keyword, const py::handle& value, Integer& target) {
    const py::int_ whole = IntFrom(value, keyword);
    try {
      target = py::object(whole).cast<Integer>();
    } catch (const py::cast_error&) {
      RefuseType(keyword,
                 std::is_same_v<Integer, int> ? "a whole number of at most 32 bits"
                                              : "a whole number from 0 to 2^64 - 1",
                 whole);
    }
  }
  static void Set(const std::string& keyword, const py::handle& value, std::string& target) {
    target = TextFrom(value, keyword);
  }
  static void Set(const std::string& keyword, const py::handle& value,
                  std::vector<double>& target) {
    bool several = false;
    target = NumbersFrom(value, keyword, &several);
    if (!several) RefuseType(keyword, "a list of numbers", value);
  }
  template <NamedEnum E>
  static void Set(const std::string& keyword, const py::handle& value, E& target) {
    std::string text;
    Set(keyword, value, text);
    target = EnumFrom<E>(keyword, text);
  }

  const py::dict& keywords_;
  std::vector<std::string> known_;
};

// Options with the fields that keywords name; TypeError for others. `what` has them: "method
// 'gmp'"; `own` are other keywords of the function, which are perhaps meant.
template <class Options>
Options OptionsFrom(const py::dict& keywords, const std::string& what,
                    const std::vector<std::string>& own = {}) {
  Options options;
  FieldsFromKeywords fields(keywords);
  if constexpr (HasFields<Options>) VisitFields(options, fields);
  fields.RefuseUnknown(what, own);
  return options;
}

// A visitor that lists (keyword, default, type, help) for signatures, stubs and documentation.
struct DescribeFields {
  py::list& list;

  template <class T>
  void operator()(std::string_view field, T& value, std::string_view help) const {
    py::object shown;
    std::string type;
    if constexpr (NamedEnum<T>) {
      shown = py::str(std::string(Name(value)));
      for (const auto& [unused, name] : EnumNames<T>::values) {
        type += fmt::format("{}{}", type.empty() ? "" : " | ", name);
      }
    } else {
      shown = py::cast(value);
      type = std::is_same_v<T, bool>          ? "bool"
             : std::is_same_v<T, double>      ? "float"
             : std::is_same_v<T, std::string> ? "str"
                                              : "int";
    }
    list.append(py::make_tuple(KeywordOf(std::string(field)), shown, type, std::string(help)));
  }
};

// The same of a member of a set.
template <AnyChoice Set>
py::list FieldsOfMember(const std::string& name) {
  py::list fields;
  Set choice;
  ChooseByName(choice, "method", name);
  std::visit(
      [&]<class Options>(Options options) {
        if constexpr (HasFields<Options>) VisitFields(options, DescribeFields{fields});
      },
      choice.Chosen());
  return fields;
}

template <AnyChoice Set>
std::vector<std::string> NamesOf() {
  std::vector<std::string> names;
  for (const Label& label : Set::kLabels) names.emplace_back(label.name);
  return names;
}

}  // namespace alcedo::python
