// The appendix: with an orthonormal codebook GMP is max pooling, whatever the counts.
#include <algorithm>
#include <vector>

#include "alcedo/base/types.h"
#include "alcedo/pooling/elementary.h"
#include "alcedo/pooling/gmp.h"
#include "problem.h"

namespace alcedo::laws {
namespace {

struct Bag {
  std::vector<Index> words;   // one per patch
  std::vector<Index> counts;  // one per codeword
};
Bag AnyBag(Random& random, Index codewords) {
  Bag bag;
  bag.counts.assign(codewords, 0);
  const Index present = random.Integer(1, codewords);
  // Squaring makes some words much more frequent than others.
  for (Index n = random.Integer(0, 80); n > 0; --n) {
    const double u = random.Uniform();
    const Index word = static_cast<Index>(u * u * static_cast<double>(present));
    bag.words.push_back(word);
    ++bag.counts[word];
  }
  return bag;
}

// Hard BOV: block size 1 with one entry, or the same as indicator rows.
Problem HardBov(const Bag& bag, Layout layout) {
  Problem p;
  p.kind = "hard BOV";
  p.layout = Layout::kOneBlockPerRow;
  p.num_blocks = static_cast<Index>(bag.counts.size());
  for (const Index word : bag.words) {
    p.blocks.push_back(static_cast<std::int32_t>(word));
    p.offsets.push_back(static_cast<Index>(p.blocks.size()));
  }
  p.values = Rows::Ones(static_cast<Index>(bag.words.size()), 1);
  return p.As(layout);
}

// Patches drawn from the rows of an orthonormal codebook.
Problem FromCodebook(const Bag& bag, const Table& codebook) {
  Problem p;
  p.kind = "orthonormal codebook";
  p.block_size = codebook.cols;
  p.values.resize(static_cast<Index>(bag.words.size()), codebook.cols);
  for (std::size_t n = 0; n < bag.words.size(); ++n) {
    p.blocks.push_back(0);
    p.offsets.push_back(static_cast<Index>(n + 1));
    for (Index j = 0; j < codebook.cols; ++j)
      p.values(static_cast<Index>(n), j) = static_cast<float>(codebook(bag.words[n], j));
  }
  return p;
}

// `count` orthonormal rows: the axes, turned by mirrors.
Table OrthonormalRows(Random& random, Index count, Index dimension) {
  Table codebook(count, dimension);
  for (Index k = 0; k < count; ++k) codebook(k, k) = 1;
  for (Index mirrors = random.Integer(0, dimension); mirrors > 0; --mirrors) {
    Reals v(dimension);
    for (Real& x : v) x = random.Normal();
    Mirror(codebook, v);
  }
  return codebook;
}

GmpSolver AnySolver(Random& random) {
  return random.Pick(
      {GmpSolver::kAuto, GmpSolver::kCg, GmpSolver::kDirect, GmpSolver::kPrimal, GmpSolver::kDual});
}

TEST(MaxPoolingLaws, HardBovWithoutRegularisationIsMaxPooling) {
  ForEachCase(8000, [&](Random& random) {
    const Bag bag = AnyBag(random, random.Integer(1, 40));
    for (const Layout layout :
         {Layout::kDense, Layout::kOneBlockPerRow, Layout::kSeveralBlocksPerRow}) {
      const Problem problem = HardBov(bag, layout);
      const Encodings encodings = problem.Build();
      const GmpOptions options{.lambda = 0, .solver = AnySolver(random)};
      const Vector phi = PoolGmp(encodings, options).phi;
      const Vector max = PoolMax(encodings);
      for (Index k = 0; k < problem.dimension(); ++k) {
        EXPECT_EQ(max[k], bag.counts[k] > 0 ? 1 : 0) << problem;
        // In one dimension even conjugate gradients are exact; all words at once, to their
        // residual.
        const double tolerance = layout == Layout::kOneBlockPerRow ? 1e-9 : 1e-4;
        EXPECT_NEAR(phi[k], max[k], options.solver == GmpSolver::kCg ? tolerance : 1e-9)
            << "solver " << static_cast<int>(options.solver) << problem;
      }
    }
  });
}

TEST(MaxPoolingLaws, HardBovWithRegularisationIsCountOverCountPlusLambda) {
  ForEachCase(8000, [&](Random& random) {
    const Bag bag = AnyBag(random, random.Integer(1, 40));
    const double lambda = random.LogUniform(1e-3, 1e6);
    const Problem problem = HardBov(
        bag, random.Pick({Layout::kDense, Layout::kOneBlockPerRow, Layout::kSeveralBlocksPerRow}));
    const GmpOptions options{.lambda = lambda, .solver = AnySolver(random)};
    const Vector phi = PoolGmp(problem.Build(), options).phi;
    Reals want;
    for (const Index count : bag.counts) want.push_back(Real(count) / (Real(count) + lambda));
    EXPECT_LE(RelativeError(phi, want), 1e-5)
        << "solver " << static_cast<int>(options.solver) << ", lambda " << lambda << problem;
  });
}

TEST(MaxPoolingLaws, OnlyThePresenceOfCodewordsCounts) {
  ForEachCase(5000, [&](Random& random) {
    const Index codewords = random.Integer(1, 20);
    const Table codebook = OrthonormalRows(random, codewords, codewords + random.Integer(0, 10));
    const Bag bag = AnyBag(random, codewords);
    const Problem problem = FromCodebook(bag, codebook);
    Reals want(codebook.cols, 0);  // Eq. 12: the sum of the codewords that occur
    for (Index k = 0; k < codewords; ++k)
      for (Index j = 0; j < codebook.cols; ++j)
        if (bag.counts[k] > 0) want[j] += codebook(k, j);
    const GmpOptions options{.lambda = 0, .solver = AnySolver(random)};
    const GmpResult result = PoolGmp(problem.Build(), options);
    // Codewords in float are orthonormal to 1e-7; conjugate gradients stop at a residual of 1e-6,
    // which counts up to 80 amplify.
    EXPECT_LE(RelativeError(result.phi, want), options.solver == GmpSolver::kCg ? 1e-4 : 1e-5)
        << "solver " << static_cast<int>(options.solver) << problem;
  });
}

}  // namespace
}  // namespace alcedo::laws
