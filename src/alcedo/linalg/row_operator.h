// A set of rows as a linear operator: the products with the paper's Phi (our rows, transposed) that
// pooling needs. The dense N x D matrix is never formed from rows of blocks.
#pragma once

#include <vector>

#include "alcedo/base/index.h"
#include "alcedo/linalg/kernels.h"

namespace alcedo {

// Rows are split into at most 16 chunks whose bounds depend on their number alone, and partial sums
// are added in the order of the chunks: the same bytes come out for any number of threads.
//
// Borrows the rows. Holds scratch memory, so one operator serves one caller at a time.
class RowOperator {
 public:
  // Contiguous rows, count x width.
  RowOperator(const float* rows, Index count, Index width, int threads = 1);
  // Rows of blocks in a space of `dimension` coordinates.
  RowOperator(const kernels::SparseRows& rows, Index dimension, int threads = 1);
  // The same for rows of double.
  RowOperator(const double* rows, Index count, Index width, int threads = 1);
  RowOperator(const kernels::SparseRowsOf<double>& rows, Index dimension, int threads = 1);

  Index size() const { return dimension_; }
  Index num_rows() const { return num_rows_; }
  // How many values are read in one pass.
  Index num_values() const;

  // y_k = Phi Phi^T p_k for k < count, one fused pass over the rows. Makes this a LinearOperator.
  void Apply(Index count, const double* p, double* y);
  // The same for one vector in float, for few dense rows (see FitsCache): two and a half times as
  // fast.
  void ApplyFloat(const float* p, float* y);
  // True for dense rows of float that stay in cache while they are read again and again.
  bool FitsCache() const;
  // dots = Phi^T phi, size num_rows().
  void Similarities(const double* phi, double* dots);
  // y = Phi weights, size size().
  void WeightedSum(const double* weights, double* y);
  // Phi^T Phi weights in float through `phi` (size size()), for rows that fit the cache.
  void KernelProductFloat(const float* weights, float* phi, float* y) const;

  // The squared norms of the rows: the diagonal of Phi^T Phi.
  void SquaredNorms(double* norms) const;

  // Contiguous rows of float, num_rows() x size(); nullptr if they are held in another form.
  const float* FloatRows() const { return dense_ && !is_double_ ? rows_.values : nullptr; }

  // Row i as size() doubles.
  void CopyRow(Index i, double* to) const;

  // Phi Phi^T, size() x size(), and Phi^T Phi, num_rows() x num_rows(): lower triangles.
  void Gram(double* gram);
  void Kernel(double* kernel);

 private:
  // Calls use(...) with the rows of a range as the kernels take them, in whatever form they are
  // held.
  template <class Use>
  void WithRows(Index begin, Index end, const Use& use) const;
  // Calls use(rows_), with the type that the values have.
  template <class Use>
  decltype(auto) WithValues(const Use& use) const {
    return is_double_ ? use(double_rows_) : use(rows_);
  }
  RowOperator(const kernels::SparseRows& rows, const kernels::SparseRowsOf<double>& double_rows,
              bool is_double, bool dense, Index dimension, int threads);
  int Threads() const;
  Index ChunkSize() const;
  Index NumChunks() const;
  // Calls add(chunk, begin, end, y) for every chunk and sums what each adds to its own zeroed y.
  template <class AddChunk>
  void SumOverChunks(Index size, double* y, const AddChunk& add);

  kernels::SparseRows rows_;
  kernels::SparseRowsOf<double> double_rows_;
  bool is_double_;  // which of the two holds the values
  Index num_rows_;
  bool dense_;  // one entry per row in the only block: plain rows
  Index dimension_;
  int threads_;
  std::vector<float> float_dots_;
  std::vector<double> dots_;     // one per row
  std::vector<double> partial_;  // one result per chunk
};

// Phi^T Phi as an operator on weights: the dual's matrix, applied in two passes over the rows.
class KernelOperator {
 public:
  explicit KernelOperator(RowOperator& rows) : rows_(rows), phi_(rows.size()) {}
  Index size() const { return rows_.num_rows(); }
  void Apply(Index count, const double* p, double* y);
  void ApplyFloat(const float* p, float* y);

 private:
  RowOperator& rows_;
  std::vector<double> phi_;
  std::vector<float> float_phi_;
};

}  // namespace alcedo
