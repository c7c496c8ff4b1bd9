#include "alcedo/normalization/normalize.h"

#include <cmath>

#include "alcedo/base/error.h"
#include "alcedo/base/parallel.h"
#include "alcedo/normalization/power_kernels.h"

namespace alcedo {
namespace {

using Floats = Eigen::Map<Eigen::ArrayXf>;

// sign(x) |x|^power of all entries, divided by |largest|^power if `scaled`.
void PowerInFloat(Floats v, double power, bool scaled) {
  const float largest = v.size() == 0 ? 0 : v.abs().maxCoeff();
  if (largest == 0) return;
  if (power == 0) {
    v = v.sign();
    return;
  }
  // Relative to the largest entry, so that logarithms are small and nothing leaves the range.
  const double scale = scaled ? 1 : std::pow(static_cast<double>(largest), power);
  const bool small = ((v != 0) && (v.abs() < largest * internal::kSmallestShare)).any();
  if (!small) {
    internal::ScaledPowers(v.data(), v.size(), largest, static_cast<float>(power),
                           static_cast<float>(scale));
    return;
  }
  for (float& x : v) {
    if (x == 0) continue;
    const double share = std::abs(x) / static_cast<double>(largest);
    x = static_cast<float>(std::copysign(std::pow(share, power) * scale, x));
  }
}

void L2InFloat(Floats v) {
  const float largest = v.size() == 0 ? 0 : v.abs().maxCoeff();
  if (largest == 0) return;
  v /= largest;
  v *= static_cast<float>(1 / v.matrix().cast<double>().norm());
}

void CheckParts(Index size, const NormalizationOptions& options, const VectorParts& parts) {
  Check(options);
  Require(parts.cells >= 1 && size % parts.cells == 0, "cells", "a divisor of the vector's size",
          static_cast<double>(parts.cells));
  if (!options.block_l2) return;
  Require(parts.block_size >= 1 && size / parts.cells % parts.block_size == 0, "block_size",
          "a divisor of the vector's size", static_cast<double>(parts.block_size));
}

// One vector whose parts were checked.
void NormalizeRow(float* row, Index size, const NormalizationOptions& options,
                  const VectorParts& parts) {
  const Index cell_size = size / parts.cells;
  // Powers are relative to the largest entry of what is divided by its norm first.
  const Index step = options.block_l2 ? parts.block_size : cell_size;
  for (Index at = 0; options.power != 1 && at < size; at += step) {
    PowerInFloat({row + at, step}, options.power, options.block_l2 || options.l2);
  }
  for (Index at = 0; options.block_l2 && at < size; at += step) L2InFloat({row + at, step});
  for (Index at = 0; options.l2 && at < size; at += cell_size) L2InFloat({row + at, cell_size});
  if (options.l2 && parts.cells > 1) L2InFloat({row, size});
}

}  // namespace

void Check(const NormalizationOptions& options) {
  Require(options.power >= 0 && options.power <= 1, "power", "in [0, 1]", options.power);
}

void PowerNormalize(VectorSpan v, double exponent) {
  Check(NormalizationOptions{.power = exponent});
  if (exponent == 1) return;
  for (double& x : v) {
    if (x != 0) x = std::copysign(std::pow(std::abs(x), exponent), x);
  }
}

void L2Normalize(VectorSpan v) {
  const double largest = v.size() == 0 ? 0 : v.cwiseAbs().maxCoeff();
  if (largest == 0) return;
  // Two steps: the largest entry becomes 1, so that no square leaves the range of double.
  v /= largest;
  v /= v.norm();
}

void BlockL2Normalize(VectorSpan v, Index block_size) {
  Require(block_size >= 1, "block_size", ">= 1", static_cast<double>(block_size));
  Require(v.size() % block_size == 0, "block_size", "a divisor of the vector's size",
          static_cast<double>(block_size));
  for (Index first = 0; first < v.size(); first += block_size) {
    L2Normalize(v.segment(first, block_size));
  }
}

void Normalize(VectorSpan v, const NormalizationOptions& options, const VectorParts& parts) {
  CheckParts(v.size(), options, parts);
  const Index size = v.size() / parts.cells;
  PowerNormalize(v, options.power);
  if (options.block_l2) BlockL2Normalize(v, parts.block_size);
  if (!options.l2) return;
  for (Index cell = 0; cell < parts.cells; ++cell) L2Normalize(v.segment(cell * size, size));
  if (parts.cells > 1) L2Normalize(v);
}

void NormalizeRows(RowsSpan rows, const NormalizationOptions& options, const VectorParts& parts,
                   int threads) {
  CheckParts(rows.cols(), options, parts);
  Require(threads >= 1, "threads", ">= 1", threads);
  ParallelFor(rows.rows(), threads,
              [&](Index i) { NormalizeRow(rows.row(i).data(), rows.cols(), options, parts); });
}

}  // namespace alcedo
