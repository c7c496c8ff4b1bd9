#include "alcedo/encoding/vlad.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "alcedo/base/error.h"
#include "alcedo/encoding/encode_internal.h"
#include "alcedo/linalg/blas.h"
#include "alcedo/linalg/kernels.h"

namespace alcedo {
namespace encoding {

namespace {

// out = row - center, divided by its norm if `unit` (zero stays zero).
void Residual(const float* row, const float* center, Index dimension, bool unit, float* out) {
  for (Index j = 0; j < dimension; ++j) out[j] = row[j] - center[j];
  if (!unit) return;
  const double norm = std::sqrt(kernels::SquaredNorm(out, dimension));
  if (norm == 0) return;
  for (Index j = 0; j < dimension; ++j) out[j] = static_cast<float>(out[j] / norm);
}

class PreparedVlad : public Prepared {
 public:
  explicit PreparedVlad(const VladEncoder& encoder)
      : encoder_(encoder), centers_(encoder.codebook.centers) {}

  Encodings Encode(const InputRows& rows, int threads, EncodeReport&) const override {
    const Rows& centers = centers_.centers();
    const Index dimension = rows.dimension();
    const bool rotate = encoder_.rotations.size() > 0;
    std::vector<std::int32_t> nearest = centers_.Find(rows.View(), threads);
    Rows values = UninitializedRows(rows.count(), dimension);
    ForEachChunk(rows.count(), 256, threads, [&](Index begin, Index end) {
      std::vector<float> residual(static_cast<std::size_t>(dimension));
      for (Index n = begin; n < end; ++n) {
        float* out = values.row(n).data();
        Residual(rows.Row(n), centers.row(nearest[n]).data(), dimension,
                 encoder_.options.residual_l2, rotate ? residual.data() : out);
        if (!rotate) continue;
        const float* rotation = encoder_.rotations.row(nearest[n] * dimension).data();
        kernels::Dots(rotation, dimension, dimension, residual.data(), out);
      }
    });
    return Encodings::OneBlockPerRow(std::move(values), std::move(nearest), centers.rows());
  }

 private:
  const VladEncoder& encoder_;
  NearestCenters centers_;
};

}  // namespace

void Check(const VladEncoder& encoder) {
  CheckCodebook(encoder.codebook);
  const Rows& rotations = encoder.rotations;
  if (rotations.size() == 0) return;
  const Index size = encoder.codebook.size(), dimension = encoder.codebook.dimension();
  if (rotations.rows() != size * dimension || rotations.cols() != dimension) {
    throw InvalidArgument("vlad.rotations",
                          fmt::format("must be empty or {} x {}, one of {} x {} per center",
                                      size * dimension, dimension, dimension, dimension),
                          fmt::format("{} x {}", rotations.rows(), rotations.cols()));
  }
  RequireFinite("vlad.rotations", rotations.data(), rotations.rows(), rotations.cols());
}

PreparedPointer Prepare(const VladEncoder& encoder, int) {
  return std::make_unique<PreparedVlad>(encoder);
}

}  // namespace encoding

namespace {

constexpr Index kRowsPerChunk = 16384;

// What the axes of one cluster follow from: sums over its residuals r, in double.
struct Moments {
  Index count = 0;
  Vector sum;      // of r
  Matrix squares;  // of r r^T, lower triangle
};

void Add(const float* rows, const std::vector<Index>& members, const float* center, Index dimension,
         bool unit, Moments& moments) {
  if (members.empty()) return;
  if (moments.count == 0) {
    moments.sum = Vector::Zero(dimension);
    moments.squares = Matrix::Zero(dimension, dimension);
  }
  const auto count = static_cast<Index>(members.size());
  std::vector<float> residual(static_cast<std::size_t>(dimension));
  Matrix residuals(count, dimension);
  for (Index i = 0; i < count; ++i) {
    encoding::Residual(rows + members[i] * dimension, center, dimension, unit, residual.data());
    for (Index j = 0; j < dimension; ++j) residuals(i, j) = residual[j];
  }
  moments.count += count;
  moments.sum += residuals.colwise().sum().transpose();
  blas::AddGram(residuals.data(), count, dimension, dimension, moments.squares.data(), dimension);
}

// The principal axes, one per row, by decreasing variance.
void WriteAxes(Moments& moments, Index dimension, float* out) {
  Eigen::Map<EigenRows> axes(out, dimension, dimension);
  axes.setIdentity();
  if (moments.count < 2) return;
  const auto count = static_cast<double>(moments.count);
  const double scale = moments.squares.trace();
  Matrix covariance = moments.squares - moments.sum * moments.sum.transpose() / count;
  // What rounding leaves of residuals that are all the same is not a direction.
  if (!(covariance.trace() > 1e-12 * scale)) return;
  covariance /= covariance.trace();
  Vector variances(dimension);
  blas::SymmetricEigen(covariance.data(), dimension, variances.data());
  for (Index i = 0; i < dimension; ++i) {
    const auto axis = covariance.row(dimension - 1 - i);
    Index largest = 0;
    axis.cwiseAbs().maxCoeff(&largest);
    axes.row(i) = (axis * (axis[largest] < 0 ? -1.0 : 1.0)).cast<float>();
  }
}

}  // namespace

Rows FitVladRotations(const Codebook& codebook, const SampleSource& samples, bool residual_l2,
                      int threads) {
  Require(threads >= 1, "threads", ">= 1", threads);
  encoding::CheckCodebook(codebook);
  const Index size = codebook.size(), dimension = codebook.dimension();
  if (samples.rows() > 0 && samples.dimension() != dimension) {
    throw InvalidArgument(fmt::format("samples must have {} columns, as the codebook, got {}",
                                      dimension, samples.dimension()));
  }
  const NearestCenters centers(codebook.centers);
  std::vector<Moments> moments(static_cast<std::size_t>(size));
  std::vector<std::vector<Index>> members(static_cast<std::size_t>(size));
  Rows scratch;
  // Every cluster adds its rows in order, whatever thread does it.
  for (Index begin = 0; begin < samples.rows(); begin += kRowsPerChunk) {
    const Index count = std::min(kRowsPerChunk, samples.rows() - begin);
    const float* rows = samples.Chunk(begin, count, scratch);
    encoding::RequireFinite("samples", rows, count, dimension, begin);
    const auto nearest = centers.Find(Eigen::Map<const EigenRows>(rows, count, dimension), threads);
    for (auto& list : members) list.clear();
    for (Index n = 0; n < count; ++n) members[nearest[n]].push_back(n);
    ParallelFor(size, threads, [&](Index k) {
      Add(rows, members[k], codebook.centers.row(k).data(), dimension, residual_l2, moments[k]);
    });
  }
  Rows rotations(size * dimension, dimension);
  ParallelFor(size, threads, [&](Index k) {
    WriteAxes(moments[k], dimension, rotations.row(k * dimension).data());
  });
  return rotations;
}

}  // namespace alcedo
