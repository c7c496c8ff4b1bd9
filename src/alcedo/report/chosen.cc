#include <fmt/format.h>

#include <algorithm>

#include "alcedo/report/report_text.h"
#include "alcedo/report/table_layout.h"

namespace alcedo::internal {
namespace {

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

// The channels of one seed; empty where none has the parameter.
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

}  // namespace alcedo::internal
