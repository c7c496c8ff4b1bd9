// How much memory the heap holds, and the most it held: what hostile files must not drive up.
#pragma once

#include <cstddef>

namespace alcedo::fuzz {

// Starts a new measurement in this thread.
void ResetPeak();

// The most bytes that were allocated at one time since ResetPeak(), beyond those at its call.
std::ptrdiff_t PeakBytes();

}  // namespace alcedo::fuzz
