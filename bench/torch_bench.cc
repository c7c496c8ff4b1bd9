// The PyTorch layer beside autograd: python_torch_bench.py measures both, on one thread.
#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>

#include "harness.h"
#include "python_peers.h"

namespace alcedo::bench {
namespace {

void Torch(std::vector<Row>& rows_out) {
  const std::string arguments[] = {"--tokens 196 --channels 384",
                                   "--tokens 784 --channels 128 --repeats 3"};
  for (const std::string& shape : arguments) {
    const std::string output =
        OutputOfPython("python_torch_bench.py --json - " + shape + " 2>/dev/null");
    const auto rows = nlohmann::json::parse(output, nullptr, false);
    if (rows.is_discarded()) {
      fmt::print(stderr, "skipped PyTorch: it is not installed for /usr/bin/python3\n");
      return;
    }
    for (const auto& found : rows) {
      Row row;
      row.kernel = found.at("kernel");
      row.peer = found.at("peer");
      row.ours_ms = found.at("ours_ms");
      row.peer_ms = found.at("peer_ms");
      row.ratio = found.at("ratio");
      row.goal = found.at("goal");
      row.reached = found.at("reached");
      row.note = found.at("note");
      row.unit = found.at("unit");
      rows_out.push_back(row);
    }
  }
}

}  // namespace

std::vector<Group> TorchGroups() { return {{"torch", Torch}}; }

}  // namespace alcedo::bench
