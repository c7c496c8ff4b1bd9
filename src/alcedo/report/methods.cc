#include "alcedo/report/methods.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "alcedo/base/choice.h"
#include "alcedo/descriptors/describe.h"
#include "alcedo/encoding/encoders.h"
#include "alcedo/pooling/pool.h"
#include "alcedo/report/svg_document.h"

namespace alcedo::report {
namespace {

constexpr std::string_view kPower = "+p";

// What can be done to an encoding beside its pooling, and what reports call it.
struct Variant {
  std::string_view suffix, title;
};
constexpr std::array<Variant, 3> kVariants{
    {{"-pyramid", "pyramid"}, {"-intra", "intra-normalised"}, {"-centred", "centred"}}};

template <class Choice>
std::vector<Label> LabelsOf() {
  return {Choice::kLabels.begin(), Choice::kLabels.end()};
}

const std::vector<Label>& Poolings() {
  static const std::vector<Label> all = [] {
    std::vector<Label> labels = LabelsOf<PoolingChoice>();
    // The same pooling with another exponent.
    const auto democratic = std::ranges::find(labels, DemocraticOptions::kLabel.name, &Label::name);
    labels.insert(democratic + 1, {"gamma-democratic", "γ-democratic", 5, 9});
    return labels;
  }();
  return all;
}

// The library lists the simplest first, reports the paper's own.
const std::vector<Label>& Encoders() {
  static const std::vector<Label> all = [] {
    std::vector<Label> labels = LabelsOf<EncoderOptions>();
    std::erase_if(labels, [](const Label& l) { return l.name == AutoEncoderOptions::kLabel.name; });
    std::ranges::reverse(labels);
    // The same encoder with posteriors in place of the most likely Gaussian.
    const auto fisher = std::ranges::find(labels, FisherOptions::kLabel.name, &Label::name);
    labels.insert(fisher + 1, {"soft-fv", "Soft FV"});
    return labels;
  }();
  return all;
}

const std::vector<Label>& DescriptorLabels() {
  static const std::vector<Label> all = [] {
    std::vector<Label> labels = LabelsOf<DescriptorChoice>();
    labels.push_back({"fusion", "Fusion"});
    return labels;
  }();
  return all;
}

std::size_t Find(const std::vector<Label>& labels, std::string_view name) {
  std::size_t i = 0;
  while (i < labels.size() && labels[i].name != name) ++i;
  return i;
}

std::string Title(const std::vector<Label>& labels, std::string_view name) {
  const std::size_t i = Find(labels, name);
  return std::string(i < labels.size() ? labels[i].title : name);
}

// A name and what follows it, if that is `suffix`.
struct Split {
  Split(std::string_view whole, std::string_view suffix)
      : has_suffix(whole.ends_with(suffix)),
        name(whole.substr(0, whole.size() - (has_suffix ? suffix.size() : 0))) {}
  bool has_suffix;
  std::string_view name;
};

Place PlaceOf(const std::vector<Label>& labels, std::string_view whole, std::string_view suffix) {
  const Split split(whole, suffix);
  const std::size_t i = Find(labels, split.name);
  if (i == labels.size()) return {2 * i, std::string(whole)};
  return {2 * i + (split.has_suffix ? 1 : 0), ""};
}

}  // namespace

std::vector<std::string> Methods() {
  std::vector<std::string> methods;
  for (const Label& label : Poolings()) {
    methods.emplace_back(label.name);
    methods.push_back(methods.back() + std::string(kPower));
  }
  return methods;
}

Place MethodPlace(std::string_view method) { return PlaceOf(Poolings(), method, kPower); }
Place EncoderPlace(std::string_view encoder) {
  std::size_t variant = 0;
  std::string_view name = encoder;
  for (std::size_t v = 0; v < kVariants.size(); ++v) {
    if (const Split split(encoder, kVariants[v].suffix); split.has_suffix) {
      name = split.name;
      variant = v + 1;
    }
  }
  const std::size_t i = Find(Encoders(), name);
  const std::size_t place = i * (kVariants.size() + 1);
  if (i == Encoders().size()) return {place, std::string(encoder)};
  return {place + variant, ""};
}
Place DescriptorPlace(std::string_view descriptor) {
  const std::size_t i = Find(DescriptorLabels(), descriptor);
  return {i, i < DescriptorLabels().size() ? "" : std::string(descriptor)};
}

std::string MethodName(std::string_view method) {
  const std::size_t plus = std::min(method.find('+'), method.size());
  return Title(Poolings(), method.substr(0, plus)) + std::string(method.substr(plus));
}

std::string EncoderName(std::string_view encoder) { return Title(Encoders(), encoder); }

std::string EncoderName(std::string_view encoder, int gaussians) {
  std::string_view plain = encoder, title;
  for (const Variant& variant : kVariants) {
    const Split split(encoder, variant.suffix);
    if (split.has_suffix) plain = split.name, title = variant.title;
  }
  std::string name = EncoderName(plain);
  if (gaussians > 0) {
    const bool is_fisher = plain.ends_with(FisherOptions::kLabel.name);
    name += fmt::format(", {} = {}", is_fisher ? 'G' : 'K', gaussians);
  }
  return title.empty() ? name : fmt::format("{}, {}", name, title);
}

std::string DescriptorName(std::string_view descriptor) {
  return Title(DescriptorLabels(), descriptor);
}

std::size_t MethodColor(std::string_view method) {
  const Split split(method, kPower);
  const std::size_t i = Find(Poolings(), split.name);
  if (i == Poolings().size()) return kTextColor;
  const Label& label = Poolings()[i];
  const int color = split.has_suffix ? label.power_color : label.color;
  return color < 0 ? kTextColor : static_cast<std::size_t>(color);
}

std::size_t DescriptorStyle(std::string_view descriptor) {
  return Find(DescriptorLabels(), descriptor);
}

}  // namespace alcedo::report
