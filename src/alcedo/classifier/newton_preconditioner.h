// What makes the conjugate gradients of Newton steps short: the directions in which rows have most
// in common are solved exactly.
//
// The matrix of products is taken for U L U^T + rest I, with its largest eigenvalues L and their
// vectors U from a randomised Nystroem approximation (Frangella, Tropp and Udell 2021): two
// products with a thin matrix, for all classes and all C. A class sees only its free samples, and
// adds a shift of its own to the diagonal; Woodbury's identity inverts the sum of both.
#pragma once

#include <vector>

#include "alcedo/base/types.h"

namespace alcedo {

class NewtonPreconditioner {
 public:
  // Of the matrix of products plus bias^2, the constant feature.
  NewtonPreconditioner(const RowsView& gram, double bias);

  // For classes with these free samples (1, else 0) and shifts, a class per row.
  void Prepare(const Rows& free, const Rows& shifts);

  // solutions = about the inverse times residuals, which are 0 unless free; for the wanted classes
  // (1, else 0), the others are left as they are.
  void Apply(const Rows& residuals, const std::vector<char>& wanted, Rows& solutions) const;

  Index rank() const { return basis_.rows(); }

 private:
  Rows basis_;    // U^T: an eigenvector per row
  Rows samples_;  // U
  Vector values_;
  double rest_ = 0;
  Rows weights_;                 // of Prepare(): 1 / (rest + shift) of the free samples, else 0
  std::vector<Matrix> factors_;  // of each class: Cholesky, of 1 / (L - rest) + U^T weights U
};

}  // namespace alcedo
