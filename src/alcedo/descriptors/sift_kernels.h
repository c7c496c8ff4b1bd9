// The inner loops of dense SIFT, compiled once per instruction set and chosen at run time. Results
// differ between instruction sets by rounding only.
//
// Eight orientations stand side by side wherever there are orientations: "a histogram" is 8 floats,
// and one vector on the usual machines. Every sum has a bounded window, nothing is a difference of
// running sums: what a value is does not depend on where the work began.
#pragma once

namespace alcedo::sift_kernels {

constexpr int kOrientations = 8;
constexpr int kCells = 16;  // of a descriptor, 4 x 4
constexpr int kDimension = kCells * kOrientations;

// The gradients of one row of pixels as histograms: the magnitude of each, split linearly between
// the two orientations next to its angle. The gradient is (right - left) / 2 and
// (below - above) * y_factor; at both ends of the row it is one-sided.
//
// Writes pad_left + width + pad_right histograms; the first and the last are repeated in the
// padding. `scratch` has 2 * width floats. Requires width >= 2.
void OrientedRow(const float* above, const float* row, const float* below, float y_factor,
                 int width, int pad_left, int pad_right, float* scratch, float* out);

// out[j] = sum_t weights[t] * histograms[positions[j] + t], 0 <= t < taps.
void HorizontalCells(const float* histograms, const float* weights, int taps, const int* positions,
                     int count, float* out);

// out[i] = sum_t weights[t] * rows[t][i], 0 <= i < count; count is a multiple of kOrientations.
void VerticalCells(const float* const* rows, const float* weights, int taps, int count, float* out);

struct DescriptorRule {
  float cell_weights[kCells];
  float min_sum;  // a descriptor is flat if its weighted values add up to less; > 0
  bool root;
};

// The descriptors of a row of patches. Cell (i, j) of patch p is the histogram rows[i][columns[4 p
// + j]]. Writes count x kDimension floats, and whether each is flat (then exactly zero).
void DescribeRow(const float* const* rows, const int* columns, int count,
                 const DescriptorRule& rule, float* out, bool* flat);

}  // namespace alcedo::sift_kernels
