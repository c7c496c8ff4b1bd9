#include "alcedo/report/methods.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <regex>
#include <set>
#include <variant>

#include "alcedo/descriptors/describe.h"
#include "alcedo/encoding/encoders.h"
#include "alcedo/pooling/pool.h"
#include "alcedo/report/findings.h"
#include "alcedo/report/results.h"
#include "alcedo/report/svg_plot.h"

namespace alcedo::report {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;

TEST(Methods, EveryPoolingHasAPlaceATitleAndColours) {
  const Place unknown = MethodPlace("unknown");
  for (const Label& label : PoolingChoice::kLabels) {
    const std::string name(label.name);
    EXPECT_LT(MethodPlace(name), unknown) << name;
    EXPECT_LT(MethodPlace(name), MethodPlace(name + "+p")) << name;
    EXPECT_EQ(MethodName(name), label.title);
    EXPECT_EQ(MethodName(name + "+p"), std::string(label.title) + "+p");
    EXPECT_EQ(MethodColor(name), static_cast<std::size_t>(label.color)) << name;
    EXPECT_EQ(MethodColor(name + "+p"), static_cast<std::size_t>(label.power_color)) << name;
    EXPECT_THAT(Methods(), IsSupersetOf({name, name + "+p"}));
  }
}

TEST(Methods, NoTwoShareAPlaceATitleOrAColour) {
  std::set<Place> places;
  std::set<std::string> titles;
  std::set<std::size_t> colors = {MethodColor("unknown")};
  const std::vector<std::string> methods = Methods();
  for (const std::string& method : methods) {
    places.insert(MethodPlace(method));
    titles.insert(MethodName(method));
    colors.insert(MethodColor(method));
  }
  EXPECT_EQ(places.size(), methods.size());
  EXPECT_EQ(titles.size(), methods.size());
  EXPECT_EQ(colors.size(), methods.size() + 1);
  EXPECT_TRUE(std::ranges::is_sorted(methods, {}, &MethodPlace));
}

TEST(Methods, StandInTheOrderOfThePaper) {
  std::vector<std::string> methods = {"mine",  "gamma-democratic", "gmp+p", "softmax", "sum+p",
                                      "alien", "democratic",       "gmp",   "max",     "sum"};
  std::ranges::sort(methods, {}, &MethodPlace);
  EXPECT_THAT(methods, ElementsAre("sum", "sum+p", "max", "softmax", "gmp", "gmp+p", "democratic",
                                   "gamma-democratic", "alien", "mine"));
}

TEST(Methods, EncodersAndDescriptorsHaveAPlaceAndATitle) {
  std::set<Place> places;
  for (const Label& label : EncoderOptions::kLabels) {
    if (label.name == "auto") continue;  // what it becomes is in reports
    const std::string name(label.name);
    EXPECT_EQ(EncoderName(name), label.title);
    EXPECT_EQ(EncoderName(name, 0), label.title);
    EXPECT_LT(EncoderPlace(name + "-pyramid"), EncoderPlace("unknown")) << name;
    places.insert(EncoderPlace(name));
    places.insert(EncoderPlace(name + "-pyramid"));
  }
  EXPECT_EQ(places.size(), 2 * std::variant_size_v<Encoder>);
  std::vector<std::string> rows = {"bov", "zzz", "soft-bov", "fv-pyramid", "vlad", "fv", "emk"};
  std::ranges::sort(rows, {}, &EncoderPlace);
  EXPECT_THAT(rows, ElementsAre("emk", "fv", "fv-pyramid", "vlad", "soft-bov", "bov", "zzz"));

  std::vector<std::string> descriptors = {"mine", "fusion", "color", "sift"};
  std::ranges::sort(descriptors, {}, &DescriptorPlace);
  EXPECT_THAT(descriptors, ElementsAre("sift", "color", "fusion", "mine"));
  for (const Label& label : DescriptorChoice::kLabels) {
    EXPECT_EQ(DescriptorName(label.name), label.title);
    EXPECT_LT(DescriptorPlace(label.name), DescriptorPlace("fusion"));
  }
  EXPECT_EQ(DescriptorName("fusion"), "Fusion");
  EXPECT_EQ(DescriptorName("mine"), "mine");
  EXPECT_NE(DescriptorStyle("fusion"), DescriptorStyle("color"));
}

// The colours of a plot's classes, on light pages or on dark ones.
std::map<std::size_t, std::string> ColorsOf(const std::string& svg, bool dark) {
  const std::size_t media = svg.find("@media (prefers-color-scheme:dark)");
  std::map<std::size_t, std::string> colors;
  const auto read = [&](const std::string& css) {
    const std::regex rule(R"(\.s(\d+)\{color:(#[0-9a-f]{6})\})");
    for (std::sregex_iterator i(css.begin(), css.end(), rule), end; i != end; ++i) {
      colors[std::stoul((*i)[1])] = (*i)[2];
    }
  };
  read(svg.substr(0, media));
  if (dark) read(svg.substr(media));
  return colors;
}

// CIE 1976: what differs by 2 can just be told apart side by side.
double Difference(const std::string& a, const std::string& b) {
  const auto lab = [](const std::string& hex) {
    std::array<double, 3> c{};
    for (std::size_t i = 0; i < 3; ++i) {
      const double v = std::stoi(hex.substr(1 + 2 * i, 2), nullptr, 16) / 255.0;
      c[i] = v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
    }
    const auto f = [](double t) { return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116; };
    const double x = f((0.4124 * c[0] + 0.3576 * c[1] + 0.1805 * c[2]) / 0.95047);
    const double y = f(0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2]);
    const double z = f((0.0193 * c[0] + 0.1192 * c[1] + 0.9505 * c[2]) / 1.08883);
    return std::array<double, 3>{116 * y - 16, 500 * (x - y), 200 * (y - z)};
  };
  const auto p = lab(a), q = lab(b);
  return std::hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
}

TEST(Methods, ColoursCanBeToldApartOnLightAndOnDarkPages) {
  const std::string svg = LineChartSvg({});
  for (const bool dark : {false, true}) {
    const auto colors = ColorsOf(svg, dark);
    const std::vector<std::string> methods = Methods();
    for (std::size_t i = 0; i < methods.size(); ++i) {
      ASSERT_TRUE(colors.contains(MethodColor(methods[i]))) << methods[i];
      for (std::size_t j = 0; j < i; ++j) {
        EXPECT_GT(
            Difference(colors.at(MethodColor(methods[i])), colors.at(MethodColor(methods[j]))), 20)
            << methods[i] << " and " << methods[j] << (dark ? ", dark" : ", light");
      }
    }
  }
}

TEST(Findings, EveryMethodBeyondThePaperIsComparedWithGmp) {
  Results results;
  for (const std::string& method : Methods()) {
    Cell cell;
    cell.dataset = "flowers";
    cell.table = "beyond";
    cell.encoder = "soft-bov";
    cell.method = method;
    cell.value = 50;
    results.cells.push_back(cell);
  }
  const std::vector<std::string> sentences = BeyondSentences(results);
  EXPECT_EQ(sentences.size(), Methods().size() - 4);  // sum and GMP are the paper's
  EXPECT_THAT(sentences.front(), HasSubstr("Mean against GMP: 0.0 points"));
  EXPECT_THAT(sentences, Contains(HasSubstr("γ-democratic+p against GMP+p: 0.0 points")));
}

}  // namespace
}  // namespace alcedo::report
