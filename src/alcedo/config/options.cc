#include "alcedo/config/options.h"

#include <type_traits>

namespace alcedo {

std::vector<DescriptorChoice> DescriptorsOf(const DescriptorSet& set) {
  return set.Visit([]<class Options>(const Options& options) -> std::vector<DescriptorChoice> {
    if constexpr (std::is_same_v<Options, BothDescriptors>) {
      return {SiftOptions{}, ColorOptions{}};
    } else {
      return {options};
    }
  });
}

}  // namespace alcedo
