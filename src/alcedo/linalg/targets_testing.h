// For tests of kernels: all instruction sets that this machine has, not only its best one.
#pragma once

#include <gtest/gtest.h>
#include <hwy/highway.h>

#include <string>

namespace alcedo::targets_testing {

// Calls body() once per instruction set.
template <class Body>
void ForEachTarget(const Body& body) {
  for (const auto target : hwy::SupportedAndGeneratedTargets()) {
    SCOPED_TRACE(std::string("target ") + hwy::TargetName(target));
    hwy::SetSupportedTargetsForTest(target);
    body();
    hwy::SetSupportedTargetsForTest(0);
  }
}

}  // namespace alcedo::targets_testing
