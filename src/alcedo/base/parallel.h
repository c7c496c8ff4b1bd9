// The only place where threads live.
#pragma once

#include <functional>

#include "alcedo/base/index.h"

namespace alcedo {

// Calls body(i) for every i in [0, count), on at most `threads` threads, and returns when all are
// done. The first exception (of the smallest index among those seen) is rethrown; the other calls
// may then be left out. Callers write results to places that depend on i alone, so no result
// depends on the number of threads.
//
// If the system refuses to start so many threads, it works with those it gets.
//
// Requires count >= 0 and threads >= 1. One thread runs in the caller, in order.
void ParallelFor(Index count, int threads, const std::function<void(Index)>& body);

// The number of hardware threads, at least 1.
int HardwareThreads();

}  // namespace alcedo
