// A closed set of options structs, of which one is chosen: the poolings, the encoders, the
// descriptors. The list of types is the one list of the set: names, configuration sections, flags
// and reports are made from it.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "alcedo/base/error.h"
#include "alcedo/base/text.h"

namespace alcedo {

// What people call a member of a set: every options struct has one, called kLabel.
struct Label {
  std::string_view name;   // in flags, files and keywords: "gmp"
  std::string_view title;  // in reports: "GMP"
  int color = -1;          // of poolings: the place in the palette of the charts,
  int power_color = -1;    // and that of the same pooling with power normalisation
};

// The section of a configuration that holds the fields of a member: its name as an identifier.
template <class Options>
std::string SectionName() {
  std::string section(Options::kLabel.name);
  for (char& c : section) c = c == '-' ? '_' : c;
  return section;
}

struct NoVisitor {
  template <class... Anything>
  void operator()(Anything&&...) const {}
};
// Options with a list of fields (base/options.h). Some members of a set have nothing to choose.
template <class Options>
concept HasFields = requires(Options& options) { VisitFields(options, NoVisitor{}); };

// The chosen options, and the values of all others: a configuration may hold the fields of every
// member, whichever is chosen. The first member is the default.
template <class... Options>
class Choice {
 public:
  using Variant = std::variant<Options...>;
  static constexpr std::array<Label, sizeof...(Options)> kLabels{Options::kLabel...};

  Choice() = default;
  template <class O>
    requires(std::is_same_v<O, Options> || ...)
  Choice(O options) {  // NOLINT(google-explicit-constructor): options are a choice
    *this = std::move(options);
  }
  template <class O>
    requires(std::is_same_v<O, Options> || ...)
  Choice& operator=(O options) {
    std::get<O>(all_) = std::move(options);
    chosen_ = kIndex<O>;
    return *this;
  }

  const Label& label() const { return kLabels[chosen_]; }
  std::string_view name() const { return label().name; }

  template <class O>
  bool Is() const {
    return chosen_ == kIndex<O>;
  }
  template <class O>
  O& Get() {
    return std::get<O>(all_);
  }
  template <class O>
  const O& Get() const {
    return std::get<O>(all_);
  }
  template <class O>
  void Choose() {
    chosen_ = kIndex<O>;
  }
  // By name; false if there is no such member.
  bool Choose(std::string_view name) {
    for (std::size_t i = 0; i < kLabels.size(); ++i) {
      if (kLabels[i].name != name) continue;
      chosen_ = i;
      return true;
    }
    return false;
  }

  // What is not chosen makes no difference.
  friend bool operator==(const Choice& a, const Choice& b) { return a.Chosen() == b.Chosen(); }

  // The chosen options alone. What `use` gives must have one type for all members.
  template <class Use>
  decltype(auto) Visit(Use&& use) const {
    return std::visit(std::forward<Use>(use), Chosen());
  }
  Variant Chosen() const { return Pick(std::index_sequence_for<Options...>{}); }

  // section(name, fields) for every member that has fields.
  template <class Visitor>
  void VisitSections(Visitor&& section) {
    (VisitSection<Options>(section), ...);
  }

 private:
  template <class O>
  static constexpr std::size_t kIndex = [] {
    std::size_t index = 0;
    (void)((std::is_same_v<O, Options> || (++index, false)) || ...);
    return index;
  }();
  template <std::size_t... I>
  Variant Pick(std::index_sequence<I...>) const {
    using Maker = Variant (*)(const std::tuple<Options...>&);
    constexpr std::array<Maker, sizeof...(I)> kMakers{[](const std::tuple<Options...>& all) {
      return Variant(std::in_place_index<I>, std::get<I>(all));
    }...};
    return kMakers[chosen_](all_);
  }
  template <class O, class Visitor>
  void VisitSection(Visitor& section) {
    if constexpr (HasFields<O>) {
      section(SectionName<O>(), [&](auto&& visit) { VisitFields(Get<O>(), visit); });
    } else {
      static_assert(std::is_empty_v<O>, "options with fields need VisitFields()");
    }
  }

  std::tuple<Options...> all_;
  std::size_t chosen_ = 0;
};

// Check(options), for members that have anything to check.
template <class Options>
void CheckMember(const Options& options) {
  if constexpr (requires { Check(options); }) {
    Check(options);
  } else {
    static_assert(std::is_empty_v<Options>, "options with fields need Check()");
  }
}

template <class T>
inline constexpr bool kIsChoice = false;
template <class... Options>
inline constexpr bool kIsChoice<Choice<Options...>> = true;
template <class T>
concept AnyChoice = kIsChoice<std::remove_cvref_t<T>>;

// The names of a set as "a, b or c".
template <AnyChoice C>
std::string NameList() {
  std::string list;
  for (std::size_t i = 0; i < C::kLabels.size(); ++i) {
    if (i > 0) list += i + 1 == C::kLabels.size() ? " or " : ", ";
    list += C::kLabels[i].name;
  }
  return list;
}

// InvalidArgument if there is no member of that name.
template <AnyChoice C>
void ChooseByName(C& choice, std::string_view option, std::string_view name) {
  if (choice.Choose(name)) return;
  std::vector<std::string> known;
  for (const Label& label : C::kLabels) known.emplace_back(label.name);
  throw InvalidArgument(std::string(option), "must be " + NameList<C>(),
                        "'" + std::string(name) + "'" + DidYouMean(name, known));
}

}  // namespace alcedo
