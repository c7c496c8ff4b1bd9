// Times us and a peer in one process, alternating, and keeps the medians: on a noisy machine only
// the ratio of two things measured together means anything.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace alcedo::bench {

struct Row {
  std::string kernel;
  std::string peer;
  double ours_ms = 0;
  double peer_ms = 0;
  double ratio = 0;     // peer / ours: how many times faster we are, unless unit says otherwise
  std::string goal;     // e.g. ">= 2", "" where there is none
  bool reached = true;  // false where there is a goal and it was missed
  std::string note;     // what else was seen: iterations, residuals, share of the machine's limit
  std::string unit = "ms";  // of ours_ms and peer_ms: "ms", "MB", "GFLOP/s", "GB/s", "images/s"
};

// Milliseconds of processor time of one call.
double Time(const std::function<void()>& call);

// Medians of both over `rounds` rounds; in each, one call after the other. A first round is not
// counted.
struct Medians {
  double ours = 0, peer = 0;
};
Medians Compare(const std::function<void()>& ours, const std::function<void()>& peer, int rounds);

// The row of a comparison with the goal that ours is at least `at_least` times faster (0: no goal).
Row MakeRow(std::string kernel, std::string peer, const Medians& medians, double at_least,
            std::string note);

// A group of kernels; its functions add rows.
struct Group {
  std::string name;
  std::function<void(std::vector<Row>&)> run;
};
std::vector<Group> GmpGroups();
std::vector<Group> ModelGroups();
std::vector<Group> DescriptorGroups();
std::vector<Group> VocabularyGroups();
std::vector<Group> EncodingGroups();
std::vector<Group> ClassifierGroups();
std::vector<Group> PipelineGroups();
std::vector<Group> OpenCvGroups();
std::vector<Group> LimitGroups();
std::vector<Group> PackageGroups();
std::vector<Group> TorchGroups();

// A table for people, and one JSON object per row.
std::string Table(const std::vector<Row>& rows);
std::string Json(const std::vector<Row>& rows);

}  // namespace alcedo::bench
