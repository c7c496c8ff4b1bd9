// The best of an ordered list of values, if the quality along it has one peak.
#pragma once

#include <cstddef>
#include <map>

namespace alcedo::reproduce {

struct Peak {
  std::size_t index = 0;
  double quality = 0;
};

// From `start` uphill, until neither neighbour is better; among equals the smaller index wins.
// quality(i) is asked once for every index that is looked at, small ones first: with C those are
// the cheap ones. Requires start < count.
template <class Quality>
Peak Climb(std::size_t count, std::size_t start, const Quality& quality) {
  std::map<std::size_t, double> known;
  const auto at = [&](std::size_t i) {
    const auto found = known.find(i);
    return found != known.end() ? found->second : known.emplace(i, quality(i)).first->second;
  };
  std::size_t best = start;
  while (true) {
    if (best > 0 && at(best - 1) > at(best)) {
      --best;
    } else if (best + 1 < count && at(best + 1) > at(best)) {
      ++best;
    } else if (best > 0 && at(best - 1) == at(best)) {
      --best;
    } else {
      return {best, at(best)};
    }
  }
}

// From the best of every `stride`-th index uphill, until neither neighbour is better; among equals
// the smaller index wins. quality(i) is asked once for every index that is looked at, small ones
// first: with C those are the cheap ones. Requires count > 0 and stride > 0.
template <class Quality>
Peak ClimbFromEvery(std::size_t stride, std::size_t count, const Quality& quality) {
  std::map<std::size_t, double> known;
  const auto at = [&](std::size_t i) {
    const auto found = known.find(i);
    return found != known.end() ? found->second : known.emplace(i, quality(i)).first->second;
  };
  std::size_t start = 0;
  for (std::size_t i = 0; i < count; i += stride) {
    if (at(i) > at(start)) start = i;
  }
  return Climb(count, start, at);
}

}  // namespace alcedo::reproduce
