#include "alcedo/report/table_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <tuple>

#include "alcedo/report/report_text.h"

namespace alcedo::internal {
namespace {

// The place of a name in a list; names that are not in it come after, in their own order.
template <std::size_t N>
std::pair<std::size_t, std::string> Order(const std::array<std::string_view, N>& list,
                                          const std::string& name) {
  const auto found = std::find(list.begin(), list.end(), name);
  return {static_cast<std::size_t>(found - list.begin()), found == list.end() ? name : ""};
}

auto TableOrder(const std::string& table) {
  return Order(std::array<std::string_view, 4>{"1", "2", "pyramid", "beyond"}, table);
}

auto MethodOrder(const std::string& method) {
  return Order(
      std::array<std::string_view, 10>{"sum", "sum+p", "max", "max+p", "gmp", "gmp+p", "democratic",
                                       "democratic+p", "gamma-democratic", "gamma-democratic+p"},
      method);
}

auto RowOrder(const Cell& cell) {
  return std::tuple(
      Order(std::array<std::string_view, 5>{"emk", "fv", "vlad", "sv", "bov"}, cell.encoder),
      cell.gaussians,
      Order(std::array<std::string_view, 3>{"sift", "color", "fusion"}, cell.descriptor));
}

double Shown(double value) { return std::round(value * 10) / 10; }

// A table's cells, ordered by row, become rows. A cell that stands where another stands already
// opens a row of its own: nothing is lost.
void AddRows(const std::vector<const Cell*>& cells, TableLayout& layout) {
  const auto same_group = [&](const Cell* cell) {
    return cell->encoder == cells[0]->encoder && cell->gaussians == cells[0]->gaussians;
  };
  const bool groups = !std::all_of(cells.begin(), cells.end(), same_group);
  const Cell* last = nullptr;
  for (const Cell* cell : cells) {
    const auto column = static_cast<std::size_t>(
        std::find(layout.methods.begin(), layout.methods.end(), cell->method) -
        layout.methods.begin());
    if (last == nullptr || RowOrder(*last) != RowOrder(*cell) ||
        layout.rows.back().cells[column] != nullptr) {
      TableRow row;
      if (groups) {
        row.group = layout.table == "2" ? fmt::format("G = {}", cell->gaussians)
                                        : EncoderName(cell->encoder, cell->gaussians);
      }
      row.label = DescriptorName(cell->descriptor);
      row.cells.resize(layout.methods.size());
      row.best = -std::numeric_limits<double>::infinity();
      layout.rows.push_back(std::move(row));
    }
    last = cell;
    layout.rows.back().cells[column] = cell;
    if (std::isfinite(cell->value)) {
      layout.rows.back().best = std::max(layout.rows.back().best, cell->value);
    }
    layout.has_paper |= cell->table == layout.table && cell->paper.has_value();
  }
}

// Adds what the paper's own tables have for the rows of "beyond", so that its methods are seen
// beside GMP and the best of a row is the best of all.
void Borrow(const Results& results, std::vector<const Cell*>& cells) {
  const std::vector<const Cell*> own = cells;
  for (const Cell& cell : results.cells) {
    if (cell.table != "1" && cell.table != "2") continue;
    const auto same_row = [&](const Cell* other) {
      return other->dataset == cell.dataset && other->metric == cell.metric &&
             RowOrder(*other) == RowOrder(cell);
    };
    const auto same_cell = [&](const Cell* other) {
      return same_row(other) && other->method == cell.method;
    };
    if (std::any_of(own.begin(), own.end(), same_row) &&
        std::none_of(own.begin(), own.end(), same_cell)) {
      cells.push_back(&cell);
    }
  }
  std::stable_sort(cells.begin(), cells.end(),
                   [](const Cell* a, const Cell* b) { return RowOrder(*a) < RowOrder(*b); });
}

}  // namespace

std::vector<TableLayout> LayOutTables(const Results& results) {
  std::vector<std::string> datasets;
  for (const DatasetSummary& dataset : results.datasets) datasets.push_back(dataset.name);
  for (const Cell& cell : results.cells) datasets.push_back(cell.dataset);
  const auto order = [&](const Cell& cell) {
    const auto place = std::find(datasets.begin(), datasets.end(), cell.dataset);
    return std::tuple(TableOrder(cell.table), place, cell.metric);
  };
  std::vector<const Cell*> cells;
  for (const Cell& cell : results.cells) cells.push_back(&cell);
  std::stable_sort(cells.begin(), cells.end(), [&](const Cell* a, const Cell* b) {
    return std::tuple(order(*a), RowOrder(*a)) < std::tuple(order(*b), RowOrder(*b));
  });
  std::vector<TableLayout> tables;
  for (auto start = cells.begin(); start != cells.end();) {
    const auto end = std::find_if(start, cells.end(),
                                  [&](const Cell* c) { return order(*c) != order(**start); });
    std::vector<const Cell*> part(start, end);
    if (part[0]->table == "beyond") Borrow(results, part);
    TableLayout& layout = tables.emplace_back();
    layout.dataset = part[0]->dataset;
    layout.table = part[0]->table;
    layout.metric = part[0]->metric;
    for (const Cell* cell : part) layout.methods.push_back(cell->method);
    std::sort(layout.methods.begin(), layout.methods.end(),
              [](const auto& a, const auto& b) { return MethodOrder(a) < MethodOrder(b); });
    layout.methods.erase(std::unique(layout.methods.begin(), layout.methods.end()),
                         layout.methods.end());
    AddRows(part, layout);
    start = end;
  }
  return tables;
}

bool IsBest(const TableRow& row, const Cell& cell) {
  // Where there is but one there is nothing to be better than.
  const auto there = std::count_if(row.cells.begin(), row.cells.end(),
                                   [](const Cell* other) { return other != nullptr; });
  return there > 1 && std::isfinite(cell.value) && cell.value == row.best;
}

std::string IntervalText(const Cell& cell) {
  const double half = (cell.high - cell.low) / 2;
  const bool beyond = cell.value + half > 100 || cell.value - half < 0;
  const std::string text = HalfWidth(cell.low, cell.high);
  if (text.empty() || !beyond) return text;
  return fmt::format("{}–{}", Percent(cell.low), Percent(cell.high));
}

bool Reaches(const Cell& cell) { return cell.paper && Shown(cell.value) >= Shown(*cell.paper); }

bool FallsShort(const Cell& cell) { return cell.paper && Shown(cell.value) < Shown(*cell.paper); }

}  // namespace alcedo::internal
