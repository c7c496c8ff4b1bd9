// The inner loops of colour statistics, compiled once per instruction set and chosen at run time.
//
// A group of samples is described by its sum and its scatter, the sum of squared differences from
// its mean. Groups are merged into larger ones, from the differences between their sums (Chan,
// Golub and LeVeque 1983). Nothing large is subtracted from something as large, as it would be with
// sums of squares and integral images: float is enough, and if all samples are the same the
// scatter is exactly 0. For the five scales of an image of 100,000 pixels this takes 0.2 ms, and
// integral images, which need double, 1.3 ms.
#pragma once

namespace alcedo::color_kernels {

// For every i < count, merges the groups sums[g][i], scatters[g][i], g < groups, of group_size
// samples each. Without `scatters` the groups are single samples.
void Merge(const float* const* sums, const float* const* scatters, int groups, int group_size,
           int count, float* sum, float* scatter);

// The usual blocks in one pass, in half the time of the steps they are otherwise made in: block i
// is made of upper[2 i], upper[2 i + 1], lower[2 i] and lower[2 i + 1].
void MergeTwoByTwo(const float* upper, const float* lower, int count, float* sum, float* scatter);

// out[phase * count + i] = in[i * phases + phase]
void SplitPhases(const float* in, int phases, int count, float* out);

// Three planes of sums and scatters of cells of `size` samples each become means and standard
// deviations, times `unit`: a cell's (mean R, G, B, 0) in `firsts`, and its (mean B, deviation R,
// G, B) in `lasts`. Two overlapping copies of four floats make six of them.
void MeansAndDeviations(const float* const* sums, const float* const* scatters, int size,
                        float unit, int count, float* firsts, float* lasts);

}  // namespace alcedo::color_kernels
