// What became of all images of a run, in numbers and sentences.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "alcedo/encode/encode_batch.h"

namespace alcedo::cli {

class EncodeTotals {
 public:
  explicit EncodeTotals(const Representer& representer) : representer_(representer) {}

  void Add(const EncodeInput& input, const EncodedImage& image);

  Index good() const { return good_; }

  // What to tell after a run over images that took so long: how many, of what size, scaled how far,
  // with which lambdas.
  std::vector<std::string> Summary(double seconds) const;
  // Whether there are images, and not one of them has a patch.
  bool AllWithoutPatches() const { return good_ > 0 && without_patches_ == good_; }
  // What somebody should know: solvers that stopped early, pictures without patches.
  std::vector<std::string> Warnings() const;

 private:
  struct Range {
    double low = 0, high = 0;
  };
  struct Lambda {
    Range absolute, relative;
  };
  static void Extend(Range& range, double value, bool first);
  void AddSolves(const EncodeInput& input, const EncodedImage& image);
  std::string PictureText() const;

  const Representer& representer_;
  Index good_ = 0;
  Index patches_ = 0;
  Index scaled_ = 0;
  Index without_patches_ = 0;
  double dropped_ = 0;  // posterior mass, over all patches
  std::vector<Lambda> lambdas_;
  Index unconverged_ = 0;
  std::string first_unconverged_;
  std::string last_name_;
  DescribeReport last_picture_;
};

}  // namespace alcedo::cli
