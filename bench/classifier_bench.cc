// One-against-the-rest machines of Fisher vectors, as many as Flowers has classes.
#include <fmt/format.h>
#include <linear.h>

#include <cmath>
#include <vector>

#include "alcedo/base/random.h"
#include "alcedo/base/types.h"
#include "alcedo/classifier/gram_svm.h"
#include "alcedo/classifier/linear_svm.h"
#include "harness.h"

namespace alcedo::bench {
namespace {

constexpr int kClasses = 102, kPerClass = 10, kTestPerClass = 5;
constexpr Index kDimension = 32768, kCount = kClasses * kPerClass;

struct Features {
  Rows training, test;
  std::vector<int> labels, test_labels;
};

// What power-normalised, L2-normalised Fisher vectors look like: dense, a mean of all, a mean of
// each class, and much noise, all under a signed square root.
Features MakeFeatures() {
  Rng rng(7);
  Rows means(kClasses + 1, kDimension);
  for (Index i = 0; i < means.size(); ++i) means.data()[i] = static_cast<float>(rng.Normal());
  Features f{Rows(kCount, kDimension), Rows(kClasses * kTestPerClass, kDimension), {}, {}};
  const auto fill = [&](Rows& rows, std::vector<int>& labels, Index i, int c) {
    labels.push_back(c);
    for (Index j = 0; j < kDimension; ++j) {
      const double x = 0.4 * means(kClasses, j) + 0.1 * means(c, j) + rng.Normal();
      rows(i, j) = static_cast<float>(std::copysign(std::sqrt(std::abs(x)), x));
    }
    rows.row(i).normalize();
  };
  for (Index i = 0; i < kCount; ++i) fill(f.training, f.labels, i, static_cast<int>(i % kClasses));
  for (Index i = 0; i < f.test.rows(); ++i) {
    fill(f.test, f.test_labels, i, static_cast<int>(i % kClasses));
  }
  return f;
}

// The rows as liblinear takes them: 16 bytes a value, a last one for the bias, an end mark.
struct LiblinearProblem {
  explicit LiblinearProblem(const Features& f) {
    nodes.reserve(kCount * (kDimension + 2));
    for (Index i = 0; i < kCount; ++i) {
      starts.push_back(nodes.data() + nodes.size());
      for (Index j = 0; j < kDimension; ++j) {
        nodes.push_back({static_cast<int>(j) + 1, f.training(i, j)});
      }
      nodes.push_back({static_cast<int>(kDimension) + 1, 1});
      nodes.push_back({-1, 0});
      labels.push_back(f.labels[i]);
    }
    data = {static_cast<int>(kCount), static_cast<int>(kDimension) + 1, labels.data(),
            starts.data(), 1};
  }
  std::vector<feature_node> nodes;
  std::vector<feature_node*> starts;
  std::vector<double> labels;
  problem data{};
};

LinearModel TrainLiblinear(const LiblinearProblem& problem, double c) {
  parameter p{};
  p.solver_type = L2R_L2LOSS_SVC_DUAL;
  p.eps = 0.1;
  p.C = c;
  set_print_string_function([](const char*) {});
  model* trained = train(&problem.data, &p);
  LinearModel result{Rows(kClasses, kDimension), Vector(kClasses)};
  for (int k = 0; k < kClasses; ++k) {
    const int label = trained->label[k];
    for (Index j = 0; j < kDimension; ++j) {
      result.weights(label, j) = static_cast<float>(trained->w[j * kClasses + k]);
    }
    result.bias[label] = trained->w[kDimension * kClasses + k];
  }
  free_and_destroy_model(&trained);
  return result;
}

std::vector<Index> Best(const Matrix& scores) {
  std::vector<Index> best(scores.rows());
  for (Index i = 0; i < scores.rows(); ++i) scores.row(i).maxCoeff(&best[i]);
  return best;
}

void Svm(std::vector<Row>& rows_out) {
  const Features f = MakeFeatures();
  const Targets targets = OneVsRest(f.labels, kClasses);
  const SvmOptions options{.c = 10};
  SvmReport report;
  LinearModel ours, theirs;
  Medians medians;
  TrainLinearSvm(f.training, targets, options);  // not counted
  medians.ours = Time([&] { ours = TrainLinearSvm(f.training, targets, options, &report); });
  Rows gram;
  const double gram_ms = Time([&] { gram = GramMatrix(f.training); });
  const double dual_ms = Time([&] { TrainGramSvm(gram, targets, options); });
  {
    const LiblinearProblem problem(f);
    medians.peer = Time([&] { theirs = TrainLiblinear(problem, options.c); });
  }
  const auto a = Best(Scores(ours, f.test)), b = Best(Scores(theirs, f.test));
  int same = 0, right = 0, right_peer = 0;
  double cosine = 1;
  for (std::size_t i = 0; i < a.size(); ++i) {
    same += a[i] == b[i];
    right += a[i] == f.test_labels[i];
    right_peer += b[i] == f.test_labels[i];
  }
  double passes = 0;
  for (Index c = 0; c < kClasses; ++c) {
    cosine = std::min(cosine, ours.weights.row(c).cast<double>().normalized().dot(
                                  theirs.weights.row(c).cast<double>().normalized()));
    passes += report.iterations[c];
  }
  rows_out.push_back(MakeRow(
      "svm/1,020 x 32,768, 102 classes", "liblinear -s 1 -c 10 -B 1", medians, 30,
      fmt::format(
          "Gram {:.0f} ms, descent {:.0f} ms, {:.1f} passes; least cosine of weights {:.5f}; "
          "same test labels {} of {}, right {}, peer {}",
          gram_ms, dual_ms, passes / kClasses, cosine, same, a.size(), right, right_peer)));
  // What training needs beside the caller's rows, the result included.
  const double n = kCount, d = kDimension, k = kClasses, mb = 1e6;
  Row memory;
  memory.kernel = "svm/memory";
  memory.peer = "liblinear: its copy of rows, model";
  memory.unit = "MB";
  memory.ours_ms = (4 * n * n + (3 * 8 + 8 * 4) * n * k + 4 * d * k) / mb;
  memory.peer_ms = (16 * n * (d + 2) + 8 * (d + 1) * k) / mb;
  memory.ratio = memory.peer_ms / memory.ours_ms;
  memory.goal = ">= 3";
  const double with_rows = memory.peer_ms / (memory.ours_ms + 4 * n * d / mb);
  memory.reached = with_rows >= 3;
  memory.note = fmt::format("counted; {:.1f} with our rows of float themselves", with_rows);
  rows_out.push_back(memory);
}

}  // namespace

std::vector<Group> ClassifierGroups() { return {{"svm", Svm}}; }

}  // namespace alcedo::bench
