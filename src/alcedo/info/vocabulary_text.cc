#include "alcedo/info/vocabulary_text.h"

#include <fmt/format.h>

namespace alcedo {
namespace {

// What an entry of a vocabulary is called, and what its training minimises or maximises.
struct Nouns {
  std::string_view entries, objective;
};
Nouns NounsOf(const GaussianMixture&) { return {"Gaussians", "log-likelihood"}; }
Nouns NounsOf(const Codebook&) { return {"clusters", "squared error"}; }
Nouns NounsOf(const Dictionary&) { return {"atoms", "objective"}; }
Nouns NounsOf(const RandomFourier&) { return {"random projections", ""}; }
Nouns NounsOf(const Vocabulary& vocabulary) {
  return std::visit([](const auto& words) { return NounsOf(words); }, vocabulary.words);
}

}  // namespace

std::string WordsText(const Vocabulary& vocabulary) {
  const Index size = std::visit([](const auto& words) { return words.size(); }, vocabulary.words);
  return fmt::format("{} {} of {} dimensions", size, NounsOf(vocabulary).entries,
                     vocabulary.dimension());
}

std::string DescriptorText(const Vocabulary& vocabulary) {
  std::string text =
      fmt::format("{} descriptors of {} dimensions", vocabulary.config.describe.descriptor.name(),
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
  if (NounsOf(vocabulary).objective.empty()) return "";
  return fmt::format("{} iterations, {} {:.6g}, {}", training.iterations,
                     NounsOf(vocabulary).objective, training.objective,
                     training.converged ? "converged" : "not converged");
}

double VarianceKept(const Pca& pca) {
  return pca.total_variance > 0 ? pca.variances.sum() / pca.total_variance : 1;
}

}  // namespace alcedo
