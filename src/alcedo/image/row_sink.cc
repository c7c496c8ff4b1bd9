#include "alcedo/image/row_sink.h"

#include <cassert>
#include <utility>

namespace alcedo::internal {
namespace {

template <int kChannels, class Sample>
void SplitChannels(const Sample* __restrict row, int width, Index plane, float* __restrict out) {
  for (Index x = 0; x < width; ++x) {
    for (int c = 0; c < kChannels; ++c) out[c * plane + x] = row[x * kChannels + c];
  }
}

}  // namespace

RowSink::RowSink(int width, int height, int channels, ImageSize target)
    : width_(width),
      height_(height),
      channels_(channels),
      image_(MakeImage(target.width, target.height, channels)),
      same_size_(target.width == width && target.height == height) {}

template <class Sample>
void RowSink::CopyRow(const Sample* row) {
  float* out = image_.Plane(0) + static_cast<Index>(rows_) * width_;
  const Index plane = static_cast<Index>(width_) * height_;
  if (channels_ == 1) {
    SplitChannels<1>(row, width_, plane, out);
  } else {
    SplitChannels<3>(row, width_, plane, out);
  }
  ++rows_;
}

void RowSink::AddRow(const std::uint8_t* row) {
  assert(rows_ < height_);
  if (same_size_) return CopyRow(row);
  if (height_ > RowShrinker<std::uint8_t, float>::kMaxFloatRows) {
    float_row_.assign(row, row + static_cast<Index>(width_) * channels_);
    return AddRow(float_row_.data());
  }
  if (!bytes_) {
    bytes_.emplace(width_, height_, channels_, image_.width, image_.height, image_.Plane(0));
  }
  bytes_->AddRow(row);
  ++rows_;
}

void RowSink::AddRow(const float* row) {
  assert(rows_ < height_);
  if (same_size_) return CopyRow(row);
  if (!floats_) {
    floats_.emplace(width_, height_, channels_, image_.width, image_.height, image_.Plane(0));
  }
  floats_->AddRow(row);
  ++rows_;
}

Image RowSink::Finish(int original_width, int original_height) && {
  assert(rows_ == height_);
  image_.original_width = original_width;
  image_.original_height = original_height;
  return std::move(image_);
}

void ComposeOverWhite(const float* row, int width, int colors, float* out) {
  for (int x = 0; x < width; ++x, row += colors + 1, out += colors) {
    const float alpha = row[colors] / 255;  // exactly 1 where opaque
    for (int c = 0; c < colors; ++c) out[c] = 255 + (row[c] - 255) * alpha;
  }
}

}  // namespace alcedo::internal
