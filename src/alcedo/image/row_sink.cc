#include "alcedo/image/row_sink.h"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <utility>

namespace alcedo::internal {
namespace {

using Wide = std::int64_t;

template <class Sample, class Sum>
void SetScaled(const Sample* __restrict row, Sum weight, std::size_t count, Sum* __restrict sums) {
  for (std::size_t i = 0; i < count; ++i) sums[i] = weight * static_cast<Sum>(row[i]);
}

template <class Sample, class Sum>
void AddScaled(const Sample* __restrict row, Sum weight, std::size_t count, Sum* __restrict sums) {
  for (std::size_t i = 0; i < count; ++i) sums[i] += weight * static_cast<Sum>(row[i]);
}

// One output row from the sums of the columns. kTaps and kChannels known to the compiler make
// straight code of the inner loops: for the usual ratios, up to 2, half the time of the general
// case (kTaps = 0).
template <int kTaps, int kChannels, class Sum>
void MeansOfRow(const AreaTaps& columns, const Sum* __restrict sums, double scale, int width,
                std::ptrdiff_t plane, float* __restrict out) {
  const int taps = kTaps > 0 ? kTaps : columns.taps;
  const double* weight = columns.weights.data();
  for (int x = 0; x < width; ++x, weight += taps) {
    const Sum* from = sums + static_cast<std::ptrdiff_t>(columns.first[x]) * kChannels;
    double total[kChannels] = {};
    for (int t = 0; t < taps; ++t, from += kChannels) {
      for (int c = 0; c < kChannels; ++c) total[c] += weight[t] * static_cast<double>(from[c]);
    }
    for (int c = 0; c < kChannels; ++c) out[c * plane + x] = static_cast<float>(total[c] * scale);
  }
}

template <int kChannels, class Sum>
void MeansOfRow(const AreaTaps& columns, const Sum* sums, double scale, int width,
                std::ptrdiff_t plane, float* out) {
  switch (columns.taps) {
    case 1:
      return MeansOfRow<1, kChannels>(columns, sums, scale, width, plane, out);
    case 2:
      return MeansOfRow<2, kChannels>(columns, sums, scale, width, plane, out);
    case 3:
      return MeansOfRow<3, kChannels>(columns, sums, scale, width, plane, out);
    default:
      return MeansOfRow<0, kChannels>(columns, sums, scale, width, plane, out);
  }
}

template <int kChannels, class Sample>
void SplitChannels(const Sample* __restrict row, int width, Index plane, float* __restrict out) {
  for (Index x = 0; x < width; ++x) {
    for (int c = 0; c < kChannels; ++c) out[c * plane + x] = row[x * kChannels + c];
  }
}

}  // namespace

AreaTaps MakeAreaTaps(int inputs, int outputs) {
  const auto begin_of = [&](Wide i) { return i * inputs / outputs; };
  const auto end_of = [&](Wide i) { return ((i + 1) * inputs + outputs - 1) / outputs; };
  AreaTaps axis;
  for (Wide i = 0; i < outputs; ++i) {
    axis.taps = std::max(axis.taps, static_cast<int>(end_of(i) - begin_of(i)));
  }
  axis.first.resize(outputs);
  axis.weights.resize(static_cast<std::size_t>(outputs) * axis.taps);
  for (Wide i = 0; i < outputs; ++i) {
    const Wide first = std::min<Wide>(begin_of(i), inputs - axis.taps);
    axis.first[i] = static_cast<int>(first);
    for (Wide j = begin_of(i); j < end_of(i); ++j) {
      const Wide covered =
          std::min((j + 1) * outputs, (i + 1) * inputs) - std::max(j * outputs, i * inputs);
      axis.weights[i * axis.taps + (j - first)] = static_cast<double>(covered);
    }
  }
  return axis;
}

template <class Sample, class Sum>
RowShrinker<Sample, Sum>::RowShrinker(int in_width, int in_height, int channels, int width,
                                      int height, float* out)
    : in_height_(in_height),
      channels_(channels),
      width_(width),
      height_(height),
      columns_(MakeAreaTaps(in_width, width)),
      scale_(1.0 / (static_cast<double>(in_width) * in_height)),
      sums_(static_cast<std::size_t>(in_width) * channels),
      out_(out) {}

template <class Sample, class Sum>
void RowShrinker<Sample, Sum>::AddRow(const Sample* row) {
  // As in MakeAreaTaps: this row ends at row_end, the output row at out_end.
  const Wide row_end = static_cast<Wide>(in_row_ + 1) * height_;
  const Wide out_end = static_cast<Wide>(out_row_ + 1) * in_height_;
  const Wide later = std::max<Wide>(row_end - out_end, 0);  // belongs to the next output row
  const auto weight = static_cast<Sum>(height_ - later);
  if (row_is_new_) {
    SetScaled(row, weight, sums_.size(), sums_.data());
  } else {
    AddScaled(row, weight, sums_.size(), sums_.data());
  }
  row_is_new_ = row_end == out_end;
  if (row_end >= out_end) EmitRow();
  if (later > 0) SetScaled(row, static_cast<Sum>(later), sums_.size(), sums_.data());
  ++in_row_;
}

template <class Sample, class Sum>
void RowShrinker<Sample, Sum>::EmitRow() {
  const std::ptrdiff_t plane = static_cast<std::ptrdiff_t>(width_) * height_;
  float* out = out_ + static_cast<std::ptrdiff_t>(out_row_) * width_;
  if (channels_ == 1) {
    MeansOfRow<1>(columns_, sums_.data(), scale_, width_, plane, out);
  } else {
    MeansOfRow<3>(columns_, sums_.data(), scale_, width_, plane, out);
  }
  ++out_row_;
}

template class RowShrinker<std::uint8_t, float>;
template class RowShrinker<float, double>;

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
    const float alpha = row[colors] / 255;  // exactly 1 if opaque
    for (int c = 0; c < colors; ++c) out[c] = 255 + (row[c] - 255) * alpha;
  }
}

}  // namespace alcedo::internal
