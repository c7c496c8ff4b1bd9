// Support vector machines from products of rows alone. All classes, every C, every fold and every
// fusion of channels reuse the products: a part of the samples is a part of the matrix (or targets
// of 0), several channels side by side are the sum of their matrices.
#pragma once

#include "alcedo/base/sample_source.h"
#include "alcedo/base/types.h"
#include "alcedo/classifier/linear_svm.h"

namespace alcedo {

// The products of all pairs of rows, n x n, both triangles, in float. Requires finite rows of a
// norm of at most 1e15. Same bits for any number of threads.
Rows GramMatrix(const RowsView& rows, int threads = 1);
Rows GramMatrix(const SampleSource& rows, int threads = 1);

// The products of the rows of a with those of b: a.rows() x b.rows(). Requires the same of them,
// and one dimension.
Rows CrossGram(const RowsView& a, const RowsView& b, int threads = 1);

// The solution in the span of the training rows: score(x) = sum_i coefficients(c, i) (k(x, x_i) +
// bias^2).
struct KernelModel {
  Matrix coefficients;  // classes x n: y_i alpha_i
  double bias = 0;
};

// The problems of linear_svm.h by their dual: minimise 1/2 alpha' Q alpha - sum alpha over 0 <=
// alpha_i (<= C_i for the hinge), with Q_ij = y_i y_j (k_ij + bias^2), plus 1 / (2 C_i) on the
// diagonal for the squared hinge. Coordinate descent (Hsieh et al., ICML 2008), and projected
// Newton steps once it has found the bounds; the report counts products with the whole matrix, a
// pass of descent being one. The products are there already: the solver stream is refused.
//
// Rows that have nearly all in common need a large C, and a large C the small eigenvalues of the
// matrix: those below 1e-7 of the largest are rounding, so that a C beyond their inverse is not
// reached, which the report says.
//
// Requires a finite, symmetric matrix without negative eigenvalues (up to rounding) and as many
// columns of targets; an InvalidArgument if the descent shows that it is not one. A warm start
// gives the alphas to begin from, clipped to the box of the new C; the result is that of the cold
// start within the tolerance. Same bits for any number of threads.
KernelModel TrainGramSvm(const RowsView& gram, const Targets& targets, const SvmOptions& options,
                         SvmReport* report = nullptr, const KernelModel* warm_start = nullptr);

// Samples x classes, from the products of samples (rows) with the training samples (columns).
Matrix Scores(const KernelModel& model, const RowsView& cross_gram, int threads = 1);

// The weights sum_i coefficients(c, i) x_i of the same scores.
LinearModel ToLinear(const KernelModel& model, const RowsView& training_rows, int threads = 1);
LinearModel ToLinear(const KernelModel& model, const SampleSource& training_rows, int threads = 1);

}  // namespace alcedo
