#include "alcedo/base/for_each_input.h"

#include <numeric>

namespace alcedo {

std::vector<Index> AllNumbers(Index count) {
  std::vector<Index> numbers(static_cast<std::size_t>(count));
  std::iota(numbers.begin(), numbers.end(), Index{0});
  return numbers;
}

}  // namespace alcedo
