// alcedo_bench [--filter NAME] [--json FILE] [--list]
#include <fmt/format.h>

#include <cstring>
#include <string>

#include "alcedo/base/error.h"
#include "alcedo/io/atomic_file.h"
#include "harness.h"
#include "peers.h"

int main(int argc, char** argv) {
  using namespace alcedo::bench;
  std::string filter, json;
  bool list = false;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    const bool has_value = i + 1 < argc;
    if (argument == "--filter" && has_value) {
      filter = argv[++i];
    } else if (argument == "--json" && has_value) {
      json = argv[++i];
    } else if (argument == "--list") {
      list = true;
    } else {
      fmt::print(stderr, "usage: {} [--filter NAME] [--json FILE] [--list]\n", argv[0]);
      return 2;
    }
  }
  UseOneBlasThread();
  std::vector<Group> groups;
  for (auto* make :
       {GmpGroups, ModelGroups, DescriptorGroups, VocabularyGroups, EncodingGroups,
        ClassifierGroups, PipelineGroups, OpenCvGroups, LimitGroups, PackageGroups, TorchGroups}) {
    for (Group& group : make()) groups.push_back(std::move(group));
  }
  std::vector<Row> rows;
  int run = 0;
  for (const Group& group : groups) {
    if (group.name.find(filter) == std::string::npos) continue;
    if (list) {
      fmt::print("{}\n", group.name);
      continue;
    }
    fmt::print(stderr, "measuring {} ...\n", group.name);
    group.run(rows);
    ++run;
  }
  if (list) return 0;
  if (run == 0) {
    fmt::print(stderr, "no benchmark is called '{}'; --list shows their names\n", filter);
    return 2;
  }
  fmt::print("{}", Table(rows));
  try {
    if (!json.empty()) alcedo::WriteWholeFile(json, Json(rows));
  } catch (const alcedo::Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
