#include "alcedo/report/report_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>

#include "alcedo/base/utf8.h"
#include "alcedo/report/paper_tables.h"

namespace alcedo::report {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

// How many bytes the UTF-8 character at the start of `text` has; 0 if there is none, XML does not
// allow it, or it does not belong into one line.
std::size_t CharacterSize(std::string_view text) {
  const auto [code, size] = FirstCharacter(text);
  // Controls, and two code points that XML forbids.
  if (code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0xFFFE || code == 0xFFFF) return 0;
  // Marks that turn the direction of all that follows.
  if ((code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069)) return 0;
  return size;
}

}  // namespace

std::string CleanText(std::string_view text) {
  std::string clean;
  while (!text.empty()) {
    const std::size_t size = CharacterSize(text);
    if (size > 0) {
      clean += text.substr(0, size);
    } else {
      const char c = text[0];
      clean += c == '\n' || c == '\r' || c == '\t' ? " " : kReplacement;
    }
    text.remove_prefix(std::max<std::size_t>(size, 1));
  }
  return clean;
}

std::string Escape(std::string_view text) {
  std::string escaped;
  for (const char c : CleanText(text)) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\'':
        escaped += "&#39;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

std::string MarkdownEscape(std::string_view text) {
  std::string escaped;
  const std::string clean = CleanText(text);
  for (std::size_t i = 0; i < clean.size(); ++i) {
    const char c = clean[i];
    // "p < 0.05" opens no tag, and reads better as it is.
    if (c == '<' && clean[std::min(i + 1, clean.size() - 1)] != ' ') {
      escaped += "&lt;";
    } else if (c == '&') {
      escaped += "&amp;";
    } else {
      if (std::string_view("\\`*_[]|~#$").find(c) != std::string_view::npos) escaped += '\\';
      escaped += c;
    }
  }
  return escaped;
}

std::string Unbroken(std::string text, char sign) {
  const std::string loose = {' ', sign, ' '};
  for (std::size_t at; (at = text.find(loose)) != std::string::npos;) {
    text.replace(at, 3, std::string("\u00A0") + sign + "\u00A0");
  }
  return text;
}

std::size_t Width(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

namespace {

using Names = std::pair<std::string_view, std::string_view>;

template <std::size_t N>
std::string Lookup(const std::array<Names, N>& names, std::string_view name) {
  for (const auto& [known, shown] : names) {
    if (known == name) return std::string(shown);
  }
  return std::string(name);
}

}  // namespace

std::string Percent(double value) {
  if (!std::isfinite(value)) return std::string(kNoNumber);
  std::string text = fmt::format("{:.1f}", value);
  return text == "-0.0" ? "0.0" : text;
}

std::string HalfWidth(double low, double high) {
  if (!(low < high) || !std::isfinite(high - low)) return "";
  return "±" + Percent((high - low) / 2);
}

std::string Signed(double value) {
  if (!std::isfinite(value)) return std::string(kNoNumber);
  const std::string text = Percent(std::abs(value));
  if (text == "0.0") return text;
  return (value < 0 ? "−" : "+") + text;
}

std::string PValue(double p) {
  if (!std::isfinite(p)) return std::string(kNoNumber);
  return p < 0.001 ? "< 0.001" : fmt::format("{:.{}f}", p, p < 0.1 ? 3 : 2);
}

std::string Short(double value) {
  if (!std::isfinite(value)) return std::string(kNoNumber);
  const double size = std::abs(value);
  if (size == 0 || (size >= 1e-3 && size < 1e4)) return fmt::format("{:.4g}", value);
  std::string text = fmt::format("{:.3e}", value);
  const std::size_t e = text.find('e');
  std::string digits = text.substr(0, e);
  digits.erase(digits.find_last_not_of('0') + 1);
  if (digits.ends_with('.')) digits.pop_back();
  return fmt::format("{}e{}", digits, std::stoi(text.substr(e + 1)));
}

std::string Span(double seconds) {
  if (!std::isfinite(seconds) || seconds < 0 || seconds > 1e12) return std::string(kNoNumber);
  if (seconds < 10) return fmt::format("{:.1f} s", seconds);
  const auto whole = static_cast<std::int64_t>(std::llround(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", Thousands(whole / 3600), whole / 60 % 60);
}

std::string Plural(std::size_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

std::string PText(const Comparison& comparison) {
  const auto with_sign = [](double p) { return (p < 0.001 ? "" : "= ") + PValue(p); };
  std::string text = "p " + with_sign(comparison.p);
  if (PValue(comparison.corrected_p) != PValue(comparison.p)) {
    text += ", corrected " + PValue(comparison.corrected_p);
  }
  return text;
}

std::string ComparisonsNote(const Results& results) {
  const auto any = [&](auto&& predicate) {
    return std::ranges::any_of(results.comparisons, predicate);
  };
  const auto is_map = [](const Comparison& c) { return ShortMetricName(c.metric) == "mAP"; };
  std::string text = "Two methods on the same test images: difference in points, ";
  if (any([](const Comparison& c) { return c.seeds > 1; })) {
    text +=
        "the mean over the seeds, with a 95% interval and a two-sided p for other test images and "
        "other seeds together. The spread of the seeds is pooled over the comparisons of a "
        "dataset. ";
  }
  if (any([](const Comparison& c) { return c.seeds == 1; })) {
    text +=
        any([](const Comparison& c) { return c.seeds > 1; }) ? "Of one seed: " : "of one seed, ";
    text += "with a 95% interval for other test images, and a two-sided p";
    if (any([&](const Comparison& c) { return c.seeds == 1 && !is_map(c); })) {
      text +=
          " of random sign flips, image by image (two tests, which may disagree if the methods "
          "differ on few images)";
    }
    text += ". What other seeds would give is not in them. ";
  }
  return text +
         "Corrected: by Holm's method for all comparisons of the dataset. Ahead or behind: "
         "corrected p < 0.05, an interval without 0, and no seed that says otherwise.";
}

std::string IntervalNote(const Results& results) {
  std::string over;
  if (std::ranges::any_of(results.comparisons, [](const Comparison& c) { return c.seeds > 1; })) {
    over = " over seeds and test images";
  } else if (std::ranges::all_of(results.cells,
                                 [](const Cell& c) { return c.seeds.size() == 1; })) {
    over = " over test images, of one seed";
  }
  return fmt::format("± half of the 95% interval{}, or the interval", over);
}

std::string ChosenHow(const Results& results, std::string_view dataset) {
  for (const DatasetSummary& summary : results.datasets) {
    if (summary.name != dataset || summary.validation > 0) continue;
    const Json folds = results.config.is_object() ? results.config.value("folds", Json()) : Json();
    if (!folds.is_number_integer()) return "by cross-validation of the training images";
    return fmt::format("by cross-validation with {} folds of the training images",
                       std::min(folds.get<std::int64_t>(), summary.train));
  }
  return "on the validation split";
}

std::string MetricName(std::string_view metric) {
  constexpr std::array<Names, 3> kNames = {
      {{"top1-classes", "top-1 accuracy in %, mean over classes"},
       {"top1-images", "top-1 accuracy in %, mean over images"},
       {"map-voc11", "mean average precision in %, 11 points as in VOC 2007"}}};
  return Lookup(kNames, metric);
}

std::string ShortMetricName(std::string_view metric) {
  constexpr std::array<Names, 3> kNames = {
      {{"top1-classes", "by class"}, {"top1-images", "by image"}, {"map-voc11", "mAP"}}};
  return Lookup(kNames, metric);
}

std::string TitleOf(const Results& results, std::string_view dataset) {
  for (const DatasetSummary& summary : results.datasets) {
    if (summary.name == dataset && !summary.title.empty()) return summary.title;
  }
  return std::string(DatasetTitle(dataset));
}

}  // namespace alcedo::report
