#include "alcedo/linalg/blas.h"

#include <cblas.h>

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "alcedo/base/error.h"
#include "alcedo/linalg/blas_buffer.h"
#include "alcedo/linalg/blas_core.h"

// Debian's OpenBLAS carries LAPACK but no header for it.
extern "C" {
void spotrf_(const char* uplo, const int* n, float* a, const int* lda, int* info);
void spotrs_(const char* uplo, const int* n, const int* nrhs, const float* a, const int* lda,
             float* b, const int* ldb, int* info);
void dpotrf_(const char* uplo, const int* n, double* a, const int* lda, int* info);
void dpotrs_(const char* uplo, const int* n, const int* nrhs, const double* a, const int* lda,
             double* b, const int* ldb, int* info);
void dtrtri_(const char* uplo, const char* diag, const int* n, double* a, const int* lda,
             int* info);
void dsyevd_(const char* jobz, const char* uplo, const int* n, double* a, const int* lda, double* w,
             double* work, const int* lwork, int* iwork, const int* liwork, int* info);
}

namespace alcedo::blas {
namespace {

// Here, since every program that uses OpenBLAS through us links this file.
[[maybe_unused]] const bool core_was_replaced = internal::ChooseBlasCore();

int ToInt(Index n) {
  Require(n >= 0 && n <= std::numeric_limits<int>::max(), "matrix dimension",
          "in the range of BLAS's int", static_cast<double>(n));
  return static_cast<int>(n);
}

// Lives during a call of OpenBLAS.
class Call {
 public:
  // Asked every time: the program around us may have set it to something else since.
  Call() {
    if (openblas_get_num_threads() != 1) openblas_set_num_threads(1);
  }

 private:
  internal::BlasBuffer buffer_;
};

// A row-major lower triangle is a column-major upper one.
constexpr char kTriangle[] = "U";

}  // namespace

void AddGram(const double* a, Index rows, Index cols, Index lda, double* c, Index ldc) {
  if (rows == 0 || cols == 0) return;
  const Call call;
  cblas_dsyrk(CblasRowMajor, CblasLower, CblasTrans, ToInt(cols), ToInt(rows), 1, a, ToInt(lda), 1,
              c, ToInt(ldc));
}

void AddGram(const float* a, Index rows, Index cols, Index lda, float* c, Index ldc) {
  if (rows == 0 || cols == 0) return;
  const Call call;
  cblas_ssyrk(CblasRowMajor, CblasLower, CblasTrans, ToInt(cols), ToInt(rows), 1, a, ToInt(lda), 1,
              c, ToInt(ldc));
}

void AddKernel(const double* a, Index rows, Index cols, Index lda, double* c, Index ldc) {
  if (rows == 0 || cols == 0) return;
  const Call call;
  cblas_dsyrk(CblasRowMajor, CblasLower, CblasNoTrans, ToInt(rows), ToInt(cols), 1, a, ToInt(lda),
              1, c, ToInt(ldc));
}

void MultiplyTransposed(const float* a, Index rows, Index inner, Index lda, const float* b,
                        Index cols, Index ldb, float* c, Index ldc) {
  if (rows == 0 || cols == 0) return;
  const Call call;
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, ToInt(rows), ToInt(cols), ToInt(inner), 1, a,
              ToInt(lda), b, ToInt(ldb), 0, c, ToInt(ldc));
}

void AddProduct(const float* a, Index rows, Index inner, Index lda, const float* b, Index cols,
                Index ldb, float* c, Index ldc) {
  if (rows == 0 || inner == 0 || cols == 0) return;
  const Call call;
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, ToInt(rows), ToInt(cols), ToInt(inner), 1,
              a, ToInt(lda), b, ToInt(ldb), 1, c, ToInt(ldc));
}

bool CholeskyFactor(double* a, Index n) {
  const Call call;
  const int size = ToInt(n);
  int info = 0;
  if (size > 0) dpotrf_(kTriangle, &size, a, &size, &info);
  return info == 0;
}

void CholeskySolve(const double* factor, Index n, double* x, Index count) {
  const Call call;
  const int size = ToInt(n), sides = ToInt(count);
  int info = 0;
  if (size > 0 && sides > 0) dpotrs_(kTriangle, &size, &sides, factor, &size, x, &size, &info);
}

