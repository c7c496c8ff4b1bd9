#include "alcedo/info/self_test.h"

#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <cstring>

#include "alcedo/base/parallel.h"
#include "alcedo/base/random.h"
#include "alcedo/base/types.h"
#include "alcedo/descriptors/describe.h"
#include "alcedo/encode/channel.h"
#include "alcedo/image/read_image.h"
#include "alcedo/image/write_image.h"

namespace alcedo::info {
namespace {

constexpr double kLambda = 0.5;
// Float input, double arithmetic, and conjugate gradients that stop at 1e-6.
constexpr double kTolerance = 1e-5;

Rows RandomBag(Index count, Index dimension) {
  Rng rng(1);
  Rows rows(count, dimension);
  for (Index i = 0; i < rows.size(); ++i) rows.data()[i] = static_cast<float>(rng.Normal());
  return rows;
}

// (Phi Phi^T + lambda I) phi = Phi 1 by Gaussian elimination; the matrix is positive definite, so
// that no pivots need be looked for. On purpose without any of the library's arithmetic.
std::vector<double> ByElimination(const Rows& rows, double lambda) {
  const Index n = rows.cols();
  std::vector<std::vector<double>> a(n, std::vector<double>(n + 1, 0.0));
  for (Index i = 0; i < n; ++i) {
    a[i][i] = lambda;
    for (Index r = 0; r < rows.rows(); ++r) {
      for (Index j = 0; j < n; ++j) a[i][j] += double{rows(r, i)} * double{rows(r, j)};
      a[i][n] += double{rows(r, i)};
    }
  }
  for (Index k = 0; k < n; ++k) {
    for (Index i = 0; i < n; ++i) {
      if (i == k) continue;
      const double factor = a[i][k] / a[k][k];
      for (Index j = k; j <= n; ++j) a[i][j] -= factor * a[k][j];
    }
  }
  std::vector<double> phi(n);
  for (Index i = 0; i < n; ++i) phi[i] = a[i][n] / a[i][i];
  return phi;
}

double RelativeDifference(const Vector& phi, const std::vector<double>& expected) {
  if (phi.size() != static_cast<Index>(expected.size())) return INFINITY;
  double difference = 0, norm = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double d = phi[static_cast<Index>(i)] - expected[i];
    difference += d * d;
    norm += expected[i] * expected[i];
  }
  return std::sqrt(difference / norm);
}

// Stripes of several directions with noise: patches that differ from each other.
Image MakeTestImage(int number) {
  Image image = MakeImage(360, 270, 1);
  Rng rng(static_cast<std::uint64_t>(number) + 1);
  const double angle = 6.28 * rng.Uniform();
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) {
      const double bend = 0.002 * x * y / (1 + 0.01 * x);
      const double wave = std::sin(0.2 * (x * std::cos(angle) + y * std::sin(angle)) + bend);
      image.samples[static_cast<std::size_t>(y) * image.width + x] =
          static_cast<float>(std::floor(120 + 80 * wave + 40 * rng.Uniform()));
    }
  }
  return image;
}

ChannelVectors EncodeWith(const Channel& channel, const Image& image, int threads) {
  return channel.Represent(channel.describer().FromImage(image, threads), threads);
}

Channel BundledChannel() {
  EncodeConfig config;
  const NamedVocabulary vocabulary = OpenVocabulary(config.vocabulary);
  config.describe = vocabulary.vocabulary.config.describe;
  config.normalization.power = 0.5;
  config.normalization.l2 = true;
  return Channel(vocabulary.vocabulary, config);
}

Finding ImageFileCheck() {
  const Image picture = MakeTestImage(0);
  ImageOptions keep_every_pixel;
  keep_every_pixel.max_pixels = 0;
  const Image read = ReadImageBytes(PngBytes(picture), "picture.png", keep_every_pixel);
  const bool same = read.width == picture.width && read.height == picture.height &&
                    ToGray(read).samples == picture.samples;
  return {"an image written and read as PNG is the same",
          same ? "" : "an image written and read as PNG is not the same",
          fmt::format("{} x {}", picture.width, picture.height)};
}

Finding VectorCheck(const ChannelVectors& vectors) {
  const double norm = vectors.values.norm();
  const bool good = vectors.values.allFinite() && std::abs(norm - 1) < 1e-6;
  return {"the vector of an image is finite and of length 1",
          good ? "" : fmt::format("the vector of an image has length {}", norm),
          fmt::format("{} dimensions, {} patches", vectors.values.cols(), vectors.patches)};
}

}  // namespace

std::vector<Finding> CheckPooling(const PoolFunction& pool) {
  // More rows than dimensions, and the other way round.
  std::vector<Finding> checks;
  for (const GmpSolver solver :
       {GmpSolver::kCg, GmpSolver::kDirect, GmpSolver::kPrimal, GmpSolver::kDual}) {
    double worst = 0;
    for (const auto& [count, dimension] : {std::pair<Index, Index>{150, 40}, {30, 64}}) {
      const Rows rows = RandomBag(count, dimension);
      GmpOptions options;
      options.lambda = kLambda;
      options.solver = solver;
      const Vector phi = pool(Encodings::DenseView(rows), options);
      const double difference = RelativeDifference(phi, ByElimination(rows, kLambda));
      // Also if it is not a number.
      if (!(difference <= worst)) worst = difference;
    }
    const bool good = worst <= kTolerance;
    checks.push_back({fmt::format("pooling by {} agrees with the formula", Name(solver)),
                      good ? ""
                           : fmt::format("pooling by {} differs from the formula by {:.2g} of its "
                                         "length, and at most {:g} is expected",
                                         Name(solver), worst, kTolerance),
                      fmt::format("relative difference {:.2g}", worst)});
  }
  return checks;
}

std::vector<Finding> CheckEncoding(int threads) {
  const Channel channel = BundledChannel();
  const Image picture = MakeTestImage(0);
  const Matrix one = EncodeWith(channel, picture, 1).values;
  const ChannelVectors all = EncodeWith(channel, picture, threads);
  const bool same = one.size() == all.values.size() &&
                    std::memcmp(one.data(), all.values.data(),
                                static_cast<std::size_t>(one.size()) * sizeof(double)) == 0;
  return {ImageFileCheck(),
          VectorCheck(all),
          {"the same bytes on one and on all threads",
           same ? "" : fmt::format("1 and {} threads give different vectors of one image", threads),
           fmt::format("1 and {} threads", threads)}};
}

Speed MeasureSpeed(int threads, double seconds) {
  using Clock = std::chrono::steady_clock;
  const Channel channel = BundledChannel();
  const Image picture = MakeTestImage(0);
  std::atomic<Index> images = 0, patches = 0;
  const Clock::time_point start = Clock::now();
  const auto elapsed = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  ParallelFor(threads, threads, [&](Index) {
    do {
      patches += EncodeWith(channel, picture, 1).patches;
      ++images;
    } while (elapsed() < seconds);
  });
  const double took = elapsed();
  return {threads, took, static_cast<double>(images) / took, static_cast<double>(patches) / took};
}

}  // namespace alcedo::info
