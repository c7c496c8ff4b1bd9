// Cells arranged as tables, for whoever draws them.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "alcedo/report/results.h"

namespace alcedo::report {

struct TableRow {
  std::string group;               // "G = 16"; what several rows share, empty if there is one group
  std::string label;               // "SIFT"
  std::vector<const Cell*> cells;  // one per column, null if there is none
  double best = 0;                 // the largest finite value
};

// One dataset's cells of one table, by one metric.
struct TableLayout {
  std::string dataset, table, metric;
  std::vector<std::string> methods;  // the columns
  std::vector<TableRow> rows;
  bool has_paper = false;  // whether to show the paper's numbers
};

// All cells, each in the table that it names, in an order that depends on the cells' names and on
// which dataset comes first, not on who was computed first. Rows of "beyond" also show what the
// paper's tables have for them. Points into `results`.
std::vector<TableLayout> LayOutTables(const Results& results);

bool IsBest(const TableRow& row, const Cell& cell);
// Whether a cell has a number in the paper, and shows less: the paper prints one digit.
bool FallsShort(const Cell& cell);
// Whether it has one, and shows at least as much.
bool Reaches(const Cell& cell);

// "84.6", with a mark behind it if a solver behind it did not converge: such a number may be the
// solver's and not the method's.
inline constexpr std::string_view kUnconvergedMark = "‡";
std::string ValueText(const Cell& cell);

// "±0.9", half of the interval's width; "67.6–100.0" if that would lead beyond 0 or 100; empty
// if there is no interval.
std::string IntervalText(const Cell& cell);

// What was chosen, per parameter: channels joined by " + ", and what differs between seeds by "; ".
// A value at the edge of what was searched has a "!" behind it. "validation" is the accuracy there,
// the mean over seeds.
inline constexpr std::array<std::string_view, 8> kChosenParameters = {
    "lambda", "relative lambda", "power", "c", "sigma", "gamma", "beta", "validation"};
struct ChosenParameter {
  std::string name, values;
};
std::vector<ChosenParameter> Chosen(const Cell& cell);

}  // namespace alcedo::report
