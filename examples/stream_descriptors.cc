// Pools more patches than fit in memory: accumulators take them in chunks and are merged, and GMP
// is solved from the merged accumulator.
#include <cstdio>

#include "alcedo/base/random.h"
#include "alcedo/pooling/accumulator.h"

int main() {
  const alcedo::Index dimension = 32;
  alcedo::GmpAccumulator here(1, dimension), there(1, dimension);
  alcedo::Rng rng(2);
  for (int chunk = 0; chunk < 50; ++chunk) {
    alcedo::Rows rows(2000, dimension);
    for (alcedo::Index i = 0; i < rows.size(); ++i) {
      rows.data()[i] = static_cast<float>(rng.Normal() + 0.5);
    }
    (chunk % 2 == 0 ? here : there).Add(alcedo::Encodings::Dense(std::move(rows)));
  }
  // As if `there` were another computer.
  const std::string bytes = there.ToBytes();
  here.Merge(alcedo::GmpAccumulator::FromBytes(bytes));

  const double lambdas[] = {0, 10, 1000};
  const alcedo::GmpPath path = here.Solve(alcedo::ForLambdas(lambdas));
  std::printf("%lld patches in %zu kB\n", static_cast<long long>(here.num_rows()),
              bytes.size() / 1000);
  for (int l = 0; l < 3; ++l) {
    std::printf("lambda %6g: |phi| = %.4f\n", lambdas[l], path.phi.row(l).norm());
  }
  return here.num_rows() == 100000 ? 0 : 1;
}
