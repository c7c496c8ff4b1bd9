// A program outside the tree: everything it needs comes with find_package(alcedo).
#include <alcedo/alcedo.h>

#include <cmath>
#include <cstdio>

int main() {
  alcedo::Rows rows(3, 2);
  rows << 1, 0, 1, 0, 0, 1;
  alcedo::GmpOptions options;
  options.lambda = 0;
  alcedo::Vector phi = alcedo::PoolGmp(alcedo::Encodings::Dense(rows), options).phi;
  std::printf("%g %g\n", phi[0], phi[1]);
  const bool right = std::abs(phi[0] - 1) < 1e-9 && std::abs(phi[1] - 1) < 1e-9;
  alcedo::L2Normalize(phi);
  const alcedo::ArrayToWrite array{
      "", {2}, alcedo::ElementType::kFloat64, {reinterpret_cast<const char*>(phi.data()), 16}};
  return right && alcedo::NpyBytes(array).size() == 144 ? 0 : 1;
}
