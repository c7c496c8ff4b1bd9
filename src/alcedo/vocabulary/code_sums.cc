#include "alcedo/vocabulary/code_sums.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "alcedo/base/parallel.h"
#include "alcedo/vocabulary/sample_checks.h"

namespace alcedo {
namespace {

constexpr Index kChunkRows = 4096;  // the unit of work for a thread, which ends in one K x K matrix
// Of the codes while learning: their objective is then within about 1e-8 of the best.
constexpr double kCodeTolerance = 1e-4;
constexpr int kCodeSweeps = 1000;

CodeSums OfChunk(const Dictionary& dictionary, const Rows& gram, const SampleSource& samples,
                 Index begin, Index count, double l1) {
  const Index atoms = dictionary.size(), d = dictionary.dimension();
  Rows scratch;
  const float* rows = samples.Chunk(begin, count, scratch);
  RequireFinite(rows, count, d, begin, "dictionary samples");
  CodeSums sums(atoms, d);
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
  return sums;
}

}  // namespace

CodeSums SumCodes(const Dictionary& dictionary, const SampleSource& samples, double l1,
                  int threads) {
  const Rows gram = AtomGram(dictionary);
  const Index chunks = (samples.rows() + kChunkRows - 1) / kChunkRows;
  CodeSums total(dictionary.size(), dictionary.dimension());
  // As many chunks at a time as there are threads, added in their order: the number of threads
  // changes nothing but the memory.
  std::vector<CodeSums> wave(std::min<Index>(threads, chunks));
  for (Index first = 0; first < chunks; first += threads) {
    const Index size = std::min<Index>(threads, chunks - first);
    ParallelFor(size, threads, [&](Index i) {
      const Index begin = (first + i) * kChunkRows;
      const Index count = std::min(kChunkRows, samples.rows() - begin);
      wave[i] = OfChunk(dictionary, gram, samples, begin, count, l1);
    });
    for (Index i = 0; i < size; ++i) {
      total.objective += wave[i].objective;
      total.codes += wave[i].codes;
      total.products += wave[i].products;
    }
  }
  return total;
}

}  // namespace alcedo
