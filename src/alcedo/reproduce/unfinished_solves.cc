#include "alcedo/reproduce/unfinished_solves.h"

#include <fmt/format.h>

#include "alcedo/reproduce/work_files.h"

namespace alcedo::reproduce {

namespace fs = std::filesystem;

std::vector<int> UnfinishedIn(const ChannelVectors& vectors) {
  std::vector<int> positions;
  const auto poolings = static_cast<std::size_t>(vectors.values.rows());
  for (std::size_t p = 0; p < poolings; ++p) {
    // Reports are those of the first cell of a pyramid, then those of the second.
    for (std::size_t i = p; i < vectors.reports.size(); i += poolings) {
      if (vectors.reports[i].converged) continue;
      positions.push_back(static_cast<int>(p));
      break;
    }
  }
  return positions;
}

UnfinishedSolves::UnfinishedSolves(const fs::path& work, const std::string& part)
    : folder_(work / "unfinished" / part) {}

void UnfinishedSolves::Write(const Run& run, Index shard, const UnfinishedCounts& counts) const {
  for (const auto& [name, images] : counts) {
    const auto& [coding, choice] = name;
    WriteJson(run, folder_ / fmt::format("{}-{}-{:06}.json", coding, choice, shard),
              {{"coding", coding}, {"choice", choice}, {"images", images}});
  }
}

UnfinishedCounts UnfinishedSolves::Read() const {
  UnfinishedCounts counts;
  if (!fs::exists(folder_)) return counts;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_)) {
    if (entry.path().extension() != ".json") continue;  // a temporary file of a killed run
    const Json json = ReadJson(entry.path());
    counts[{json.at("coding"), json.at("choice")}] += json.at("images").get<Index>();
  }
  return counts;
}

}  // namespace alcedo::reproduce
