#include "alcedo/vocabulary/dictionary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>

#include "alcedo/base/error.h"
#include "alcedo/linalg/kernels.h"
#include "alcedo/vocabulary/lasso.h"
#include "alcedo/vocabulary/sample_checks.h"

namespace alcedo {
namespace {

constexpr Index kChunkRows = 4096;  // the unit of work for a thread, which ends in one K x K matrix
// Of the codes while learning: their objective is then within about 1e-8 of the best.
constexpr double kCodeTolerance = 1e-4;
constexpr int kCodeSweeps = 1000;

void AddChunk(const Dictionary& dictionary, const Rows& gram, const SampleSource& samples,
              Index begin, Index count, double l1, CodeSums& sums) {
  const Index atoms = dictionary.size(), d = dictionary.dimension();
  Rows scratch;
  const float* rows = samples.Chunk(begin, count, scratch);
  RequireFinite(rows, count, d, begin, "dictionary samples");
  LassoWork work;
  std::vector<float> code(atoms);
  std::vector<Index> used;
  Vector x(d), rest(d);
  for (Index n = 0; n < count; ++n) {
    const float* row = rows + n * d;
    std::fill(code.begin(), code.end(), 0.0f);
    LassoCode(dictionary, gram, row, l1, kCodeTolerance, kCodeSweeps, work, code.data());
    used.clear();
    for (Index k = 0; k < atoms; ++k) {
      if (code[k] != 0) used.push_back(k);
    }
    x = Eigen::Map<const Eigen::VectorXf>(row, d).cast<double>();
    rest = x;
    double l1_norm = 0;
    for (const Index k : used) {
      const double c = code[k];
      l1_norm += std::abs(c);
      rest -= c * dictionary.atoms.row(k).transpose().cast<double>();
      sums.products.row(k) += c * x.transpose();
      for (const Index i : used) sums.codes(k, i) += c * code[i];
    }
    sums.objective += rest.squaredNorm() / 2 + l1 * l1_norm;
  }
}

void CheckArguments(const RankedSamples& samples, const DictionaryOptions& options, int threads,
                    const Dictionary* start, int start_iteration) {
  Require(threads >= 1, "threads", ">= 1", threads);
  Require(samples.rows() >= 1, "number of dictionary samples", ">= 1",
          static_cast<double>(samples.rows()));
  Require(samples.dimension() >= 1, "dimension of the dictionary samples", ">= 1",
          static_cast<double>(samples.dimension()));
  Require(start_iteration >= 0, "start_iteration", ">= 0", start_iteration);
  if (start == nullptr) return;
  if (start->size() != options.atoms || start->dimension() != samples.dimension()) {
    throw InvalidArgument(fmt::format("the dictionary to start from must be {} x {}, got {} x {}",
                                      options.atoms, samples.dimension(), start->size(),
                                      start->dimension()));
  }
  if (!start->atoms.allFinite()) {
    throw InvalidArgument("the dictionary to start from must have finite atoms");
  }
}

// Collective: writes sample n over its norm into `atom`; false if it is zero.
bool UnitSample(const RankedSamples& samples, Index n, float* atom) {
  const Index d = samples.dimension(), numbers[] = {n};
  const Rows sample = samples.Fetch(numbers);
  const float* row = sample.data();
  RequireFinite(row, 1, d, n, "dictionary samples");
  const double norm = std::sqrt(kernels::SquaredNorm(row, d));
  for (Index j = 0; norm > 0 && j < d; ++j) atom[j] = static_cast<float>(row[j] / norm);
  return norm > 0;
}

void RandomDirection(Rng& rng, Index d, float* atom) {
  Vector direction(d);
  do {
    for (Index j = 0; j < d; ++j) direction[j] = rng.Normal();
  } while (!(direction.norm() > 0));
  Eigen::Map<Eigen::VectorXf>(atom, d) = direction.normalized().cast<float>();
}

// Different samples at random, by the first steps of a shuffle of which only the moved places are
// kept. If many are zero it stops looking at some point, and takes random directions.
Dictionary FirstAtoms(const RankedSamples& samples, Index atoms, Rng rng) {
  Dictionary dictionary{Rows(atoms, samples.dimension())};
  const Index rows = samples.rows(), tries = std::min(rows, 10 * atoms + 1000);
  std::unordered_map<Index, Index> moved;
  Index found = 0;
  for (Index i = 0; i < tries && found < atoms; ++i) {
    const auto at = [&](Index place) {
      const auto it = moved.find(place);
      return it == moved.end() ? place : it->second;
    };
    const Index place = i + rng.UniformIndex(rows - i);
    const Index n = at(place);
    moved[place] = at(i);
    if (UnitSample(samples, n, dictionary.atoms.row(found).data())) ++found;
  }
  for (; found < atoms; ++found) {
    RandomDirection(rng, samples.dimension(), dictionary.atoms.row(found).data());
  }
  return dictionary;
}

// Every atom in turn becomes the best one of unit norm given the others: with a_i fixed for i != k
// the objective is -a_k . r_k + const, r_k = sum c_k x - sum_(i != k) sum c_k c_i a_i. Returns by
// how much the summed objective falls.
double UpdateAtoms(const CodeSums& sums, const RankedSamples& samples, Rng rng,
                   Dictionary& dictionary) {
  Matrix atoms = dictionary.atoms.cast<double>();
  double fall = 0;
  for (Index k = 0; k < atoms.rows(); ++k) {
    const double energy = sums.codes(k, k);
    if (!(energy > 0)) {
      // No sample uses it. A few tries to find one that is not zero; else it stays.
      Eigen::RowVectorXf sample(atoms.cols());
      for (int tries = 0; tries < 16; ++tries) {
        if (!UnitSample(samples, rng.UniformIndex(samples.rows()), sample.data())) continue;
        atoms.row(k) = sample.cast<double>();
        break;
      }
      continue;
    }
    Eigen::RowVectorXd r = sums.products.row(k) + energy * atoms.row(k);
    for (Index i = 0; i < atoms.rows(); ++i) {
      if (sums.codes(k, i) != 0) r -= sums.codes(k, i) * atoms.row(i);
    }
    const double norm = r.norm();
    if (!(norm > 0)) continue;
    const Eigen::RowVectorXd best = r / norm;
    fall += (best - atoms.row(k)).dot(r) - energy * (1 - atoms.row(k).squaredNorm()) / 2;
    atoms.row(k) = best;
  }
  dictionary.atoms = atoms.cast<float>();
  return fall;
}

}  // namespace

void Check(const DictionaryOptions& options) {
  Require(options.atoms >= 1, "dictionary.atoms", ">= 1", options.atoms);
  Require(options.l1 >= 0 && std::isfinite(options.l1), "dictionary.l1", ">= 0 and finite",
          options.l1);
  Require(options.max_iterations >= 0, "dictionary.max_iterations", ">= 0", options.max_iterations);
  Require(options.tolerance >= 0, "dictionary.tolerance", ">= 0", options.tolerance);
}

void CodeSums::Add(const CodeSums& other) {
  objective += other.objective;
  codes += other.codes;
  products += other.products;
}

CodeSums SumCodes(const Dictionary& dictionary, const RankedSamples& samples, double l1,
                  int threads) {
  const Rows gram = AtomGram(dictionary);
  const CodeSums zero(dictionary.size(), dictionary.dimension());
  return SumInOrder(samples, kChunkRows, kChunkRows, threads, zero, threads,
                    [&](Index begin, Index count, CodeSums& sums) {
                      AddChunk(dictionary, gram, samples.own(), begin, count, l1, sums);
                    });
}

Dictionary FitDictionary(const SampleSource& own, const DictionaryOptions& options, Rng& rng,
                         const FitContext<Dictionary>& context) {
  Check(options);
  const int threads = context.threads;
  const RankedSamples samples(own, context.ranks);
  CheckArguments(samples, options, threads, context.start, context.start_iteration);
  const std::uint64_t seed = rng.Next();
  Dictionary dictionary = context.start != nullptr
                              ? *context.start
                              : FirstAtoms(samples, options.atoms, Rng::ForItem(seed, 0));
  CodeSums sums = SumCodes(dictionary, samples, options.l1, threads);
  const auto count = static_cast<double>(samples.rows());
  int iteration = context.start_iteration;
  bool converged = false;
  while (iteration < options.max_iterations) {
    Dictionary next = dictionary;
    const double fall = UpdateAtoms(sums, samples, Rng::ForItem(seed, iteration + 1), next);
    converged = fall <= options.tolerance * sums.objective;
    if (converged) break;
    dictionary = std::move(next);
    ++iteration;
    const double before = sums.objective;
    sums = SumCodes(dictionary, samples, options.l1, threads);
    if (context.observer) {
      context.observer({iteration, options.max_iterations, sums.objective / count,
                        (before - sums.objective) / before},
                       dictionary);
    }
  }
  if (context.report != nullptr) *context.report = {iteration, sums.objective / count, converged};
  return dictionary;
}

}  // namespace alcedo
