#include "alcedo/descriptors/dense_sift.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "alcedo/base/error.h"
#include "alcedo/descriptors/level_planes.h"
#include "alcedo/descriptors/mirror.h"
#include "alcedo/descriptors/sift_kernels.h"

namespace alcedo {
namespace {

using internal::AlignedFloats;
using internal::CellAxis;

constexpr Index kBins = sift_kernels::kOrientations;

// The pixel of a patch on which its first cell is centred.
int FirstCentre(int bin) { return (bin - 1) / 2; }

// The 2 bin - 1 weights of linear interpolation between cells `bin` pixels apart.
std::vector<float> Triangle(int bin) {
  std::vector<float> weights;
  for (int d = 1 - bin; d < bin; ++d) {
    weights.push_back(1.0f - static_cast<float>(std::abs(d)) / static_cast<float>(bin));
  }
  return weights;
}

// The mean over the pixels that cell i takes gradients from of a Gaussian around the middle of the
// patch, whose deviation is half the patch: VLFeat's flat window.
double WindowMean(int bin, int i) {
  const double middle = bin * (1.5 - i);
  double sum = 0;
  for (int d = 1 - bin; d < bin; ++d) {
    const double z = (d - middle) / (2.0 * bin);
    sum += std::exp(-0.5 * z * z);
  }
  return sum / (2 * bin - 1);
}

sift_kernels::DescriptorRule MakeRule(const SiftOptions& options, int patch, float scale) {
  const int bin = patch / 4;
  sift_kernels::DescriptorRule rule;
  double total = 0;
  for (int cell = 0; cell < sift_kernels::kCells; ++cell) {
    const double weight = WindowMean(bin, cell / 4) * WindowMean(bin, cell % 4);
    rule.cell_weights[cell] = static_cast<float>(weight);
    total += weight * bin * bin;  // a cell's triangles add up to bin^2
  }
  // Below 1e-6 gradients of 8-bit samples are rounding errors. If samples had to be scaled,
  // what is 1e-18 of the largest cannot be squared in float.
  const double contrast = std::max(std::max(options.contrast, 1e-6) * scale, 1e-12);
  rule.min_sum = static_cast<float>(std::min(contrast * total, 1e30));
  rule.root = options.root;
  return rule;
}

// All cells of one scale.
struct SiftLevel {
  GridLevel grid;
  const float* plane;
  int bin;
  CellAxis columns, rows;
  int kept_rows;
  AlignedFloats cells;  // kept_rows x columns.positions histograms

  Index RowSize() const { return static_cast<Index>(columns.positions.size()) * kBins; }
  float* Row(int k) const { return cells.get() + k % kept_rows * RowSize(); }
};

// Makes rows of cells from above to below. The histograms of pixel rows, summed horizontally, are
// kept in a ring as long as the vertical window: it stays in cache, and every row is made once.
class SiftCells {
 public:
  explicit SiftCells(const SiftLevel& level)
      : level_(level),
        before_(level.bin - 1 - FirstCentre(level.bin)),
        taps_(2 * level.bin - 1),
        row_size_(level.RowSize()),
        triangle_(Triangle(level.bin)),
        polar_(internal::MakeAlignedFloats(2 * static_cast<std::size_t>(level.grid.width))),
        pixels_(internal::MakeAlignedFloats((level.grid.width + level.bin - 1) * kBins)),
        ring_(internal::MakeAlignedFloats(taps_ * row_size_)),
        window_(taps_) {}

  void Make(int begin, int end) {
    const int last = level_.grid.height - 1;
    for (int k = begin; k < end; ++k) {
      const int top = level_.rows.positions[k] - before_;
      const int below = std::min(top + taps_ - 1, last);
      for (next_ = std::max({next_, top, 0}); next_ <= below; ++next_) MakePixelRow(next_);
      for (int t = 0; t < taps_; ++t) window_[t] = Slot(std::clamp(top + t, 0, last));
      sift_kernels::VerticalCells(window_.data(), triangle_.data(), taps_,
                                  static_cast<int>(row_size_), level_.Row(k));
    }
  }

 private:
  float* Slot(int y) const { return ring_.get() + y % taps_ * row_size_; }

