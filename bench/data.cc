#include "data.h"

#include <algorithm>
#include <cmath>

#include "alcedo/base/random.h"
#include "alcedo/base/types.h"

namespace alcedo::bench {
namespace {

constexpr Index kDescriptorSize = 64;

// Standard deviation along the j-th principal direction of SIFT: PCA eigenvalues fall from 0.05 to
// 0.0025 over 64 directions.
double Spread(Index j) { return std::sqrt(0.05 * std::pow(1.0 + j, -0.72)); }

}  // namespace

Rows EmkLikeRows(Index count, Index dimension) {
  Rng rng(20140623);
  const Index clusters = 40;
  const double sigma = 0.5, within = 0.75;
  Eigen::MatrixXd centers(clusters, kDescriptorSize);
  std::vector<double> share(clusters);
  double total = 0;
  for (Index c = 0; c < clusters; ++c) {
    for (Index j = 0; j < kDescriptorSize; ++j) centers(c, j) = Spread(j) * rng.Normal();
    total += share[c] = 1.0 / (1 + c);
  }
  Rows descriptors(count, kDescriptorSize);
  for (Index n = 0; n < count; ++n) {
    double draw = rng.Uniform() * total;
    Index c = 0;
    while (c + 1 < clusters && (draw -= share[c]) > 0) ++c;
    for (Index j = 0; j < kDescriptorSize; ++j) {
      descriptors(n, j) =
          static_cast<float>(0.8 * centers(c, j) + within * Spread(j) * rng.Normal());
    }
  }
  Rows frequencies(kDescriptorSize, dimension);
  for (Index i = 0; i < frequencies.size(); ++i) {
    frequencies.data()[i] = static_cast<float>(rng.Normal() / sigma);
  }
  Rows rows = descriptors * frequencies;
  const double scale = std::sqrt(2.0 / static_cast<double>(dimension));
  for (Index j = 0; j < dimension; ++j) {
    const double phase = rng.Uniform() * 6.283185307179586;
    for (Index n = 0; n < count; ++n) {
      rows(n, j) = static_cast<float>(scale * std::cos(rows(n, j) + phase));
    }
  }
  return rows;
}

Encodings FisherLikeEncodings(Index count, Index num_blocks) {
  Rng rng(7);
  // Weights of a real mixture differ by a factor of fifty; one in sixteen Gaussians gets no patch.
  std::vector<double> weight(num_blocks);
  double total = 0;
  for (Index k = 0; k < num_blocks; ++k) {
    weight[k] = std::exp(0.8 * rng.Normal());
    total += k % 16 == 7 ? 0 : weight[k];
  }
  std::vector<double> cumulative(num_blocks);
  double sum = 0;
  for (Index k = 0; k < num_blocks; ++k) {
    sum += k % 16 == 7 ? 0 : weight[k] / total;
    cumulative[k] = sum;
  }
  Rows values(count, 2 * kDescriptorSize);
  std::vector<std::int32_t> blocks(count);
  std::vector<double> z(kDescriptorSize);
  for (Index n = 0; n < count; ++n) {
    const double draw = rng.Uniform() * sum;
    const Index k =
        std::lower_bound(cumulative.begin(), cumulative.end(), draw) - cumulative.begin();
    blocks[n] = static_cast<std::int32_t>(std::min(k, num_blocks - 1));
    const double w = weight[blocks[n]] / total;
    // Neighbouring dimensions correlate within a Gaussian, and an image sees one side of it.
    double previous = 0;
    for (Index j = 0; j < kDescriptorSize; ++j) {
      previous = 0.6 * previous + 0.8 * rng.Normal();
      z[j] = previous + 0.7 * std::sin(1.3 * static_cast<double>(blocks[n]) + 0.5 * j);
      values(n, j) = static_cast<float>(z[j] / std::sqrt(w));
      values(n, kDescriptorSize + j) = static_cast<float>((z[j] * z[j] - 1) / std::sqrt(2 * w));
    }
  }
  return Encodings::OneBlockPerRow(std::move(values), std::move(blocks), num_blocks);
}

}  // namespace alcedo::bench