bool CholeskyFactor(float* a, Index n) {
  const Call call;
  const int size = ToInt(n);
  int info = 0;
  if (size > 0) spotrf_(kTriangle, &size, a, &size, &info);
  return info == 0;
}

void CholeskySolve(const float* factor, Index n, float* x, Index count) {
  const Call call;
  const int size = ToInt(n), sides = ToInt(count);
  int info = 0;
  if (size > 0 && sides > 0) spotrs_(kTriangle, &size, &sides, factor, &size, x, &size, &info);
}

double InverseTrace(double* factor, Index n) {
  const Call call;
  const int size = ToInt(n);
  int info = 0;
  if (size > 0) dtrtri_(kTriangle, "N", &size, factor, &size, &info);
  if (info != 0) return std::numeric_limits<double>::infinity();
  double trace = 0;
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j <= i; ++j) trace += factor[i * n + j] * factor[i * n + j];
  }
  return trace;
}

void SymmetricEigen(double* a, Index n, double* values) {
  const Call call;
  // LAPACK counts the 2 n^2 doubles it works with in an int.
  Require(n <= 32766, "size of a matrix whose eigenvalues are asked for (lambda = 0)",
          "at most 32766", static_cast<double>(n));
  const int size = ToInt(n), query = -1;
  if (size == 0) return;
  int info = 0, integers = 0;
  double doubles = 0;
  dsyevd_("V", kTriangle, &size, a, &size, values, &doubles, &query, &integers, &query, &info);
  std::vector<double> work(static_cast<std::size_t>(doubles));
  std::vector<int> integer_work(integers);
  const int work_size = static_cast<int>(work.size());
  dsyevd_("V", kTriangle, &size, a, &size, values, work.data(), &work_size, integer_work.data(),
          &integers, &info);
  // Column-major eigenvectors in columns are row-major eigenvectors in rows.
  if (info != 0) {
    throw Error(fmt::format("eigenvalues of a {} x {} matrix did not converge (LAPACK info {})", n,
                            n, info));
  }
}

int Threads() { return openblas_get_num_threads(); }

const char* CoreName() { return openblas_get_corename(); }

const char* Config() { return openblas_get_config(); }

}  // namespace alcedo::blas

namespace alcedo {
namespace {

// 256 Ki doubles: 2 MiB, what stays in a second-level cache or near it.
constexpr Index kTileValues = Index{1} << 18;

template <class T>
void AddKernelByTiles(const T* rows, Index count, Index width, double* kernel,
                      GramScratch& scratch) {
  std::fill_n(kernel, count * count, 0.0);
  // Tiles of columns: the kernel is only formed if there are few rows, which may be very wide.
  const Index tile =
      std::clamp<Index>(kTileValues / std::max<Index>(count, 1), 16, std::max<Index>(width, 16));
  scratch.resize(std::max<std::size_t>(scratch.size(), tile * count));
  for (Index begin = 0; begin < width; begin += tile) {
    const Index size = std::min(tile, width - begin);
    for (Index i = 0; i < count; ++i) {
      std::copy_n(rows + i * width + begin, size, scratch.data() + i * size);
    }
    blas::AddKernel(scratch.data(), count, size, size, kernel, count);
  }
}

}  // namespace

void AddGram(const float* rows, Index count, Index width, double* gram, GramScratch& scratch) {
  const Index tile =
      std::clamp<Index>(kTileValues / std::max<Index>(width, 1), 16, std::max<Index>(count, 16));
  scratch.resize(std::max<std::size_t>(scratch.size(), tile * width));
  for (Index begin = 0; begin < count; begin += tile) {
    const Index size = std::min(tile, count - begin);
    std::copy_n(rows + begin * width, size * width, scratch.data());
    blas::AddGram(scratch.data(), size, width, width, gram, width);
  }
}

void AddGram(const double* rows, Index count, Index width, double* gram, GramScratch&) {
  blas::AddGram(rows, count, width, width, gram, width);
}

void KernelMatrix(const float* rows, Index count, Index width, double* kernel,
                  GramScratch& scratch) {
  AddKernelByTiles(rows, count, width, kernel, scratch);
}

void KernelMatrix(const double* rows, Index count, Index width, double* kernel,
                  GramScratch& scratch) {
  AddKernelByTiles(rows, count, width, kernel, scratch);
}

}  // namespace alcedo
