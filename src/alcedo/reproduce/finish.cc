#include "alcedo/reproduce/finish.h"

#include "alcedo/normalization/normalize.h"

namespace alcedo::reproduce {

Vector CentreOf(const ReadyCoding& coding, const RowsView& training_vectors) {
  if (coding.coding.finish != Finish::kCentred) return Vector();
  Vector sum = Vector::Zero(training_vectors.cols());
  for (Index i = 0; i < training_vectors.rows(); ++i) {
    Vector row = training_vectors.row(i).cast<double>();
    L2Normalize(row);
    sum += row;
  }
  return sum / static_cast<double>(std::max<Index>(1, training_vectors.rows()));
}

Rows Finished(const ReadyCoding& coding, Rows vectors, double power, const VectorView& centre,
              int threads) {
  if (coding.coding.finish == Finish::kCentred) {
    NormalizeRows(vectors, {.l2 = true}, {}, threads);
    vectors.rowwise() -= centre.transpose().cast<float>();
  }
  NormalizeRows(vectors,
                {.power = power, .block_l2 = coding.coding.finish == Finish::kIntra, .l2 = true},
                {.cells = coding.cells, .block_size = coding.block}, threads);
  return vectors;
}

}  // namespace alcedo::reproduce
