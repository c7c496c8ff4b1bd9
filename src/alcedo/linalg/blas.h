// The few BLAS and LAPACK routines we use, behind names that say what they do. Matrices are
// row-major and symmetric ones are stored in their lower triangle; the rest of the matrix is not
// touched.
//
// OpenBLAS maps 128 MiB of address space for every thread that is inside of it. If there is no
// memory for one more, calls wait for each other; if there is none at all, they throw
// std::bad_alloc.
//
// Every thread that comes through here first sets OpenBLAS to one thread: we parallelise over
// images and blocks, results must not depend on the number of threads, and the openmp variant keeps
// that setting per thread.
#pragma once

#include <vector>

#include "alcedo/base/index.h"

namespace alcedo::blas {

// c += a^T a for a of rows x cols (row stride lda); c is cols x cols (row stride ldc).
void AddGram(const double* a, Index rows, Index cols, Index lda, double* c, Index ldc);
void AddGram(const float* a, Index rows, Index cols, Index lda, float* c, Index ldc);

// c += a a^T for a of rows x cols; c is rows x rows.
void AddKernel(const double* a, Index rows, Index cols, Index lda, double* c, Index ldc);

// c = a b^T in float: a is rows x inner, b is cols x inner and c rows x cols, with the row strides
// lda, ldb and ldc.
void MultiplyTransposed(const float* a, Index rows, Index inner, Index lda, const float* b,
                        Index cols, Index ldb, float* c, Index ldc);

// c += a b in float: a is rows x inner, b is inner x cols and c rows x cols.
void AddProduct(const float* a, Index rows, Index inner, Index lda, const float* b, Index cols,
                Index ldb, float* c, Index ldc);

// Replaces the lower triangle of a by its Cholesky factor L, a = L L^T. False if a is not
// positive definite to working precision; a is then destroyed.
[[nodiscard]] bool CholeskyFactor(double* a, Index n);
[[nodiscard]] bool CholeskyFactor(float* a, Index n);

// Solves L L^T x = b in place, for `count` right-hand sides, one after the other.
void CholeskySolve(const double* factor, Index n, double* x, Index count = 1);
void CholeskySolve(const float* factor, Index n, float* x, Index count = 1);

// The sum of the squares of L^-1: trace((L L^T)^-1), which the norm of the inverse does not exceed.
// Destroys the factor.
double InverseTrace(double* factor, Index n);

// Replaces a by its eigenvectors, one per row, and fills `values` in increasing order. Throws Error
// if LAPACK does not converge.
void SymmetricEigen(double* a, Index n, double* values);

// How many threads OpenBLAS would use if this thread called it now (1 after any call above), the
// name of the core its kernels were chosen for, and its version with the options it was built with.
int Threads();
const char* CoreName();
const char* Config();

}  // namespace alcedo::blas

// Gram and kernel matrices of rows of float or double, accumulated in double. A float Gram matrix
// loses the small eigenvalues (its error is 6e-8 of the largest one), and at small lambda these are
// the answer; it is good for a first step only (float_gram.h).
namespace alcedo {

// Rows as doubles, a bounded number of them at a time; reused between calls.
using GramScratch = std::vector<double>;

// gram += rows^T rows, width x width, lower triangle.
void AddGram(const float* rows, Index count, Index width, double* gram, GramScratch& scratch);
void AddGram(const double* rows, Index count, Index width, double* gram, GramScratch& scratch);

// kernel = rows rows^T, count x count, lower triangle.
void KernelMatrix(const float* rows, Index count, Index width, double* kernel,
                  GramScratch& scratch);
void KernelMatrix(const double* rows, Index count, Index width, double* kernel,
                  GramScratch& scratch);

}  // namespace alcedo
