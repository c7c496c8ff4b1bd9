// The part of the work that one of several processes does.
#pragma once

#include "alcedo/base/index.h"

namespace alcedo {

// What has a number (an input, a shard of a feature store) belongs to the process `rank` if it is
// `rank` modulo `ranks`.
struct Share {
  Index rank = 0;
  Index ranks = 1;

  bool Has(Index number) const { return number % ranks == rank; }
};

}  // namespace alcedo
