#include "alcedo/pooling/pyramid.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "alcedo/base/error.h"
#include "alcedo/base/types.h"

namespace alcedo {
namespace {

constexpr int kMostCellsPerSide = 100;

std::string_view Trim(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

// The whole text as a number; nothing if it is not one.
template <class Number>
std::optional<Number> ParseNumber(std::string_view text) {
  Number value{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

std::vector<std::string_view> Split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const auto at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

bool Valid(const PyramidCell& cell) {
  return cell.left >= 0 && cell.left < cell.right && cell.right <= 1 && cell.top >= 0 &&
         cell.top < cell.bottom && cell.bottom <= 1;
}

// Borders are one quotient for the cells on both their sides: no position falls between them.
bool AddGrid(std::string_view item, std::vector<PyramidCell>& cells) {
  const auto cross = item.find('x');
  if (cross == std::string_view::npos) return false;
  const auto rows = ParseNumber<int>(item.substr(0, cross));
  const auto columns = ParseNumber<int>(item.substr(cross + 1));
  if (!rows || !columns) return false;
  if (*rows < 1 || *rows > kMostCellsPerSide || *columns < 1 || *columns > kMostCellsPerSide) {
    return false;
  }
  for (int r = 0; r < *rows; ++r) {
    for (int c = 0; c < *columns; ++c) {
      const auto part = [](int i, int n) { return static_cast<double>(i) / n; };
      cells.push_back(
          {part(c, *columns), part(r, *rows), part(c + 1, *columns), part(r + 1, *rows)});
    }
  }
  return true;
}

bool AddOwnCell(std::string_view item, std::vector<PyramidCell>& cells) {
  const auto parts = Split(item, ':');
  if (parts.size() != 4) return false;
  std::array<double, 4> borders{};
  for (std::size_t i = 0; i < 4; ++i) {
    const auto value = ParseNumber<double>(parts[i]);
    if (!value) return false;
    borders[i] = *value;
  }
  cells.push_back({borders[0], borders[1], borders[2], borders[3]});
  return Valid(cells.back());
}

}  // namespace

void Check(const Pyramid& pyramid) {
  if (pyramid.cells.empty()) {
    throw InvalidArgument("pyramid", "must have at least one cell", "none");
  }
  for (std::size_t i = 0; i < pyramid.cells.size(); ++i) {
    const PyramidCell& cell = pyramid.cells[i];
    if (Valid(cell)) continue;
    throw InvalidArgument(fmt::format(
        "pyramid: cell {} must have 0 <= left < right <= 1 and 0 <= top < bottom <= 1, got "
        "{}:{}:{}:{}",
        i, cell.left, cell.top, cell.right, cell.bottom));
  }
}

namespace {

// left <= x < right, and the border of the image belongs to the last cell.
bool Inside(double x, double left, double right) {
  return left <= x && (x < right || (x == 1 && right == 1));
}

// The poolings of the rows of one cell: only weights belong to single rows.
std::vector<PoolingOptions> OfRows(std::span<const PoolingOptions> poolings,
                                   const std::vector<Index>& rows) {
  std::vector<PoolingOptions> part;
  for (const PoolingOptions& options : poolings) {
    const auto* all = std::get_if<WeightedOptions>(&options);
    if (all == nullptr) {
      part.push_back(options);
      continue;
    }
    Vector weights(static_cast<Index>(rows.size()));
    for (std::size_t i = 0; i < rows.size(); ++i) {
      weights[static_cast<Index>(i)] = all->weights[rows[i]];
    }
    part.push_back(WeightedOptions{std::move(weights)});
  }
  return part;
}

// PoolMany() would count the rows of a cell.
void CheckWeights(std::span<const PoolingOptions> poolings, Index num_rows) {
  for (const PoolingOptions& options : poolings) {
    const auto* weighted = std::get_if<WeightedOptions>(&options);
    if (weighted == nullptr) continue;
    if (weighted->weights.size() != num_rows) {
      throw InvalidArgument("weighted.weights",
                            fmt::format("must have one value per row, {}", num_rows),
                            fmt::format("{}", weighted->weights.size()));
    }
    Check(*weighted);
  }
}

}  // namespace

Pyramid ParsePyramid(std::string_view text) {
  Pyramid pyramid;
  if (Trim(text) == "paper") text = "1,3x1";
  for (const std::string_view part : Split(text, ',')) {
    const std::string_view item = Trim(part);
    if (item == "1") {
      pyramid.cells.push_back({});
    } else if (!AddGrid(item, pyramid.cells) && !AddOwnCell(item, pyramid.cells)) {
      throw InvalidArgument(
          "pyramid",
          fmt::format("must be a list of 1, ROWSxCOLUMNS (each 1 to {}) and LEFT:TOP:RIGHT:BOTTOM "
                      "(increasing, in 0 to 1), or paper",
                      kMostCellsPerSide),
          fmt::format("'{}'{}", item, item == text ? "" : fmt::format(" in '{}'", text)));
    }
  }
  return pyramid;
}

std::vector<std::vector<Index>> RowsOfCells(const Pyramid& pyramid,
                                            std::span<const RelativePosition> positions) {
  Check(pyramid);
  std::vector<std::vector<Index>> rows(pyramid.cells.size());
  for (std::size_t n = 0; n < positions.size(); ++n) {
    const auto [x, y] = positions[n];
    if (!(x >= 0 && x <= 1 && y >= 0 && y <= 1)) {
      throw InvalidArgument(
          fmt::format("pyramid: the position of row {} must be in [0, 1], got ({}, {})", n, x, y));
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const PyramidCell& cell = pyramid.cells[i];
      if (Inside(x, cell.left, cell.right) && Inside(y, cell.top, cell.bottom)) {
        rows[i].push_back(static_cast<Index>(n));
      }
    }
  }
  return rows;
}

bool IsWholeImage(const Pyramid& pyramid) {
  return pyramid.cells.size() == 1 && pyramid.cells[0] == PyramidCell{};
}

PooledPyramid PoolPyramid(const Encodings& encodings, const Pyramid& pyramid,
                          std::span<const RelativePosition> positions,
                          std::span<const PoolingOptions> poolings, std::optional<int> threads) {
  if (IsWholeImage(pyramid) && positions.empty()) {
    PooledMany many = PoolMany(encodings, poolings, threads);
    return {std::move(many.phi), std::move(many.reports)};
  }
  const auto rows_of_cells = RowsOfCells(pyramid, positions);
  if (static_cast<Index>(positions.size()) != encodings.num_rows()) {
    throw InvalidArgument(fmt::format("pyramid: there must be one position per row, {}, got {}",
                                      encodings.num_rows(), positions.size()));
  }
  CheckWeights(poolings, encodings.num_rows());
  const Index dimension = encodings.dimension();
  PooledPyramid pooled;
  pooled.values.resize(static_cast<Index>(poolings.size()),
                       static_cast<Index>(rows_of_cells.size()) * dimension);
  Index column = 0;
  for (const std::vector<Index>& rows : rows_of_cells) {
    // All rows are the encodings themselves: no copy.
    const bool all = static_cast<Index>(rows.size()) == encodings.num_rows();
    PooledMany cell = all ? PoolMany(encodings, poolings, threads)
                          : PoolMany(encodings.Select(rows), OfRows(poolings, rows), threads);
    pooled.values.middleCols(column, dimension) = cell.phi;
    std::ranges::move(cell.reports, std::back_inserter(pooled.reports));
    column += dimension;
  }
  return pooled;
}

Matrix PoolPyramid(const Encodings& encodings, const Pyramid& pyramid,
                   std::span<const RelativePosition> positions, const PoolingOptions& options,
                   std::vector<SolveReport>* reports) {
  PooledPyramid pooled = PoolPyramid(encodings, pyramid, positions, std::span(&options, 1));
  if (reports != nullptr) *reports = std::move(pooled.reports);
  Matrix cells(static_cast<Index>(pyramid.cells.size()), encodings.dimension());
  for (Index c = 0; c < cells.rows(); ++c) {
    cells.row(c) = pooled.values.row(0).segment(c * cells.cols(), cells.cols());
  }
  return cells;
}

}  // namespace alcedo
