#include "alcedo/cli/vocabulary_text.h"

#include <fmt/format.h>

#include <array>

namespace alcedo::cli {
namespace {

std::string_view WordName(VocabularyKind kind) {
  switch (kind) {
    case VocabularyKind::kGmm:
      return "Gaussians";
    case VocabularyKind::kKMeans:
      return "clusters";
    case VocabularyKind::kDictionary:
      return "atoms";
    case VocabularyKind::kFourier:
      return "random projections";
  }
  return "words";
}

std::string_view ObjectiveName(VocabularyKind kind) {
  switch (kind) {
    case VocabularyKind::kGmm:
      return "log-likelihood";
    case VocabularyKind::kKMeans:
      return "squared error";
    case VocabularyKind::kDictionary:
      return "objective";
    case VocabularyKind::kFourier:
      return "";
  }
  return "";
}

}  // namespace

std::string WordsText(const Vocabulary& vocabulary) {
  const Index size = std::visit([](const auto& words) { return words.size(); }, vocabulary.words);
  return fmt::format("{} {} of {} dimensions", size, WordName(vocabulary.kind()),
                     vocabulary.dimension());
}

std::string DescriptorText(const Vocabulary& vocabulary) {
  std::string text =
      fmt::format("{} descriptors of {} dimensions", Name(vocabulary.config.describe.descriptor),
                  vocabulary.descriptor_dimension);
  if (vocabulary.pca) {
    text += fmt::format(", PCA to {}{} ({:.1f}% of the variance)", vocabulary.pca->dimension(),
                        vocabulary.pca->whiten ? ", whitened" : "",
                        100 * VarianceKept(*vocabulary.pca));
  }
  return text;
}

std::string TrainingText(const Vocabulary& vocabulary) {
  const TrainingRecord& training = vocabulary.training;
  if (vocabulary.kind() == VocabularyKind::kFourier) return "";
  return fmt::format("{} iterations, {} {:.6g}, {}", training.iterations,
                     ObjectiveName(vocabulary.kind()), training.objective,
                     training.converged ? "converged" : "not converged");
}

double VarianceKept(const Pca& pca) {
  return pca.total_variance > 0 ? pca.variances.sum() / pca.total_variance : 1;
}

std::string Thousands(std::int64_t number) {
  const std::string digits = fmt::format("{}", number);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    const std::size_t left = digits.size() - i;
    if (i > 0 && left % 3 == 0 && digits[i - 1] != '-') text += ',';
    text += digits[i];
  }
  return text;
}

std::string FileSize(std::int64_t bytes) {
  constexpr std::array<std::string_view, 5> kUnits = {"bytes", "KB", "MB", "GB", "TB"};
  double size = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; size >= 1000 && unit + 1 < kUnits.size(); ++unit) size /= 1000;
  return unit == 0 ? fmt::format("{} bytes", bytes)
                   : fmt::format("{:.{}f} {}", size, size < 10 ? 1 : 0, kUnits[unit]);
}

}  // namespace alcedo::cli
