#include "alcedo/reproduce/image_vectors.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "alcedo/base/error.h"
#include "alcedo/base/types.h"
#include "alcedo/image/read_image.h"
#include "alcedo/descriptors/describe.h"
#include "alcedo/pooling/pool.h"

namespace alcedo {
namespace {

// Where the kernel has no negative entries, or only those of an approximation, there is nothing to
// clip, and the N x N kernel is not needed.
bool ClipsNegative(const Encodings& encodings) {
  return encodings.one_block_per_row() && !encodings.dense();
}

void PoolGmpChoices(const Encodings& encodings, const std::vector<PoolChoice>& choices,
                    double accuracy, Rows& pooled) {
  std::vector<double> lambdas;
  std::vector<Index> rows;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    if (choices[i].kind != PoolingKind::kGmp) continue;
    const double scale = choices[i].relative ? encodings.mean_squared_norm() : 1;
    lambdas.push_back(choices[i].parameter * scale);
    rows.push_back(static_cast<Index>(i));
  }
  if (lambdas.empty()) return;
  GmpOptions options;
  options.tolerance = accuracy;
  options.accuracy = accuracy;
  const GmpPath path = PoolGmpPath(encodings, lambdas, options);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    pooled.row(rows[i]) = path.phi.row(static_cast<Index>(i)).cast<float>();
  }
}

void PoolDemocraticChoices(const Encodings& encodings, const std::vector<PoolChoice>& choices,
                           Rows& pooled) {
  std::vector<double> gammas;
  std::vector<Index> rows;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    if (choices[i].kind != PoolingKind::kDemocratic) continue;
    gammas.push_back(choices[i].parameter);
    rows.push_back(static_cast<Index>(i));
  }
  if (gammas.empty()) return;
  DemocraticOptions options;
  options.clip_negative = ClipsNegative(encodings);
  // About what the authors' ten iterations leave.
  options.tolerance = 0.03;
  const std::vector<WeightsResult> path = DemocraticPath(encodings, gammas, options);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    pooled.row(rows[i]) = WeightedSum(encodings, path[i].weights).cast<float>();
  }
}

Vector PoolPlain(const Encodings& encodings, const PoolChoice& choice) {
  switch (choice.kind) {
    case PoolingKind::kMax:
      return PoolMax(encodings);
    case PoolingKind::kSoftmax:
      return PoolSoftmax(encodings, {.beta = choice.parameter});
    default:
      return PoolSum(encodings);
  }
}

Rows PoolCells(const ReadyCoding& ready, const Encodings& encodings, const Descriptors& descriptors,
               const std::vector<PoolChoice>& choices, double accuracy) {
  if (ready.coding.pyramid == "1") return PoolChoices(encodings, choices, accuracy);
  Rows all(static_cast<Index>(choices.size()), ready.dimension());
  Index column = 0;
  for (const auto& rows : RowsOfCells(ready.pyramid, RelativePositions(descriptors))) {
    all.middleCols(column, encodings.dimension()) =
        PoolChoices(encodings.Select(rows), choices, accuracy);
    column += encodings.dimension();
  }
  return all;
}

}  // namespace

Index ReadyCoding::dimension() const {
  return EncodedDimension(encoder) * static_cast<Index>(pyramid.cells.size());
}

WantedChoices AllChoices(const ReadyPlan& plan) {
  WantedChoices wanted;
  for (const ReadyCoding& ready : plan.codings) {
    std::vector<int>& choices = wanted.emplace_back(ready.coding.choices.size());
    std::iota(choices.begin(), choices.end(), 0);
  }
  return wanted;
}

Rows PoolChoices(const Encodings& encodings, const std::vector<PoolChoice>& choices,
                 double accuracy) {
  Rows pooled(static_cast<Index>(choices.size()), encodings.dimension());
  for (std::size_t i = 0; i < choices.size(); ++i) {
    const PoolingKind kind = choices[i].kind;
    if (kind == PoolingKind::kGmp || kind == PoolingKind::kDemocratic) continue;
    pooled.row(static_cast<Index>(i)) = PoolPlain(encodings, choices[i]).cast<float>();
  }
  PoolGmpChoices(encodings, choices, accuracy, pooled);
  PoolDemocraticChoices(encodings, choices, pooled);
  return pooled;
}

std::vector<Rows> ImageVectors(const ReadyPlan& plan, const std::string& bytes,
                               const std::string& name, const WantedChoices& wanted) {
  std::vector<Rows> vectors(plan.codings.size());
  // Limits on reading are the same for all descriptors.
  const Image image = ReadImageBytes(bytes, name, plan.descriptors.at(0).describe.image);
  for (const ReadyDescriptor& ready : plan.descriptors) {
    const bool needed = std::ranges::any_of(
        ready.codings, [&](int c) { return !wanted[static_cast<std::size_t>(c)].empty(); });
    if (!needed) continue;
    const Descriptors descriptors = DescribeImage(image, ready.describe);
    const Rows projected = ready.pca ? Project(*ready.pca, descriptors.values) : descriptors.values;
    for (const int c : ready.codings) {
      const ReadyCoding& coding = plan.codings[static_cast<std::size_t>(c)];
      std::vector<PoolChoice> choices;
      for (const int choice : wanted[static_cast<std::size_t>(c)]) {
        choices.push_back(coding.coding.choices[static_cast<std::size_t>(choice)]);
      }
      if (choices.empty()) continue;
      Rows& result = vectors[static_cast<std::size_t>(c)];
      if (projected.rows() == 0) {
        result = Rows::Zero(static_cast<Index>(choices.size()), coding.dimension());
      } else {
        result = PoolCells(coding, Encode(coding.encoder, projected), descriptors, choices,
                           plan.accuracy);
      }
      if (!result.allFinite()) {
        throw InvalidArgument(name + ": its vectors leave the range of float");
      }
    }
  }
  return vectors;
}

namespace {

// In float, by logarithms: a thousand candidates of power normalise billions of values, and the
// result goes into float products anyway.
void PowerInFloat(float* values, Index size, double power) {
  Eigen::Map<Eigen::ArrayXf> v(values, size);
  const float largest = size == 0 ? 0 : v.abs().maxCoeff();
  if (largest == 0) return;
  if (power == 0) {
    v = v.sign();
    return;
  }
  // Relative to the largest, so that nothing leaves the range of float.
  v /= largest;
  const Eigen::ArrayXf magnitude = (static_cast<float>(power) * v.abs().log()).exp();
  v = (v == 0).select(0.0f, (v < 0).select(-magnitude, magnitude));
}

void L2InFloat(float* values, Index size) {
  Eigen::Map<Eigen::VectorXf> v(values, size);
  const float largest = size == 0 ? 0 : v.cwiseAbs().maxCoeff();
  if (largest == 0) return;
  v /= largest;
  v *= static_cast<float>(1 / std::sqrt(v.cast<double>().squaredNorm()));
}

}  // namespace

void NormalizeForSvm(Eigen::Ref<Rows> vectors, double power, Index cells) {
  const Index size = vectors.cols() / cells;
  for (Index i = 0; i < vectors.rows(); ++i) {
    float* row = vectors.row(i).data();
    if (power != 1) PowerInFloat(row, vectors.cols(), power);
    for (Index cell = 0; cell < cells; ++cell) L2InFloat(row + cell * size, size);
    if (cells > 1) L2InFloat(row, vectors.cols());
  }
}

}  // namespace alcedo
