// Does the cost model choose well? The automatic solver against the better of the two, over shapes
// and lambdas from easy to hard.
#include <fmt/format.h>

#include <algorithm>

#include "alcedo/pooling/gmp.h"
#include "data.h"
#include "harness.h"

namespace alcedo::bench {
namespace {

struct Case {
  const char* name;
  Encodings encodings;
  int rounds;
};

void Auto(std::vector<Row>& rows_out) {
  const Case cases[] = {{"256 blocks of 128", FisherLikeEncodings(10000, 256), 9},
                        {"16 blocks of 128", FisherLikeEncodings(10000, 16), 9},
                        {"dense 2000 x 256", Encodings::Dense(EmkLikeRows(2000, 256)), 5},
                        {"dense 200 x 1024", Encodings::Dense(EmkLikeRows(200, 1024)), 9},
                        {"dense 5000 x 1024", Encodings::Dense(EmkLikeRows(5000, 1024)), 1}};
  for (const Case& c : cases) {
    for (double relative : {1e-3, 0.1, 10.0}) {
      const auto solve = [&](GmpSolver solver) {
        return [&, solver] {
          GmpOptions options;
          options.lambda = relative;
          options.relative = true;
          options.solver = solver;
          PoolGmp(c.encodings, options);
        };
      };
      const Medians cg = Compare(solve(GmpSolver::kAuto), solve(GmpSolver::kCg), c.rounds);
      const Medians direct = Compare(solve(GmpSolver::kAuto), solve(GmpSolver::kDirect), c.rounds);
      const bool cg_wins = cg.peer < direct.peer;
      Row row = MakeRow(
          fmt::format("auto/{}", c.name), cg_wins ? "cg, the better one" : "direct, the better one",
          cg_wins ? cg : direct, 0,
          fmt::format("lambda {:g} of the mean squared norm; cg {:.3g} ms, direct {:.3g} ms",
                      relative, cg.peer, direct.peer));
      row.goal = ">= 0.7";
      row.reached = row.ratio >= 0.7;
      rows_out.push_back(row);
    }
  }
}

}  // namespace

std::vector<Group> ModelGroups() { return {{"auto", Auto}}; }

}  // namespace alcedo::bench
