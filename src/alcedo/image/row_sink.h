// Where decoders put their rows.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "alcedo/image/image.h"
#include "alcedo/image/resize.h"
#include "alcedo/image/row_shrinker.h"

namespace alcedo::internal {

// Takes the rows of a picture from top to bottom, channels interleaved and in units of 0 to 255,
// all as bytes or all as floats, and scales them to `target` as they come: the whole picture is
// never in memory. The result is that of ShrinkByArea of the whole picture.
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
