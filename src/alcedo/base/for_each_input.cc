#include "alcedo/base/for_each_input.h"

#include <numeric>

namespace alcedo {

std::vector<Index> NumbersOfShare(std::span<const Index> numbers, Index block, const Share& share) {
  std::vector<Index> mine;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (share.Has(static_cast<Index>(i) / block)) mine.push_back(numbers[i]);
  }
  return mine;
}

std::vector<Index> AllNumbers(Index count) {
  std::vector<Index> numbers(static_cast<std::size_t>(count));
  std::iota(numbers.begin(), numbers.end(), Index{0});
  return numbers;
}

}  // namespace alcedo
