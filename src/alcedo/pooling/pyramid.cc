#include "alcedo/pooling/pyramid.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
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

// The whole text as a number; nothing where it is not one.
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

void CheckPyramid(const Pyramid& pyramid) {
  if (pyramid.cells.empty()) throw InvalidArgument("pyramid must have at least one cell, got none");
  for (std::size_t i = 0; i < pyramid.cells.size(); ++i) {
    const PyramidCell& cell = pyramid.cells[i];
    if (Valid(cell)) continue;
    throw InvalidArgument(fmt::format(
        "pyramid: cell {} must have 0 <= left < right <= 1 and 0 <= top < bottom <= 1, got "
        "{}:{}:{}:{}",
        i, cell.left, cell.top, cell.right, cell.bottom));
  }
}

// left <= x < right, and the border of the image belongs to the last cell.
bool Inside(double x, double left, double right) {
  return left <= x && (x < right || (x == 1 && right == 1));
}

// Poolings of single rows have options of their own; everything else holds for any rows.
PoolingOptions OptionsOfRows(const PoolingOptions& options, const std::vector<Index>& rows) {
  const auto* weighted = std::get_if<WeightedOptions>(&options);
  if (weighted == nullptr) return options;
  WeightedOptions part{Vector(static_cast<Index>(rows.size()))};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    part.weights[static_cast<Index>(i)] = weighted->weights[rows[i]];
  }
  return part;
}

void CheckWeights(const PoolingOptions& options, Index num_rows) {
  const auto* weighted = std::get_if<WeightedOptions>(&options);
  if (weighted == nullptr) return;
  const Vector& weights = weighted->weights;
  if (weights.size() != num_rows) {
    throw InvalidArgument(fmt::format("weighted.weights must have one value per row, {}, got {}",
                                      num_rows, weights.size()));
  }
  // Pool() would count the rows of the cell.
  for (Index n = 0; n < num_rows; ++n) {
    if (std::isfinite(weights[n])) continue;
    throw InvalidArgument(
        fmt::format("weighted.weights must be finite, got {} for row {}", weights[n], n));
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
      throw InvalidArgument(fmt::format(
          "pyramid must be a list of 1, ROWSxCOLUMNS (each 1 to {}) and LEFT:TOP:RIGHT:BOTTOM "
          "(increasing, in 0 to 1), or paper, got '{}'{}",
          kMostCellsPerSide, item, item == text ? "" : fmt::format(" in '{}'", text)));
    }
  }
  return pyramid;
}

std::vector<std::vector<Index>> RowsOfCells(const Pyramid& pyramid,
                                            std::span<const RelativePosition> positions) {
  CheckPyramid(pyramid);
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

Matrix PoolPyramid(const Encodings& encodings, const Pyramid& pyramid,
                   std::span<const RelativePosition> positions, const PoolingOptions& options,
                   std::vector<SolveReport>* reports) {
  const auto num_cells = static_cast<Index>(pyramid.cells.size());
  const bool whole_image = num_cells == 1 && pyramid.cells[0] == PyramidCell{};
  Matrix pooled(num_cells, encodings.dimension());
  std::vector<SolveReport> collected;
  const auto pool = [&](const Encodings& part, const PoolingOptions& part_options) {
    PoolResult result = Pool(part, part_options);
    pooled.row(static_cast<Index>(collected.size())) = result.phi.transpose();
    collected.push_back(std::move(result.report));
  };
  if (whole_image && positions.empty()) {
    pool(encodings, options);
  } else {
    const auto rows_of_cells = RowsOfCells(pyramid, positions);
    if (static_cast<Index>(positions.size()) != encodings.num_rows()) {
      throw InvalidArgument(fmt::format("pyramid: there must be one position per row, {}, got {}",
                                        encodings.num_rows(), positions.size()));
    }
    CheckWeights(options, encodings.num_rows());
    for (const std::vector<Index>& rows : rows_of_cells) {
      pool(encodings.Select(rows), OptionsOfRows(options, rows));
    }
  }
  if (reports != nullptr) *reports = std::move(collected);
  return pooled;
}

}  // namespace alcedo
