// The paper's Figure 1 in numbers. Two images share a tight cluster of patches (sky) and differ in
// one single patch (red or blue). Sum pooling cannot distinguish them; GMP can. The patches are
// those of `alcedo figure1`, rotated by 45 degrees. usage: figure1 FOLDER   (writes the patches of
// the first image to FOLDER/patches.npy)
#include <fmt/format.h>

#include <cmath>

#include "alcedo/base/error.h"
#include "alcedo/base/types.h"
#include "alcedo/io/array_writer.h"
#include "alcedo/io/atomic_file.h"
#include "alcedo/normalization/normalize.h"
#include "alcedo/pooling/pool.h"

namespace {

using alcedo::Index, alcedo::Rows, alcedo::Vector;

constexpr Index kSky = 500;

// 500 unit vectors evenly from 44.5 to 45.5 degrees, and one at the given angle.
Rows MakePatches(double rare_degrees) {
  Rows rows(kSky + 1, 2);
  for (Index n = 0; n <= kSky; ++n) {
    const double degrees = n < kSky ? 44.5 + static_cast<double>(n) / (kSky - 1) : rare_degrees;
    const double angle = degrees * 3.14159265358979 / 180;
    rows.row(n) << static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle));
  }
  return rows;
}

struct Pooled {
  Vector phi;              // L2-normalised
  double to_sky, to_rare;  // similarity of the pooled vector to a patch of each kind
};

Pooled PoolOne(const Rows& rows, const alcedo::PoolingOptions& options) {
  const auto encodings = alcedo::Encodings::DenseView(rows);
  Vector phi = alcedo::Pool(encodings, options).phi;
  alcedo::L2Normalize(phi);
  const Vector similarities = alcedo::Similarities(encodings, phi);
  return {phi, similarities.head(kSky).mean(), similarities[kSky]};
}

double Degrees(const Vector& v) { return std::atan2(v[1], v[0]) * 180 / 3.14159265358979; }

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: figure1 FOLDER\n");
    return 2;
  }
  try {
    const Rows red = MakePatches(0), blue = MakePatches(90);
    fmt::print("Two images: {} patches of sky from 44.5 to 45.5 degrees, and one rare patch,\n",
               kSky);
    fmt::print("at 0 degrees in the first (red), at 90 degrees in the second (blue).\n\n");
    fmt::print("{:<22}{:>10}{:>10}{:>14}{:>14}{:>12}\n", "pooling", "red", "blue", "sim. to sky",
               "sim. to rare", "red . blue");
    const auto show = [&](const std::string& name, const alcedo::PoolingOptions& options) {
      const Pooled a = PoolOne(red, options), b = PoolOne(blue, options);
      fmt::print("{:<22}{:>9.1f}°{:>9.1f}°{:>14.3f}{:>14.3f}{:>12.4f}\n", name, Degrees(a.phi),
                 Degrees(b.phi), a.to_sky, a.to_rare, a.phi.dot(b.phi));
      return a.phi.dot(b.phi);
    };
    const double by_sum = show("sum", alcedo::SumOptions{});
    double by_gmp = 1;
    for (double lambda : {100.0, 1.0, 0.1, 0.0}) {
      alcedo::GmpOptions options;
      options.lambda = lambda;
      by_gmp = show(fmt::format("GMP, lambda = {:g}", lambda), options);
    }
    fmt::print("\nSum pooling cannot distinguish the images ({:.4f}); GMP can ({:.4f}),\n", by_sum,
               by_gmp);
    fmt::print("because the rare patch counts as much as the {} others.\n", kSky);

    const std::string_view bytes(reinterpret_cast<const char*>(red.data()),
                                 red.size() * sizeof(float));
    alcedo::WriteWholeFile(
        std::string(argv[1]) + "/patches.npy",
        alcedo::NpyBytes({"", {red.rows(), red.cols()}, alcedo::ElementType::kFloat32, bytes}));
    return by_gmp < by_sum ? 0 : 1;
  } catch (const alcedo::Error& error) {
    fmt::print(stderr, "figure1: {}\n", error.what());
    return 1;
  }
}
