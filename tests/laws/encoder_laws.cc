// From descriptors through Encode() to the pooled vector: what holds for the encodings of every
// encoder, and not only for random rows.
#include <algorithm>
#include <string>
#include <vector>

#include "alcedo/base/types.h"
#include "alcedo/encoding/encoders.h"
#include "alcedo/pooling/elementary.h"
#include "alcedo/pooling/gmp.h"
#include "alcedo/pooling/pool.h"
#include "problem.h"
#include "quad_oracle.h"

namespace alcedo::laws {
namespace {

Rows NormalRows(Random& random, Index count, Index size) {
  Rows rows(count, size);
  for (Index i = 0; i < count; ++i) {
    for (Index j = 0; j < size; ++j) rows(i, j) = static_cast<float>(random.Normal());
  }
  return rows;
}

Vector Shares(Random& random, Index size) {
  Vector shares(size);
  for (Index k = 0; k < size; ++k) shares[k] = random.Uniform(0.2, 1);
  return shares / shares.sum();
}

Codebook AnyCodebook(Random& random, Index size, Index dimension) {
  return {NormalRows(random, size, dimension), Shares(random, size)};
}

Dictionary AnyDictionary(Random& random, Index size, Index dimension) {
  Rows atoms = NormalRows(random, size, dimension);
  for (Index k = 0; k < size; ++k) {
    double squares = 0;
    for (Index j = 0; j < dimension; ++j) squares += double{atoms(k, j)} * atoms(k, j);
    for (Index j = 0; j < dimension; ++j) {
      atoms(k, j) = static_cast<float>(atoms(k, j) / std::sqrt(squares));
    }
  }
  return {atoms};
}

GaussianMixture AnyMixture(Random& random, Index size, Index dimension) {
  Rows variances(size, dimension);
  for (Index k = 0; k < size; ++k) {
    for (Index j = 0; j < dimension; ++j) {
      variances(k, j) = static_cast<float>(random.Uniform(0.3, 1.5));
    }
  }
  return {Shares(random, size), NormalRows(random, size, dimension), variances};
}

RandomFourier AnyFourier(Random& random, Index size, Index dimension) {
  RandomFourier fourier{NormalRows(random, size, dimension), Vector(size), 1};
  for (Index k = 0; k < size; ++k) fourier.phases[k] = random.Uniform(0, 6.283185307179586);
  return fourier;
}

struct Named {
  std::string name;
  Encoder encoder;
};
std::vector<Named> EveryEncoder(Random& random, Index size, Index d) {
  const Codebook codebook = AnyCodebook(random, size, d);
  const GaussianMixture mixture = AnyMixture(random, size, d);
  std::vector<Named> encoders{
      {"bov", BovEncoder{codebook}},
      {"soft-bov", SoftBovEncoder{codebook, {.nearest = 3}}},
      {"llc", LlcEncoder{codebook, {.nearest = 3, .regularization = 1e-2}}},
      {"sparse", SparseCodingEncoder{AnyDictionary(random, size, d), {.tolerance = 1e-7}}},
      {"vlad", VladEncoder{codebook, {.residual_l2 = random.Chance(0.5)}, {}}},
      {"sv", SuperVectorEncoder{codebook, {}}},
      {"fv", FisherEncoder{mixture, {}}},
      {"soft fv", FisherEncoder{mixture, {.assignment = FisherAssignment::kSoft}}},
      {"emk", EmkEncoder{AnyFourier(random, 2 * size, d)}}};
  return encoders;
}

struct Bag {
  Rows descriptors;
  std::vector<Named> encoders;
};
Bag AnyBag(Random& random) {
  const Index d = random.Integer(1, 6);
  Rows descriptors = NormalRows(random, random.Integer(0, 30), d);
  return {descriptors, EveryEncoder(random, random.Integer(1, 7), d)};
}

Table ToTable(const Encodings& encodings) {
  const Rows dense = encodings.ToDense();
  Table table(dense.rows(), dense.cols());
  for (Index i = 0; i < dense.rows(); ++i) {
    for (Index j = 0; j < dense.cols(); ++j) table(i, j) = dense(i, j);
  }
  return table;
}

Index NearestCodeword(const Rows& centers, const Rows& rows, Index n) {
  Index best = 0;
  Real least = 0;
  for (Index k = 0; k < centers.rows(); ++k) {
    Real distance = 0;
    for (Index j = 0; j < rows.cols(); ++j) {
      const Real difference = Real{rows(n, j)} - Real{centers(k, j)};
      distance += difference * difference;
    }
    if (k == 0 || distance < least) {
      best = k;
      least = distance;
    }
  }
  return best;
}

// The paper's name for it: for hard BOV, GMP is max pooling.
TEST(EncoderLaws, GmpOfHardBovIsMaxPooling) {
  ForEachCase(3000, [&](Random& random) {
    const Index d = random.Integer(1, 8), size = random.Integer(1, 20);
    const Codebook codebook = AnyCodebook(random, size, d);
    const Rows rows = NormalRows(random, random.Integer(0, 60), d);
    const Encodings encodings = Encode(BovEncoder{codebook}, rows);
    Vector present = Vector::Zero(size);
    for (Index n = 0; n < rows.rows(); ++n) present[NearestCodeword(codebook.centers, rows, n)] = 1;
    EXPECT_EQ(PoolMax(encodings), present);
    for (const auto& [solver, name] : EnumNames<GmpSolver>::values) {
      const Vector phi = PoolGmp(encodings, {.lambda = 0, .solver = solver}).phi;
      for (Index k = 0; k < size; ++k) EXPECT_NEAR(phi[k], present[k], 1e-9) << name;
    }
  });
}

TEST(EncoderLaws, PrimalDualAndConjugateGradientsAgreeWithTheFormula) {
  int cases = 0, converged = 0;
  ForEachCase(500, [&](Random& random) {
    const Bag bag = AnyBag(random);
    for (const auto& [encoder_name, encoder] : bag.encoders) {
      const Encodings encodings = Encode(encoder, bag.descriptors);
      const Table rows = ToTable(encodings);
      const double lambda = AnyLambda(random, rows);
      const Reals want = RidgePhi(rows, lambda);
      for (const auto& [solver, name] : EnumNames<GmpSolver>::values) {
        const GmpResult result = PoolGmp(encodings, {.lambda = lambda, .solver = solver});
        ++cases;
        if (!result.report.converged) continue;
        ++converged;
        EXPECT_LE(RelativeError(result.phi, want, RidgeFloor(rows, lambda)), 1e-5)
            << encoder_name << " by " << name << ", lambda " << lambda;
      }
    }
  });
  EXPECT_GE(converged, 0.99 * cases);
}

// From 1e-16 of the mean squared norm to 1e16 of it, as far as the encodings determine phi.
TEST(EncoderLaws, GmpIsAccurateAtEveryLambda) {
  ForEachCase(200, [&](Random& random) {
    const Bag bag = AnyBag(random);
    if (bag.descriptors.rows() == 0) return;
    for (const auto& [name, encoder] : bag.encoders) {
      const Encodings encodings = Encode(encoder, bag.descriptors);
      const Table rows = ToTable(encodings);
      const double lambda = AnyLambda(random, rows, 1e-16, 1e16);
      const QuadRidge want = SolveInQuad(rows, lambda);
      const double error =
          RelativeError(PoolGmp(encodings, {.lambda = lambda}).phi, want.phi,
                        1e-14L * std::sqrt(Trace(rows) * rows.rows) / (lambda + Trace(rows)));
      EXPECT_LE(error, 1e-6 + 2e-14 * want.phi_condition)
          << name << ", lambda " << lambda << ", condition " << want.phi_condition;
    }
  });
}

TEST(EncoderLaws, TheOrderOfPatchesDoesNotMatter) {
  ForEachCase(500, [&](Random& random) {
    const Bag bag = AnyBag(random);
    const std::vector<Index> order = random.Permutation(bag.descriptors.rows());
    Rows shuffled = bag.descriptors;
    for (Index n = 0; n < shuffled.rows(); ++n) shuffled.row(n) = bag.descriptors.row(order[n]);
    for (const auto& [name, encoder] : bag.encoders) {
      const Encodings plain = Encode(encoder, bag.descriptors), other = Encode(encoder, shuffled);
      const Table rows = ToTable(plain);
      const double lambda = AnyLambda(random, rows, 0.1);
      const Reals want = RidgePhi(rows, lambda);
      EXPECT_LE(
          RelativeError(PoolGmp(other, {.lambda = lambda}).phi, want, RidgeFloor(rows, lambda)),
          1e-4)
          << name << ", lambda " << lambda;
      const Vector max = PoolMax(plain), max_other = PoolMax(other);
      EXPECT_LE((max - max_other).norm(), 1e-5 * max.norm()) << name;
    }
  });
}

TEST(EncoderLaws, LargeLambdaIsSumPooling) {
  ForEachCase(500, [&](Random& random) {
    const Bag bag = AnyBag(random);
    for (const auto& [name, encoder] : bag.encoders) {
      const Encodings encodings = Encode(encoder, bag.descriptors);
      const Table rows = ToTable(encodings);
      const Reals sum = Times(Transposed(rows), Reals(rows.rows, 1));
      const double trace = static_cast<double>(Trace(rows));
      const double lambda = trace > 0 ? 1e7 * trace : 1;
      const Vector scaled = lambda * PoolGmp(encodings, {.lambda = lambda}).phi;
      // (Phi Phi^T / lambda + I)^-1 is within 1e-7 of the identity.
      EXPECT_LE(RelativeError(scaled, sum, lambda * RidgeFloor(rows, lambda)), 1e-6) << name;
      EXPECT_LE(RelativeError(PoolSum(encodings), sum, lambda * RidgeFloor(rows, lambda)), 1e-9)
          << name;
    }
  });
}

TEST(EncoderLaws, ManyPoolingsAreTheSingleOnes) {
  ForEachCase(300, [&](Random& random) {
    const Bag bag = AnyBag(random);
    for (const auto& [name, encoder] : bag.encoders) {
      const Encodings encodings = Encode(encoder, bag.descriptors);
      const Table rows = ToTable(encodings);
      const double mean = MeanSquaredNorm(rows);
      const double absolute = AnyLambda(random, rows), relative = random.LogUniform(1e-3, 1e3);
      const std::vector<PoolingOptions> poolings{
          GmpOptions{.lambda = absolute}, MaxOptions{}, DemocraticOptions{.gamma = 0.5},
          GmpOptions{.lambda = relative, .relative = true}, DemocraticOptions{.gamma = 0}};
      const PooledMany many = PoolMany(encodings, poolings, random.Pick({1, 2}));
      const auto error = [&](Index row, double lambda) {
        return RelativeError(many.phi.row(row), RidgePhi(rows, lambda), RidgeFloor(rows, lambda));
      };
      EXPECT_LE(error(0, absolute), 1e-5) << name << ", lambda " << absolute;
      if (mean > 0) {
        EXPECT_LE(error(3, relative * mean), 1e-5) << name << ", lambda " << relative * mean;
      }
      EXPECT_EQ(many.phi.row(1).transpose(), PoolMax(encodings)) << name;
      for (const Index i : {2, 4}) {
        EXPECT_EQ(many.phi.row(i).transpose(), Pool(encodings, poolings[i]).phi) << name;
      }
    }
  });
}

}  // namespace
}  // namespace alcedo::laws