  void MakePixelRow(int y) {
    const int width = level_.grid.width;
    const int above = std::max(y - 1, 0), below = std::min(y + 1, level_.grid.height - 1);
    const auto row = [&](int at) { return level_.plane + static_cast<Index>(at) * width; };
    sift_kernels::OrientedRow(row(above), row(y), row(below), below - above == 2 ? 0.5f : 1.0f,
                              width, before_, level_.bin - 1 - before_, polar_.get(),
                              pixels_.get());
    sift_kernels::HorizontalCells(pixels_.get(), triangle_.data(), taps_,
                                  level_.columns.positions.data(),
                                  static_cast<int>(level_.columns.positions.size()), Slot(y));
  }

  const SiftLevel& level_;
  int before_, taps_;  // pixels of the first cell before the patch, and in a cell's window
  Index row_size_;
  std::vector<float> triangle_;
  AlignedFloats polar_, pixels_, ring_;
  std::vector<const float*> window_;
  int next_ = 0;  // the first pixel row that is not in the ring yet
};

void Describe(const SiftLevel& level, int row, const sift_kernels::DescriptorRule& rule, float* out,
              bool* flat) {
  const float* cells[4];
  for (int i = 0; i < 4; ++i) cells[i] = level.Row(level.rows.cells[4 * row + i]);
  const Index patch = level.grid.first + static_cast<Index>(row) * level.grid.columns;
  sift_kernels::DescribeRow(cells, level.columns.cells.data(), level.grid.columns, rule,
                            out + patch * sift_kernels::kDimension, flat + patch);
}

std::vector<SiftLevel> MakeLevels(const PatchGrid& grid, const internal::LevelPlanes& planes,
                                  int threads) {
  std::vector<SiftLevel> levels(grid.levels.size());
  for (std::size_t l = 0; l < levels.size(); ++l) {
    SiftLevel& level = levels[l];
    level.grid = grid.levels[l];
    level.plane = planes.Plane(static_cast<Index>(l), 0);
    level.bin = grid.patch / 4;
    level.columns = internal::MakeCellAxis(level.grid.columns, grid.step, level.bin);
    level.rows = internal::MakeCellAxis(level.grid.rows, grid.step, level.bin);
    level.kept_rows = internal::KeptCellRows(level.rows, threads);
    level.cells = internal::MakeAlignedFloats(level.kept_rows * level.RowSize());
  }
  return levels;
}

void LeaveOutFlat(const bool* flat, Descriptors& descriptors) {
  Index kept = 0;
  for (Index n = 0; n < descriptors.values.rows(); ++n) {
    if (flat[n]) continue;
    if (kept < n) descriptors.values.row(kept) = descriptors.values.row(n);
    descriptors.patches[kept] = descriptors.patches[n];
    ++kept;
  }
  descriptors.values.conservativeResize(kept, Eigen::NoChange);
  descriptors.patches.resize(kept);
}

}  // namespace

void Check(const SiftOptions& options) {
  Require(options.contrast >= 0 && std::isfinite(options.contrast), "sift.contrast",
          "finite and >= 0", options.contrast);
}

Descriptors ExtractDenseSift(const Image& image, const GridOptions& grid_options,
                             const SiftOptions& options, int threads) {
  Check(options);
  Require(threads >= 1, "threads", ">= 1", threads);
  PatchGrid grid = MakePatchGrid(image, grid_options);
  const Image gray = ToGray(image);
  const float scale = internal::RangeScale(gray);
  const internal::LevelPlanes planes(gray, scale, grid.levels, threads);
  const std::vector<SiftLevel> levels = MakeLevels(grid, planes, threads);

  Descriptors descriptors;
  descriptors.width = image.original_width;
  descriptors.height = image.original_height;
  const auto count = static_cast<Index>(grid.patches.size());
  descriptors.values.resize(count, sift_kernels::kDimension);
  descriptors.patches = std::move(grid.patches);
  const auto flat = std::make_unique<bool[]>(count);

  const sift_kernels::DescriptorRule rule = MakeRule(options, grid.patch, scale);
  internal::DescribeLevels<SiftCells>(levels, threads, [&](const SiftLevel& level, int row) {
    Describe(level, row, rule, descriptors.values.data(), flat.get());
  });
  if (!options.keep_flat) LeaveOutFlat(flat.get(), descriptors);
  constexpr int kMirrored[] = {4, 3, 2, 1, 0, 7, 6, 5};  // angle a is 180 degrees - a there
  if (grid_options.mirror) internal::AppendMirrored(kMirrored, descriptors);
  return descriptors;
}

}  // namespace alcedo
