// What is trained, and how.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "alcedo/base/options.h"
#include "alcedo/classifier/linear_svm.h"
#include "alcedo/config/options.h"

namespace alcedo {

// How training and experiments describe images.
struct DescribingOptions {
  bool root_sift = true;
  int sift_patch = 32;
  int color_patch = 16;
  int scales = 7;
  bool mirror = false;
};
template <class Visitor>
void VisitFields(DescribingOptions& o, Visitor&& visit) {
  visit("root_sift", o.root_sift, "take RootSIFT instead of SIFT");
  visit("sift_patch", o.sift_patch, "side of a patch of SIFT in pixels, a multiple of 4");
  visit("color_patch", o.color_patch, "side of a patch of colour in pixels, a multiple of 4");
  visit("scales", o.scales, "scales of the image, 1/sqrt(2) apart");
  visit("mirror", o.mirror, "take every patch of the mirror image, too");
}

// Throws InvalidArgument for options out of range.
void Check(const DescribingOptions& options);

// External descriptors are not computed: for them nothing is set.
DescribeOptions DescribeWith(const DescriptorChoice& descriptor, const DescribingOptions& options);

enum class FusionWeights { kEqual, kValidation };
template <>
struct EnumNames<FusionWeights> {
  static constexpr std::array<std::pair<FusionWeights, std::string_view>, 2> values{
      {{FusionWeights::kEqual, "equal"}, {FusionWeights::kValidation, "validation"}}};
};

struct TrainOptions : DescribingOptions {
  bool all = false;
  DescriptorSet descriptor;
  int gaussians = 0;
  int samples = 500000;
  EncoderOptions encoder = FisherOptions{};
  PoolingChoice pooling = GmpOptions{};
  double lambda = 3;
  bool lambda_relative = true;
  double power = 0.5;
  std::vector<double> c{1, 10, 100, 1000};
  int folds = 5;
  SvmLoss loss = SvmLoss::kSquaredHinge;
  bool balanced = false;
  bool probabilities = false;
  FusionWeights fusion_weights = FusionWeights::kEqual;
  std::uint64_t seed = 0;
};
template <class Visitor>
void VisitFields(TrainOptions& o, Visitor&& visit) {
  visit("all", o.all, "train on every image, also on those that are for testing");
  visit("descriptor", o.descriptor,
        "what is computed of every patch; both: late fusion of the two; external: descriptors made "
        "elsewhere, in array files");
  visit(
      "gaussians", o.gaussians,
      "of the vocabularies; 0: the largest power of two that leaves each 20 samples, at most 256");
  visit("samples", o.samples, "descriptors that a vocabulary is learned from");
  VisitFields(static_cast<DescribingOptions&>(o), visit);
  visit("encoder", o.encoder, "how a patch is encoded; auto: fv");
  visit("pooling", o.pooling, "how the encodings of an image become one vector");
  visit("lambda", o.lambda,
        "regularisation of gmp, >= 0; relative to the mean squared norm of an image's encodings, "
        "unless lambda_relative is off");
  visit("lambda_relative", o.lambda_relative,
        "multiply lambda by the mean squared norm of an image's encodings");
  visit("power", o.power, "sign(x) |x|^P of the vectors, with P in [0, 1]; 1: none");
  visit("c", o.c, "candidates of the SVM's penalty");
  visit("folds", o.folds, "of cross-validation, if the dataset has no validation split");
  visit("loss", o.loss, "loss of a sample inside the margin");
  visit("balanced", o.balanced, "weigh C so that both sides of a class count the same");
  visit("probabilities", o.probabilities, "let the model give probabilities too (Platt scaling)");
  visit("fusion_weights", o.fusion_weights,
        "of SIFT and colour; validation: those that are best for the held-out images");
  visit("seed", o.seed, "of all that is drawn at random");
}

// Throws InvalidArgument for options out of range, or that do not fit each other.
void Check(const TrainOptions& options);

}  // namespace alcedo
