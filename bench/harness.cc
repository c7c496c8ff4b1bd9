#include "harness.h"

#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace alcedo::bench {

double Time(const std::function<void()>& call) {
  // Everything runs on this one thread, so its processor time is the time it took, less what other
  // processes took away.
  const auto now = [] {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return 1e3 * static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_nsec);
  };
  const double begin = now();
  call();
  return now() - begin;
}

Medians Compare(const std::function<void()>& ours, const std::function<void()>& peer, int rounds) {
  std::vector<double> a, b;
  for (int round = 0; round <= rounds; ++round) {
    const double x = Time(ours), y = Time(peer);
    if (round == 0) continue;
    a.push_back(x);
    b.push_back(y);
  }
  const auto median = [](std::vector<double>& v) {
    std::nth_element(v.begin(), v.begin() + v.size() / 2, v.end());
    return v[v.size() / 2];
  };
  return {median(a), median(b)};
}

Row MakeRow(std::string kernel, std::string peer, const Medians& medians, double at_least,
            std::string note) {
  Row row;
  row.kernel = std::move(kernel);
  row.peer = std::move(peer);
  row.ours_ms = medians.ours;
  row.peer_ms = medians.peer;
  row.ratio = medians.peer / medians.ours;
  if (at_least > 0) {
    row.goal = fmt::format(">= {:g}", at_least);
    row.reached = row.ratio >= at_least;
  }
  row.note = std::move(note);
  return row;
}

std::string Table(const std::vector<Row>& rows) {
  std::string text = fmt::format("{:<34} {:>10} {:>10} {:>7} {:>8}  {:<36} {}\n", "kernel", "ours",
                                 "peer", "ratio", "goal", "peer is", "seen");
  for (const Row& row : rows) {
    const auto number = [&](double value) {
      return value == 0 ? std::string("-") : fmt::format("{:.3g} {}", value, row.unit);
    };
    text += fmt::format("{:<34} {:>10} {:>10} {:>6.2f}x {:>7}{} {:<36} {}\n", row.kernel,
                        number(row.ours_ms), number(row.peer_ms), row.ratio, row.goal,
                        row.goal.empty() ? " "
                        : row.reached    ? "+"
                                         : "!",
                        row.peer, row.note);
  }
  text += "ratio: how many times faster (or smaller) than the peer; goal: + reached, ! missed\n";
  return text;
}

std::string Json(const std::vector<Row>& rows) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Row& row : rows) {
    list.push_back({{"kernel", row.kernel},
                    {"ours_ms", row.ours_ms},
                    {"peer", row.peer},
                    {"peer_ms", row.peer_ms},
                    {"ratio", row.ratio},
                    {"goal", row.goal},
                    {"reached", row.reached},
                    {"unit", row.unit},
                    {"note", row.note}});
  }
  return list.dump(2) + "\n";
}

}  // namespace alcedo::bench
