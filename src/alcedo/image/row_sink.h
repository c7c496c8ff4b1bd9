// Images that arrive row by row from a decoder, scaled down on the way by averaging areas.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "alcedo/image/image.h"
#include "alcedo/image/resize.h"

namespace alcedo::internal {

// The inputs under every output along one axis, and how much of each is covered, in units in which
// an input is `outputs` long and an output `inputs`: all weights are whole numbers, and those of an
// output add up to `inputs`.
struct AreaTaps {
  int taps = 1;                 // per output; those that cover nothing have the weight 0
  std::vector<int> first;       // per output
  std::vector<double> weights;  // outputs x taps
};
AreaTaps MakeAreaTaps(int inputs, int outputs);

// Takes the rows of an image, channels interleaved, and writes the planes of the scaled one.
//
// Columns are summed first, in Sum, then rows, in double, and the mean is taken last. As weights
// are whole numbers, nothing is rounded before that if samples are 8-bit numbers, or all the
// same: a flat area stays exactly flat, and a gradient there is not noise. For that, Sum is double
// for float samples, and float for 8-bit samples of at most kMaxFloatRows rows, whose sums stay
// below 2^24.
template <class Sample, class Sum>
class RowShrinker {
 public:
  // Requires 1 <= width <= in_width, the same for the height. `out` has channels x height x width
  // floats.
  RowShrinker(int in_width, int in_height, int channels, int width, int height, float* out);

  // Called in_height times.
  void AddRow(const Sample* row);

  static constexpr int kMaxFloatRows = 65000;

 private:
  void EmitRow();

  int in_height_, channels_, width_, height_;
  AreaTaps columns_;
  double scale_;
  std::vector<Sum> sums_;  // of the columns of the current output row
  float* out_;
  int in_row_ = 0, out_row_ = 0;
  bool row_is_new_ = true;
};

extern template class RowShrinker<std::uint8_t, float>;
extern template class RowShrinker<float, double>;

// Takes the rows of an image from top to bottom, channels interleaved and in units of 0 to 255,
// all as bytes or all as floats, and scales them to `target` as they come: the whole image is
// never in memory. The result is that of ShrinkByArea of the whole image.
class RowSink {
 public:
  RowSink(int width, int height, int channels, ImageSize target);

  void AddRow(const std::uint8_t* row);
  void AddRow(const float* row);

  // After `height` rows.
  Image Finish(int original_width, int original_height) &&;

 private:
  template <class Sample>
  void CopyRow(const Sample* row);

  int width_, height_, channels_;
  Image image_;
  bool same_size_;
  int rows_ = 0;
  std::optional<RowShrinker<std::uint8_t, float>> bytes_;
  std::optional<RowShrinker<float, double>> floats_;
  std::vector<float> float_row_;
};

// Colours over white: `colors` samples and an alpha per pixel, all in 0 to 255, become `colors`
// samples, 255 + (sample - 255) alpha / 255, on the values as they are stored (no gamma). `out` may
// be `row`.
void ComposeOverWhite(const float* row, int width, int colors, float* out);

}  // namespace alcedo::internal
