#include "alcedo/vocabulary/random_fourier.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "alcedo/base/error.h"

namespace alcedo {

void Check(const FourierOptions& options) {
  Require(options.outputs >= 1, "fourier.outputs", ">= 1", options.outputs);
  Require(options.sigma >= 0 && std::isfinite(options.sigma), "fourier.sigma", ">= 0 and finite",
          options.sigma);
}

RandomFourier DrawRandomFourier(Index outputs, Index dimension, double sigma, Rng& rng) {
  Require(outputs >= 1, "outputs", ">= 1", static_cast<double>(outputs));
  Require(dimension >= 1, "dimension of the frequencies", ">= 1", static_cast<double>(dimension));
  Require(sigma > 0 && std::isfinite(sigma), "sigma", "> 0 and finite", sigma);
  RandomFourier fourier{Rows(outputs, dimension), Vector(outputs), sigma};
  for (Index i = 0; i < outputs; ++i) {
    for (Index j = 0; j < dimension; ++j) {
      fourier.frequencies(i, j) = static_cast<float>(rng.Normal() / sigma);
    }
    fourier.phases[i] = 2 * std::numbers::pi * rng.Uniform();
  }
  Require(fourier.frequencies.allFinite(), "sigma",
          "large enough for frequencies in the range of float", sigma);
  return fourier;
}

double MedianDistance(const RowsView& rows, Index pairs, Rng& rng) {
  Require(pairs >= 1, "pairs of the median distance", ">= 1", static_cast<double>(pairs));
  for (Index n = 0; n < rows.rows(); ++n) {
    for (Index j = 0; j < rows.cols(); ++j) {
      if (std::isfinite(rows(n, j))) continue;
      throw InvalidArgument(fmt::format("rows of the median distance: row {}, column {} is {}", n,
                                        j, std::isnan(rows(n, j)) ? "NaN" : "infinite"));
    }
  }
  std::vector<double> distances;
  for (Index p = 0; rows.rows() >= 2 && p < pairs; ++p) {
    const Index a = rng.UniformIndex(rows.rows());
    Index b = rng.UniformIndex(rows.rows() - 1);
    if (b >= a) ++b;  // any row but a
    const double distance = (rows.row(a).cast<double>() - rows.row(b).cast<double>()).norm();
    if (distance > 0) distances.push_back(distance);
  }
  if (distances.empty()) return 1;
  const auto middle = distances.begin() + static_cast<Index>(distances.size()) / 2;
  std::nth_element(distances.begin(), middle, distances.end());
  if (distances.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(distances.begin(), middle)) / 2;
}

}  // namespace alcedo
