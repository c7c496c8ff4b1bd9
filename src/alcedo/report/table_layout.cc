#include "alcedo/report/table_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <tuple>

#include "alcedo/report/methods.h"
#include "alcedo/report/report_text.h"

namespace alcedo::report {
namespace {

Place TablePlace(const std::string& table) {
  constexpr std::array<std::string_view, 4> kTables{"1", "2", "pyramid", "beyond"};
  const auto found = std::ranges::find(kTables, table);
  return {static_cast<std::size_t>(found - kTables.begin()), found == kTables.end() ? table : ""};
}

auto RowPlace(const Cell& cell) {
  return std::tuple(EncoderPlace(cell.encoder), cell.gaussians, DescriptorPlace(cell.descriptor));
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
    if (last == nullptr || RowPlace(*last) != RowPlace(*cell) ||
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
             RowPlace(*other) == RowPlace(cell);
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
                   [](const Cell* a, const Cell* b) { return RowPlace(*a) < RowPlace(*b); });
}

std::string Value(const Json& value) {
  // Infinities are stored as texts; they and other texts stand as they are.
  if (value.is_number()) return Short(value.get<double>());
  return value.is_string() ? value.get<std::string>() : std::string(kNoNumber);
}

bool AtEdge(const Json& channel, std::string_view name) {
  const auto edge = channel.find("edge");
  return edge != channel.end() && edge->is_array() &&
         std::find(edge->begin(), edge->end(), Json(name)) != edge->end();
}

// The channels of one seed; empty if none has the parameter.
std::string OneSeed(const Json& channels, std::string_view name) {
  std::string text;
  bool any = false;
  for (const Json& channel : channels) {
    if (!channel.is_object()) continue;
    if (!text.empty()) text += " + ";
    const auto found = channel.find(name);
    any |= found != channel.end();
    text += found == channel.end() ? std::string(kNoNumber) : Value(*found);
    if (AtEdge(channel, name)) text += '!';
  }
  return any ? text : "";
}

// Accuracies differ between seeds always: their mean says what a list of them would not.
std::string MeanValidation(const Json& seeds) {
  std::vector<double> sums;
  std::vector<int> counts;
  for (const Json& channels : seeds) {
    if (!channels.is_array()) continue;
    sums.resize(std::max(sums.size(), channels.size()));
    counts.resize(sums.size());
    for (std::size_t i = 0; i < channels.size(); ++i) {
      if (!channels[i].is_object() || !channels[i].contains("validation")) continue;
      const Json& value = channels[i]["validation"];
      if (!value.is_number()) continue;
      sums[i] += value.get<double>();
      ++counts[i];
    }
  }
  std::string text;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    if (counts[i] == 0) continue;
    text += (text.empty() ? "" : " + ") + Percent(sums[i] / counts[i]);
  }
  return text;
}

}  // namespace

std::vector<TableLayout> LayOutTables(const Results& results) {
  std::vector<std::string> datasets;
  for (const DatasetSummary& dataset : results.datasets) datasets.push_back(dataset.name);
  for (const Cell& cell : results.cells) datasets.push_back(cell.dataset);
  const auto order = [&](const Cell& cell) {
    const auto place = std::find(datasets.begin(), datasets.end(), cell.dataset);
    return std::tuple(TablePlace(cell.table), place, cell.metric);
  };
  std::vector<const Cell*> cells;
  for (const Cell& cell : results.cells) cells.push_back(&cell);
  std::stable_sort(cells.begin(), cells.end(), [&](const Cell* a, const Cell* b) {
    return std::tuple(order(*a), RowPlace(*a)) < std::tuple(order(*b), RowPlace(*b));
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
              [](const auto& a, const auto& b) { return MethodPlace(a) < MethodPlace(b); });
    layout.methods.erase(std::unique(layout.methods.begin(), layout.methods.end()),
                         layout.methods.end());
    AddRows(part, layout);
    start = end;
  }
  return tables;
}

bool IsBest(const TableRow& row, const Cell& cell) {
  // A single cell is not better than others.
  const auto there = std::count_if(row.cells.begin(), row.cells.end(),
                                   [](const Cell* other) { return other != nullptr; });
  return there > 1 && std::isfinite(cell.value) && cell.value == row.best;
}

std::string ValueText(const Cell& cell) {
  return Percent(cell.value) + std::string(cell.unconverged.empty() ? "" : kUnconvergedMark);
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

std::vector<ChosenParameter> Chosen(const Cell& cell) {
  std::vector<ChosenParameter> chosen;
  if (!cell.chosen.is_array()) return chosen;
  for (const std::string_view name : kChosenParameters) {
    if (name == "validation") {
      const std::string mean = MeanValidation(cell.chosen);
      if (!mean.empty()) chosen.push_back({std::string(name), mean});
      continue;
    }
    std::vector<std::string> seeds;
    for (const Json& channels : cell.chosen) {
      if (!channels.is_array()) continue;
      const std::string text = OneSeed(channels, name);
      if (!text.empty() && std::find(seeds.begin(), seeds.end(), text) == seeds.end()) {
        seeds.push_back(text);
      }
    }
    if (seeds.empty()) continue;
    ChosenParameter& parameter = chosen.emplace_back();
    parameter.name = name;
    for (const std::string& seed : seeds) {
      if (!parameter.values.empty()) parameter.values += "; ";
      parameter.values += seed;
    }
  }
  return chosen;
}

}  // namespace alcedo::report
