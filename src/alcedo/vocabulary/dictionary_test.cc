#include "alcedo/vocabulary/dictionary.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "alcedo/base/error.h"
#include "alcedo/base/types.h"
#include "alcedo/vocabulary/lasso.h"

namespace alcedo {
namespace {

// Samples that are sparse in a hidden dictionary: two or three of its atoms, and a little noise.
struct Hidden {
  Rows atoms, samples;
  Hidden(Index count, Index num_atoms, Index dimension, std::uint64_t seed, double scale = 1)
      : atoms(num_atoms, dimension), samples(count, dimension) {
    Rng rng(seed);
    for (Index i = 0; i < atoms.size(); ++i) atoms.data()[i] = static_cast<float>(rng.Normal());
    atoms.rowwise().normalize();
    for (Index n = 0; n < count; ++n) {
      Eigen::RowVectorXd row = Eigen::RowVectorXd::Zero(dimension);
      for (Index i = 0; i < 2 + n % 2; ++i) {
        row += rng.Normal() * atoms.row(rng.UniformIndex(num_atoms)).cast<double>();
      }
      for (Index j = 0; j < dimension; ++j) row[j] += 0.01 * rng.Normal();
      samples.row(n) = (scale * row).cast<float>();
    }
  }
};

// The mean objective with codes from another algorithm: proximal gradient steps (ISTA) in double.
double NaiveObjective(const Rows& atoms, const Rows& samples, double l1) {
  const Eigen::MatrixXd a = atoms.cast<double>();
  // At most one over the largest eigenvalue.
  const double step = 1 / (a * a.transpose()).cwiseAbs().rowwise().sum().maxCoeff();
  double sum = 0;
  for (Index n = 0; n < samples.rows(); ++n) {
    const Vector x = samples.row(n).transpose().cast<double>();
    Vector c = Vector::Zero(a.rows());
    for (int i = 0; i < 3000; ++i) {
      c += step * (a * (x - a.transpose() * c));
      for (double& v : c) v = std::copysign(std::max(std::abs(v) - step * l1, 0.0), v);
    }
    sum += (x - a.transpose() * c).squaredNorm() / 2 + l1 * c.lpNorm<1>();
  }
  return sum / static_cast<double>(samples.rows());
}

void ExpectUnitAtoms(const Dictionary& dictionary) {
  for (Index k = 0; k < dictionary.size(); ++k) {
    EXPECT_NEAR(dictionary.atoms.row(k).norm(), 1, 1e-6) << k;
  }
}

TEST(SumCodes, AreNaiveSumsOverAllChunks) {
  const Hidden hidden(9000, 6, 5, 21);
  const Dictionary dictionary{hidden.atoms};
  const double l1 = 0.2;
  Matrix codes = Matrix::Zero(6, 6), products = Matrix::Zero(6, 5);
  double objective = 0;
  for (Index n = 0; n < 9000; ++n) {
    LassoWork work;
    Eigen::VectorXf code = Eigen::VectorXf::Zero(6);
    LassoCode(dictionary, AtomGram(dictionary), hidden.samples.row(n).data(), l1, 1e-4, 1000, work,
              code.data());
    const Vector c = code.cast<double>(), x = hidden.samples.row(n).transpose().cast<double>();
    codes += c * c.transpose();
    products += c * x.transpose();
    objective += (x - hidden.atoms.cast<double>().transpose() * c).squaredNorm() / 2;
    objective += l1 * c.lpNorm<1>();
  }
  const CodeSums sums = SumCodes(dictionary, SampleSource(hidden.samples), l1, 2);
  EXPECT_LT((sums.codes - codes).norm(), 1e-11 * codes.norm());
  EXPECT_LT((sums.products - products).norm(), 1e-11 * products.norm());
  EXPECT_NEAR(sums.objective, objective, 1e-11 * objective);
}

TEST(FitDictionary, FindsTheHiddenAtoms) {
  const Hidden hidden(3000, 10, 16, 1);
  Rng rng(2);
  TrainingReport report;
  const Dictionary dictionary = FitDictionary(
      SampleSource(hidden.samples),
      {.atoms = 16, .l1 = 0.05, .max_iterations = 40, .tolerance = 1e-5}, rng, {.report = &report});
  ExpectUnitAtoms(dictionary);
  const Rows cosines = (hidden.atoms * dictionary.atoms.transpose()).cwiseAbs();
  for (Index k = 0; k < 10; ++k) EXPECT_GT(cosines.row(k).maxCoeff(), 0.98) << k;
}

TEST(FitDictionary, ReportsTheTrueObjectiveWhichNeverRises) {
  const Hidden hidden(200, 8, 10, 3);
  Rng rng(4);
  std::vector<TrainingStep> steps;
  std::vector<Dictionary> models;
  TrainingReport report;
  const Dictionary dictionary = FitDictionary(
      SampleSource(hidden.samples), {.atoms = 12, .l1 = 0.1, .max_iterations = 8, .tolerance = 0},
      rng, {.report = &report, .observer = [&](const TrainingStep& step, const Dictionary& model) {
              steps.push_back(step);
              models.push_back(model);
            }});
  ASSERT_EQ(steps.size(), 8u);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    EXPECT_EQ(steps[i].iteration, static_cast<int>(i) + 1);
    EXPECT_EQ(steps[i].max_iterations, 8);
    const double naive = NaiveObjective(models[i].atoms, hidden.samples, 0.1);
    EXPECT_NEAR(steps[i].objective, naive, 2e-6 * naive);
    if (i > 0) {
      EXPECT_LE(steps[i].objective, (1 + 1e-7) * steps[i - 1].objective);
      EXPECT_NEAR(steps[i].change, 1 - steps[i].objective / steps[i - 1].objective, 1e-12);
    }
  }
  EXPECT_LT(steps.back().objective, 0.95 * steps.front().objective);
  EXPECT_EQ(dictionary.atoms, models.back().atoms);
  EXPECT_EQ(report.iterations, 8);
  EXPECT_EQ(report.objective, steps.back().objective);
  EXPECT_FALSE(report.converged);
}

TEST(FitDictionary, EveryAtomIsTheBestOneGivenTheOthers) {
  // At the end of a long run no atom can be turned in any direction to lower the objective of the
  // codes as they are. One atom is the case that can be solved by hand: with codes s(a.x), r is
  // sum s(a.x) x, and a is parallel to it.
  const Hidden hidden(500, 5, 6, 5);
  Rng rng(6);
  TrainingReport report;
  const double l1 = 0.2;
  const Dictionary one = FitDictionary(
      SampleSource(hidden.samples),
      {.atoms = 1, .l1 = l1, .max_iterations = 500, .tolerance = 1e-13}, rng, {.report = &report});
  EXPECT_TRUE(report.converged);
  Vector r = Vector::Zero(6);
  const Vector atom = one.atoms.row(0).transpose().cast<double>();
  for (Index n = 0; n < 500; ++n) {
    const Vector x = hidden.samples.row(n).transpose().cast<double>();
    const double dot = atom.dot(x);
    r += std::copysign(std::max(std::abs(dot) - l1, 0.0), dot) * x;
  }
  EXPECT_NEAR(r.normalized().dot(atom), 1, 1e-7);
  EXPECT_LT((r.normalized() - atom).norm(), 1e-3);
}

TEST(FitDictionary, GoingOnFromAnyIterationEndsAtTheSameBytes) {
  const Hidden hidden(400, 12, 9, 7);
  const SampleSource source(hidden.samples);
  // Many samples are too small to be coded: atoms are unused and replaced at random, every time.
  const DictionaryOptions options{.atoms = 200, .l1 = 1, .max_iterations = 12, .tolerance = 1e-4};
  std::vector<Dictionary> models;
  TrainingReport report;
  Rng rng(8);
  const Dictionary whole = FitDictionary(
      source, options, rng,
      {.report = &report,
       .observer = [&](const TrainingStep&, const Dictionary& model) { models.push_back(model); }});
  ASSERT_GE(models.size(), 3u);
  EXPECT_TRUE(report.converged);
  EXPECT_EQ(report.iterations, static_cast<int>(models.size()));
  EXPECT_EQ(whole.atoms, models.back().atoms);
  for (const Dictionary& model : models) ExpectUnitAtoms(model);
  for (std::size_t i = 0; i < models.size(); ++i) {
    Rng again(8);
    TrainingReport rest;
    const Dictionary resumed = FitDictionary(
        source, options, again,
        {.report = &rest, .start = &models[i], .start_iteration = static_cast<int>(i) + 1});
    EXPECT_EQ(resumed.atoms, whole.atoms) << "from iteration " << i + 1;
    EXPECT_EQ(rest.iterations, report.iterations);
    EXPECT_EQ(rest.objective, report.objective);
    EXPECT_EQ(rest.converged, report.converged);
  }
}

TEST(FitDictionary, ThreadsAndSourcesDoNotChangeABit) {
  const Hidden hidden(9000, 10, 8, 9);
  const DictionaryOptions options{.atoms = 14, .l1 = 0.2, .max_iterations = 3};
  const SampleSource reader(9000, 8, [&](Index begin, Index count, float* out) {
    std::copy_n(hidden.samples.data() + begin * 8, count * 8, out);
  });
  Rng first(10);
  const Dictionary one = FitDictionary(SampleSource(hidden.samples), options, first);
  for (const SampleSource& source : {SampleSource(hidden.samples), reader}) {
    for (int threads : {2, 5}) {
      Rng rng(10);
      EXPECT_EQ(FitDictionary(source, options, rng, {.threads = threads}).atoms, one.atoms);
    }
  }
}

TEST(FitDictionary, UnusedAtomsAreReplacedBySamples) {
  const Hidden hidden(50, 4, 6, 19);
  Dictionary start{Rows::Zero(3, 6)};  // an atom of zero is never used
  start.atoms.row(1) = hidden.samples.row(7).normalized();
  Rng rng(20);
  const Dictionary dictionary =
      FitDictionary(SampleSource(hidden.samples), {.atoms = 3, .l1 = 0.1, .max_iterations = 1}, rng,
                    {.start = &start});
  const Rows units = hidden.samples.rowwise().normalized();
  for (Index k : {0, 2}) {
    EXPECT_LT((units.rowwise() - dictionary.atoms.row(k)).rowwise().norm().minCoeff(), 1e-6f) << k;
  }
}

TEST(FitDictionary, ScalesWithTheSamples) {
  const Hidden hidden(300, 6, 7, 11);
  const DictionaryOptions options{.atoms = 9, .l1 = 0.2, .max_iterations = 4};
  Rng first(12);
  TrainingReport report;
  const Dictionary one =
      FitDictionary(SampleSource(hidden.samples), options, first, {.report = &report});
  for (double scale : {0x1p-60, 0x1p60}) {
    const Rows samples = static_cast<float>(scale) * hidden.samples;
    DictionaryOptions scaled = options;
    scaled.l1 *= scale;
    Rng rng(12);
    TrainingReport other;
    EXPECT_EQ(FitDictionary(SampleSource(samples), scaled, rng, {.report = &other}).atoms,
              one.atoms);
    EXPECT_NEAR(other.objective / scale / scale, report.objective, 1e-12 * report.objective);
  }
}

TEST(FitDictionary, MoreAtomsThanSamplesOneSampleAndEqualOnes) {
  for (Index count : {1, 3, 50}) {
    SCOPED_TRACE(count);
    Rows samples(count, 4);
    samples.rowwise() = Eigen::RowVector4f(3, 0, 4, 0);
    Rng rng(13);
    TrainingReport report;
    const Dictionary dictionary =
        FitDictionary(SampleSource(samples), {.atoms = 7, .l1 = 0.5}, rng, {.report = &report});
    ExpectUnitAtoms(dictionary);
    // The sample is an atom already: what is left is 1/2 0.5^2 + 0.5 (5 - 0.5).
    EXPECT_NEAR(report.objective, 2.375, 1e-5);
    EXPECT_TRUE(report.converged);
  }
}

TEST(FitDictionary, ZerosAreNoAtoms) {
  Rows samples = Rows::Zero(2000, 5);
  Rng rng(14);
  TrainingReport report;
  const DictionaryOptions options{.atoms = 6, .l1 = 0.1};
  ExpectUnitAtoms(FitDictionary(SampleSource(samples), options, rng, {.report = &report}));
  EXPECT_EQ(report.objective, 0);
  EXPECT_TRUE(report.converged);
  samples.row(700) << 0, 2, 0, 0, 0;  // one sample among zeros
  const Dictionary dictionary =
      FitDictionary(SampleSource(samples), options, rng, {.report = &report});
  ExpectUnitAtoms(dictionary);
  EXPECT_GT((dictionary.atoms.col(1).cwiseAbs()).maxCoeff(), 0.999f);
}

TEST(FitDictionary, NoIterationsGiveTheFirstAtoms) {
  const Hidden hidden(100, 6, 7, 15);
  Rng rng(16), same(16), other(17);
  TrainingReport report;
  const DictionaryOptions options{.atoms = 100, .l1 = 0.2, .max_iterations = 0};
  const SampleSource source(hidden.samples);
  const Dictionary dictionary = FitDictionary(source, options, rng, {.report = &report});
  EXPECT_EQ(report.iterations, 0);
  EXPECT_FALSE(report.converged);
  // Every one is a sample over its norm, and none is taken twice: here all of them.
  std::vector<Index> taken;
  for (Index k = 0; k < 100; ++k) {
    for (Index n = 0; n < 100; ++n) {
      const float cosine =
          dictionary.atoms.row(k).dot(hidden.samples.row(n)) / hidden.samples.row(n).norm();
      if (cosine > 1 - 1e-6f) taken.push_back(n);
    }
  }
  ASSERT_EQ(taken.size(), 100u);
  std::sort(taken.begin(), taken.end());
  EXPECT_EQ(std::unique(taken.begin(), taken.end()), taken.end());
  EXPECT_EQ(FitDictionary(source, options, same).atoms, dictionary.atoms);
  EXPECT_NE(FitDictionary(source, options, other).atoms, dictionary.atoms);
}

TEST(FitDictionary, RefusesWhatIsOutOfRange) {
  Hidden hidden(10, 3, 4, 18);
  const auto message = [&](const Rows& rows, const DictionaryOptions& options,
                           const Dictionary* start = nullptr, int iteration = 0) -> std::string {
    try {
      Rng rng(1);
      FitDictionary(SampleSource(rows), options, rng,
                    {.start = start, .start_iteration = iteration});
    } catch (const InvalidArgument& error) {
      return error.what();
    }
    return "";
  };
  const Rows& rows = hidden.samples;
  EXPECT_EQ(message(rows, {.atoms = 0}), "dictionary.atoms must be >= 1, got 0");
  EXPECT_EQ(message(rows, {.l1 = -1}), "dictionary.l1 must be >= 0 and finite, got -1");
  EXPECT_EQ(message(rows, {.max_iterations = -1}),
            "dictionary.max_iterations must be >= 0, got -1");
  EXPECT_EQ(message(rows, {.tolerance = -1}), "dictionary.tolerance must be >= 0, got -1");
  EXPECT_EQ(message(Rows(0, 4), {}), "number of dictionary samples must be >= 1, got 0");
  EXPECT_EQ(message(Rows(4, 0), {}), "dimension of the dictionary samples must be >= 1, got 0");
  Dictionary start{Rows::Identity(2, 3)};
  EXPECT_EQ(message(rows, {.atoms = 2}, &start),
            "the dictionary to start from must be 2 x 4, got 2 x 3");
  start.atoms = Rows::Identity(2, 4);
  EXPECT_EQ(message(rows, {.atoms = 2}, &start, -1), "start_iteration must be >= 0, got -1");
  start.atoms(1, 1) = std::numeric_limits<float>::infinity();
  EXPECT_EQ(message(rows, {.atoms = 2}, &start),
            "the dictionary to start from must have finite atoms");
  start.atoms(1, 1) = 1;
  hidden.samples(7, 2) = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(message(rows, {.atoms = 2}, &start), "dictionary samples: row 7, column 2 is NaN");
  Rng rng(1);
  EXPECT_THROW(FitDictionary(SampleSource(rows), {}, rng, {.threads = 0}), InvalidArgument);
}

}  // namespace
}  // namespace alcedo
