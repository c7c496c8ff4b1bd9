#include "alcedo/cli/terminate.h"

#include <gtest/gtest.h>

#include <functional>
#include <new>
#include <stdexcept>
#include <thread>

#include "alcedo/cli/errors.h"

namespace alcedo::cli {
namespace {

// A call that may throw, from a function that may not.
void CallWithoutExceptions(const std::function<void()>& call) noexcept { call(); }

TEST(TerminateDeathTest, IsOneSentenceAndAnExitCode) {
  const auto failed = testing::ExitedWithCode(kFailed);
  EXPECT_EXIT(
      {
        InstallTerminate();
        CallWithoutExceptions([] { throw std::bad_alloc(); });
      },
      failed, "^alcedo: there is not enough memory for this\n$");
  EXPECT_EXIT(
      {
        InstallTerminate();
        std::thread([] { throw std::bad_alloc(); }).join();
      },
      failed, "^alcedo: there is not enough memory for this\n$");
  EXPECT_EXIT(
      {
        InstallTerminate();
        CallWithoutExceptions([] { throw std::runtime_error("x is y"); });
      },
      failed, "^alcedo: internal error: x is y\n$");
  EXPECT_EXIT(
      {
        InstallTerminate();
        std::terminate();
      },
      failed, "^alcedo: stopped by an internal error, or there is not enough memory for this\n$");
}

}  // namespace
}  // namespace alcedo::cli
