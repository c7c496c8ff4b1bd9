#include "peers.h"

#include <cblas.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "alcedo/base/types.h"

extern "C" {
void spotrf_(const char* uplo, const int* n, float* a, const int* lda, int* info);
void spotrs_(const char* uplo, const int* n, const int* nrhs, const float* a, const int* lda,
             float* b, const int* ldb, int* info);
}

namespace alcedo::bench {
namespace {

void CholeskySolve(std::vector<float>& matrix, int n, float lambda, float* b) {
  for (int i = 0; i < n; ++i) matrix[static_cast<std::size_t>(i) * n + i] += lambda;
  int info = 0, one = 1;
  spotrf_("U", &n, matrix.data(), &n, &info);
  spotrs_("U", &n, &one, matrix.data(), &n, b, &n, &info);
}

// The rows of every block one after the other, as a careful user would sort them once.
struct Sorted {
  std::vector<std::vector<Index>> rows;
  explicit Sorted(const Encodings& encodings) : rows(encodings.num_blocks()) {
    for (Index n = 0; n < encodings.num_rows(); ++n) rows[encodings.Block(n)].push_back(n);
  }
};

void Gather(const Encodings& encodings, const std::vector<Index>& rows, std::vector<float>& to) {
  const Index width = encodings.block_size();
  to.resize(rows.size() * width);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::copy_n(encodings.Values(rows[i]), width, to.data() + i * width);
  }
}

}  // namespace

void UseOneBlasThread() { openblas_set_num_threads(1); }

PeerResult CgWithSgemv(const Rows& rows, double lambda, double tolerance, int max_iterations) {
  const int n = static_cast<int>(rows.rows()), d = static_cast<int>(rows.cols());
  const float shift = static_cast<float>(lambda);
  std::vector<float> ones(n, 1.0f), t(n), b(d), r(d), p(d), q(d), x(d, 0.0f);
  cblas_sgemv(CblasRowMajor, CblasTrans, n, d, 1, rows.data(), d, ones.data(), 1, 0, b.data(), 1);
  r = b;
  p = b;
  float rr = cblas_sdot(d, r.data(), 1, r.data(), 1);
  const float target = static_cast<float>(tolerance) * std::sqrt(rr);
  int k = 0;
  while (std::sqrt(rr) > target && k < max_iterations) {
    cblas_sgemv(CblasRowMajor, CblasNoTrans, n, d, 1, rows.data(), d, p.data(), 1, 0, t.data(), 1);
    cblas_sgemv(CblasRowMajor, CblasTrans, n, d, 1, rows.data(), d, t.data(), 1, 0, q.data(), 1);
    cblas_saxpy(d, shift, p.data(), 1, q.data(), 1);
    const float step = rr / cblas_sdot(d, p.data(), 1, q.data(), 1);
    cblas_saxpy(d, step, p.data(), 1, x.data(), 1);
    cblas_saxpy(d, -step, q.data(), 1, r.data(), 1);
    const float next = cblas_sdot(d, r.data(), 1, r.data(), 1);
    cblas_sscal(d, next / rr, p.data(), 1);
    cblas_saxpy(d, 1, r.data(), 1, p.data(), 1);
    rr = next;
    ++k;
  }
  return {std::move(x), k};
}

PeerResult GramCholeskyOpenBlas(const Rows& rows, double lambda) {
  const int n = static_cast<int>(rows.rows()), d = static_cast<int>(rows.cols());
  std::vector<float> gram(static_cast<std::size_t>(d) * d), b(d), ones(n, 1.0f);
  cblas_sgemv(CblasRowMajor, CblasTrans, n, d, 1, rows.data(), d, ones.data(), 1, 0, b.data(), 1);
  cblas_ssyrk(CblasRowMajor, CblasLower, CblasTrans, d, n, 1, rows.data(), d, 0, gram.data(), d);
  CholeskySolve(gram, d, static_cast<float>(lambda), b.data());
  return {std::move(b), 0};
}

PeerResult GramCholeskyEigen(const Rows& rows, double lambda) {
  Eigen::MatrixXf gram =
      Eigen::MatrixXf::Identity(rows.cols(), rows.cols()) * static_cast<float>(lambda);
  gram.selfadjointView<Eigen::Lower>().rankUpdate(rows.transpose());
  const Eigen::VectorXf b = rows.colwise().sum();
  const Eigen::VectorXf x = gram.selfadjointView<Eigen::Lower>().llt().solve(b);
  return {std::vector<float>(x.data(), x.data() + x.size()), 0};
}

