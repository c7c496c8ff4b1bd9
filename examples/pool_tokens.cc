// Pools the patch tokens of a network, one .npy file (patches x dimensions) per image, into one
// vector each: a codebook of all tokens, VLAD, GMP. usage: pool_tokens FILE.npy...
#include <cmath>
#include <cstdio>
#include <exception>
#include <vector>

#include "alcedo/encoding/encoders.h"
#include "alcedo/io/array_reader.h"
#include "alcedo/normalization/normalize.h"
#include "alcedo/pooling/pool.h"

namespace {

std::vector<alcedo::Vector> PoolImages(const std::vector<alcedo::Rows>& images) {
  // All tokens together, to learn 4 codewords; a real collection needs a codebook size of 64 or
  // more.
  alcedo::Index total = 0;
  for (const alcedo::Rows& tokens : images) total += tokens.rows();
  alcedo::Rows all(total, images[0].cols());
  total = 0;
  for (const alcedo::Rows& tokens : images) {
    all.middleRows(total, tokens.rows()) = tokens;
    total += tokens.rows();
  }
  alcedo::Rng rng(0);
  alcedo::KMeansOptions kmeans;
  kmeans.clusters = 4;
  alcedo::VladEncoder encoder;
  encoder.codebook = alcedo::FitKMeans(alcedo::SampleSource(all), kmeans, rng);

  alcedo::GmpOptions options;
  options.lambda = 1;       // times the mean squared norm of the encodings:
  options.relative = true;  // networks differ in scale by orders of magnitude
  std::vector<alcedo::Vector> vectors;
  for (const alcedo::Rows& tokens : images) {
    alcedo::Vector phi = alcedo::PoolGmp(alcedo::Encode(encoder, tokens), options).phi;
    alcedo::PowerNormalize(phi, 0.5);
    alcedo::L2Normalize(phi);
    vectors.push_back(phi);
  }
  return vectors;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    std::vector<alcedo::Rows> images;
    for (int i = 1; i < argc; ++i) {
      images.push_back(alcedo::ArrayReader::Open(argv[i]).ReadRows(0));
    }
    if (images.empty()) {
      std::fprintf(stderr, "usage: %s FILE.npy...\n", argv[0]);
      return 2;
    }
    const std::vector<alcedo::Vector> vectors = PoolImages(images);
    std::printf("%zu vectors of %d dimensions; similarity to the first:", vectors.size(),
                static_cast<int>(vectors[0].size()));
    for (const alcedo::Vector& vector : vectors) std::printf(" %.3f", vectors[0].dot(vector));
    std::printf("\n");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
