#include "alcedo/linalg/ridge_qr.h"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>

#include "alcedo/linalg/cg.h"

namespace alcedo {
namespace {

using ColumnMajor = Eigen::MatrixXd;
using Qr = Eigen::HouseholderQR<ColumnMajor>;
using cg_internal::Norm;

// The backward error of the factorisation, as a part of the norm of what is factorised.
constexpr double kBackwardError = 2 * std::numeric_limits<double>::epsilon();

// The rows above sqrt(lambda) I, or their transpose above it.
ColumnMajor Augmented(const RowOperator& rows, double root, bool dual) {
  const Index n = rows.num_rows(), d = rows.size();
  ColumnMajor a = ColumnMajor::Zero(n + d, dual ? n : d);
  Vector row(d);
  for (Index i = 0; i < n; ++i) {
    rows.CopyRow(i, row.data());
    if (dual) {
      a.col(i).head(d) = row;
    } else {
      a.row(i) = row.transpose();
    }
  }
  a.bottomRows(a.cols()).diagonal().array() = root;
  return a;
}

// The Frobenius norm of R^-1, which its norm does not exceed.
double InverseNorm(const Qr& qr) {
  const Index size = qr.matrixQR().cols();
  const ColumnMajor inverse = qr.matrixQR().topRows(size).triangularView<Eigen::Upper>().solve(
      ColumnMajor::Identity(size, size));
  return inverse.norm();
}

// phi minimises ||A phi - (1; 0)||, and what it leaves of the ones is lambda times the weights.
RidgeQr SolvePrimal(const RowOperator& rows, double lambda) {
  const Index n = rows.num_rows(), d = rows.size();
  const ColumnMajor a = Augmented(rows, std::sqrt(lambda), false);
  const double norm = a.norm();
  const Qr qr(a);
  Eigen::VectorXd c = Eigen::VectorXd::Zero(n + d);
  c.head(n).setOnes();
  c.applyOnTheLeft(qr.householderQ().adjoint());
  RidgeQr result;
  result.phi = qr.matrixQR().topRows(d).triangularView<Eigen::Upper>().solve(c.head(d));
  c.head(d).setZero();
  const double left = c.norm();
  c.applyOnTheLeft(qr.householderQ());
  result.weights = c.head(n) / lambda;
  const double inverse = InverseNorm(qr), eta = kBackwardError * norm;
  result.phi_error = eta * inverse * (Norm(result.phi) + inverse * left);
  result.weights_error =
      (eta * (Norm(result.phi) + inverse * left) + kBackwardError * std::sqrt(double(n))) / lambda;
  return result;
}

// (phi; sqrt(lambda) weights) is the shortest solution of B y = 1, where B^T is what is factorised.
RidgeQr SolveDual(const RowOperator& rows, double lambda) {
  const Index n = rows.num_rows(), d = rows.size();
  const double root = std::sqrt(lambda);
  const ColumnMajor a = Augmented(rows, root, true);
  const double norm = a.norm();
  const Qr qr(a);
  const auto r = qr.matrixQR().topRows(n).triangularView<Eigen::Upper>();
  Eigen::VectorXd y = Eigen::VectorXd::Zero(n + d);
  y.head(n) = r.transpose().solve(Eigen::VectorXd::Ones(n));
  const double length = y.norm();
  RidgeQr result;
  result.weights = r.solve(y.head(n));
  y.applyOnTheLeft(qr.householderQ());
  result.phi = y.head(d);
  const double inverse = InverseNorm(qr), eta = kBackwardError * norm;
  result.phi_error = 2 * eta * inverse * length;
  result.weights_error = 2 * eta * inverse * (Norm(result.weights) + inverse * length);
  return result;
}

}  // namespace

double RidgeQrBytes(Index num_rows, Index dimension) {
  // What is factorised twice, and the inverse of its triangle.
  const double all = static_cast<double>(num_rows + dimension);
  const double side = static_cast<double>(std::min(num_rows, dimension));
  return 8 * side * (2 * all + side);
}

RidgeQr SolveRidgeByQr(const RowOperator& rows, double lambda) {
  return rows.num_rows() < rows.size() ? SolveDual(rows, lambda) : SolvePrimal(rows, lambda);
}

}  // namespace alcedo