PeerResult BlockwiseLapack(const Encodings& encodings, double lambda) {
  const int width = static_cast<int>(encodings.block_size());
  const Sorted sorted(encodings);
  std::vector<float> phi(encodings.dimension(), 0.0f), x, matrix, right, ones;
  for (Index b = 0; b < encodings.num_blocks(); ++b) {
    const int n = static_cast<int>(sorted.rows[b].size());
    if (n == 0) continue;
    Gather(encodings, sorted.rows[b], x);
    float* out = phi.data() + b * width;
    ones.assign(n, 1.0f);
    if (n < width) {
      matrix.resize(static_cast<std::size_t>(n) * n);
      cblas_ssyrk(CblasRowMajor, CblasLower, CblasNoTrans, n, width, 1, x.data(), width, 0,
                  matrix.data(), n);
      CholeskySolve(matrix, n, static_cast<float>(lambda), ones.data());
      cblas_sgemv(CblasRowMajor, CblasTrans, n, width, 1, x.data(), width, ones.data(), 1, 0, out,
                  1);
    } else {
      matrix.resize(static_cast<std::size_t>(width) * width);
      cblas_ssyrk(CblasRowMajor, CblasLower, CblasTrans, width, n, 1, x.data(), width, 0,
                  matrix.data(), width);
      cblas_sgemv(CblasRowMajor, CblasTrans, n, width, 1, x.data(), width, ones.data(), 1, 0, out,
                  1);
      CholeskySolve(matrix, width, static_cast<float>(lambda), out);
    }
  }
  return {std::move(phi), 0};
}

PeerResult BlockwiseLapackWeights(const Encodings& encodings, double lambda, bool smaller) {
  const int width = static_cast<int>(encodings.block_size());
  const Sorted sorted(encodings);
  std::vector<float> weights(encodings.num_rows(), 0.0f), x, matrix, ones, phi(width);
  for (Index b = 0; b < encodings.num_blocks(); ++b) {
    const int n = static_cast<int>(sorted.rows[b].size());
    if (n == 0) continue;
    Gather(encodings, sorted.rows[b], x);
    ones.assign(n, 1.0f);
    if (!smaller || n < width) {
      matrix.resize(static_cast<std::size_t>(n) * n);
      cblas_ssyrk(CblasRowMajor, CblasLower, CblasNoTrans, n, width, 1, x.data(), width, 0,
                  matrix.data(), n);
      CholeskySolve(matrix, n, static_cast<float>(lambda), ones.data());
    } else {
      matrix.resize(static_cast<std::size_t>(width) * width);
      cblas_ssyrk(CblasRowMajor, CblasLower, CblasTrans, width, n, 1, x.data(), width, 0,
                  matrix.data(), width);
      cblas_sgemv(CblasRowMajor, CblasTrans, n, width, 1, x.data(), width, ones.data(), 1, 0,
                  phi.data(), 1);
      CholeskySolve(matrix, width, static_cast<float>(lambda), phi.data());
      const float inverse = static_cast<float>(1 / lambda);
      cblas_sgemv(CblasRowMajor, CblasNoTrans, n, width, -inverse, x.data(), width, phi.data(), 1,
                  inverse, ones.data(), 1);
    }
    for (int i = 0; i < n; ++i) weights[sorted.rows[b][i]] = ones[i];
  }
  return {std::move(weights), 0};
}

Rows EmkWithEigen(const RandomFourier& fourier, const Rows& rows) {
  const Eigen::RowVectorXf phases = fourier.phases.cast<float>().transpose();
  const float scale = std::sqrt(2.0f / static_cast<float>(fourier.size()));
  Rows encodings(rows.rows(), fourier.size());
  encodings.noalias() = rows * fourier.frequencies.transpose();
  encodings = scale * (encodings.rowwise() + phases).array().cos();
  return encodings;
}

double TrueResidual(const Encodings& encodings, double lambda, const Vector& x) {
  const Vector b = WeightedSum(encodings, Vector::Ones(encodings.num_rows()));
  const Vector ax = WeightedSum(encodings, Similarities(encodings, x));
  return (b - ax - lambda * x).norm() / b.norm();
}

}  // namespace alcedo::bench
