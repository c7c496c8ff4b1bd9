#include "alcedo/report/paper_tables.h"

#include <array>

namespace alcedo::report {
namespace {

struct PaperDataset {
  std::string_view name, title, metric;
};

// In the order of the tables' columns.
constexpr std::array<PaperDataset, 5> kDatasets = {{
    {"voc2007", "PASCAL VOC 2007", "map-voc11"},
    {"cub2010", "Caltech-UCSD Birds 2010", "top1-classes"},
    {"cub2011", "Caltech-UCSD Birds 2011", "top1-classes"},
    {"pets", "Oxford-IIIT Pets", "top1-classes"},
    {"flowers", "Oxford 102 Flowers", "top1-classes"},
}};

constexpr std::array<std::string_view, 2> kEmkMethods = {"sum", "gmp"};
constexpr std::array<std::string_view, 4> kFisherMethods = {"sum", "sum+p", "gmp", "gmp+p"};

struct EmkRow {
  std::string_view descriptor;
  double values[5][2];
};

struct FisherRow {
  int gaussians;
  std::string_view descriptor;
  double values[5][4];
};

constexpr std::array<EmkRow, 3> kEmk = {{
    {"sift", {{40.0, 46.0}, {2.9, 6.5}, {5.0, 10.6}, {21.7, 35.6}, {41.3, 52.2}}},
    {"color", {{30.1, 34.6}, {3.0, 11.8}, {4.0, 22.0}, {13.2, 28.5}, {41.8, 60.2}}},
    {"fusion", {{43.1, 49.5}, {3.7, 13.5}, {6.0, 24.8}, {22.8, 42.9}, {55.8, 69.5}}},
}};

constexpr std::array<FisherRow, 6> kFisher = {{
    {16,
     "sift",
     {{49.1, 51.6, 52.8, 53.4},
      {4.1, 6.2, 6.4, 6.9},
      {7.9, 11.1, 11.5, 12.7},
      {29.4, 32.1, 35.1, 35.7},
      {58.3, 62.8, 63.8, 65.3}}},
    {16,
     "color",
     {{40.2, 43.8, 45.3, 45.8},
      {4.9, 8.7, 12.5, 13.1},
      {7.2, 16.8, 21.6, 22.8},
      {22.5, 28.6, 32.5, 33.5},
      {55.3, 65.6, 65.9, 67.2}}},
    {16,
     "fusion",
     {{52.2, 55.1, 57.0, 57.1},
      {5.6, 10.1, 13.0, 13.9},
      {10.0, 18.0, 23.4, 25.6},
      {33.5, 40.5, 42.9, 44.4},
      {69.9, 77.6, 79.0, 79.3}}},
    {256,
     "sift",
     {{52.6, 57.8, 58.1, 58.9},
      {5.3, 8.1, 7.7, 9.6},
      {10.2, 16.3, 16.4, 17.0},
      {38.1, 47.1, 47.9, 49.2},
      {67.7, 73.0, 72.8, 73.3}}},
    {256,
     "color",
     {{39.4, 49.5, 50.0, 50.4},
      {4.6, 13.0, 14.2, 14.6},
      {9.0, 27.4, 27.0, 29.3},
      {23.6, 41.1, 41.6, 43.0},
      {63.9, 74.0, 72.8, 75.1}}},
    {256,
     "fusion",
     {{54.7, 60.6, 61.8, 61.7},
      {7.1, 14.2, 13.3, 17.2},
      {13.2, 29.7, 30.8, 33.3},
      {40.5, 54.2, 56.1, 56.8},
      {77.2, 83.5, 82.2, 84.6}}},
}};

std::vector<PaperCell> AllCells() {
  std::vector<PaperCell> cells;
  for (const EmkRow& row : kEmk) {
    for (std::size_t d = 0; d < kDatasets.size(); ++d) {
      for (std::size_t m = 0; m < 2; ++m) {
        cells.push_back(
            {"1", kDatasets[d].name, "emk", 0, row.descriptor, kEmkMethods[m], row.values[d][m]});
      }
    }
  }
  for (const FisherRow& row : kFisher) {
    for (std::size_t d = 0; d < kDatasets.size(); ++d) {
      for (std::size_t m = 0; m < 4; ++m) {
        cells.push_back({"2", kDatasets[d].name, "fv", row.gaussians, row.descriptor,
                         kFisherMethods[m], row.values[d][m]});
      }
    }
  }
  cells.push_back({"pyramid", "voc2007", "fv", 256, "fusion", "sum+p", 60.2});
  cells.push_back({"pyramid", "voc2007", "fv", 256, "fusion", "gmp", 62.0});
  return cells;
}

const PaperDataset* Find(std::string_view dataset) {
  for (const PaperDataset& candidate : kDatasets) {
    if (candidate.name == dataset) return &candidate;
  }
  return nullptr;
}

}  // namespace

const std::vector<PaperCell>& PaperCells() {
  static const std::vector<PaperCell> cells = AllCells();
  return cells;
}

std::optional<double> PaperValue(std::string_view table, std::string_view dataset,
                                 std::string_view encoder, int gaussians,
                                 std::string_view descriptor, std::string_view method) {
  for (const PaperCell& cell : PaperCells()) {
    if (cell.table == table && cell.dataset == dataset && cell.encoder == encoder &&
        cell.gaussians == gaussians && cell.descriptor == descriptor && cell.method == method) {
      return cell.value;
    }
  }
  return std::nullopt;
}

std::optional<std::string_view> PaperMetric(std::string_view dataset) {
  const PaperDataset* found = Find(dataset);
  if (found == nullptr) return std::nullopt;
  return found->metric;
}

std::string_view DatasetTitle(std::string_view dataset) {
  const PaperDataset* found = Find(dataset);
  return found == nullptr ? dataset : found->title;
}

std::string_view TableTitle(std::string_view table) {
  if (table == "1") return "Table 1: Efficient Match Kernels";
  if (table == "2") return "Table 2: Fisher Vectors";
  if (table == "pyramid") return "Spatial pyramids";
  if (table == "beyond") return "Beyond the paper";
  return table;
}

}  // namespace alcedo::report
