// A program outside the tree that hands arrays of every kind to the library and back, and uses
// matrices of Eigen's own beside them. It must work whatever flags it is compiled with.
#include <alcedo/core.h>

#include <Eigen/Core>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

namespace {

void Check(bool right, const char* what) {
  if (right) return;
  std::fprintf(stderr, "wrong: %s\n", what);
  std::exit(1);
}

// Products and sizes of Eigen's own, of the types that the library uses inside.
template <class M>
void UseEigen() {
  M a = M::Random(37, 23);
  for (int size = 1; size < 60; ++size) {
    M b = M::Constant(a.cols(), size, 0.5F);
    M c = a * b;
    c.resize(size, size + 1);
    c.setOnes();
    c.conservativeResize(size + 3, size);
    Check(std::abs(c.topRows(size).sum() - static_cast<float>(size * size)) < 1e-3F, "Eigen's sum");
    a = (a * b * b.transpose()).eval() / static_cast<float>(size * 23);
  }
}

void UseBoth() {
  // By value out of the library, resized and freed here; by value into the library, and freed
  // there.
  alcedo::Rows rows = alcedo::Rows::Random(500, 64);
  alcedo::GmpOptions options;
  options.lambda = 0.1;
  options.relative = true;
  auto [phi, report] = alcedo::PoolGmp(alcedo::Encodings::Dense(rows), options);
  Check(phi.size() == 64 && report.residual < 1e-5, "GMP");
  alcedo::L2Normalize(phi);
  Check(std::abs(phi.norm() - 1) < 1e-12, "the norm");
  phi = phi.head(3).eval();
  phi.conservativeResize(90);
  phi.setZero(7);
  const alcedo::Vector small =
      alcedo::PoolGmp(alcedo::Encodings::Dense(alcedo::Rows{{1, 0}, {1, 0}, {0, 1}}), {.lambda = 0})
          .phi;
  Check(std::abs(small[0] - 1) < 1e-9 && std::abs(small[1] - 1) < 1e-9, "GMP of three rows");

  // Views of Eigen's matrices, in place and as copies, and spans of them.
  Eigen::MatrixXf columns = Eigen::MatrixXf::Zero(4, 2);
  columns.col(0) << 0, 10, 1, 9;
  const alcedo::Rows centers{{0, 0}, {10, 0}};
  Check(alcedo::AssignNearest(centers, columns) == std::vector<std::int32_t>{0, 1, 0, 1},
        "k-means");
  Check(
      alcedo::AssignNearest(centers, 2 * columns.bottomRows(2)) == std::vector<std::int32_t>{0, 1},
      "k-means of an expression");
  Eigen::VectorXd mine{{3, 4, 7}};
  alcedo::L2Normalize(mine.head(2));
  Check(std::abs(mine[0] - 0.6) + std::abs(mine[1] - 0.8) + std::abs(mine[2] - 7) < 1e-12,
        "a span");

  // Structs of arrays that the library fills, and that are copied, moved and freed here.
  alcedo::Rng rng(1);
  std::vector<alcedo::Codebook> codebooks;
  for (int i = 0; i < 9; ++i) {
    codebooks.push_back(alcedo::FitKMeans(alcedo::SampleSource(rows),
                                          {.clusters = 2 + i, .max_iterations = 2}, rng));
    codebooks.push_back(codebooks.front());
  }
  std::swap(codebooks.front(), codebooks.back());
  codebooks.back().centers = codebooks[2].centers;
  Check(codebooks.back().centers.rows() == 3, "codebooks");
  const std::vector<int> labels{0, 1, 0, 1};
  alcedo::Targets targets = alcedo::OneVsRest(labels, 2);
  const alcedo::LinearModel model = alcedo::TrainLinearSvm(columns, targets, {});
  const alcedo::Matrix scores = alcedo::Scores(model, columns);
  Check(alcedo::Predict(scores) == labels, "the SVM");
  Check(alcedo::ConfusionMatrix(alcedo::Predict(scores), labels, 2).sum() == 4, "the counts");
  targets = alcedo::Targets::Zero(9, 9);
}

}  // namespace

int main() {
  for (int i = 0; i < 3; ++i) {
    UseEigen<Eigen::MatrixXf>();
    UseEigen<Eigen::MatrixXd>();
    UseEigen<Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>();
    UseEigen<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>();
    UseBoth();
  }
}
