// The main function of every test binary: GoogleTest's, but a run whose tests were all skipped ends
// with exit code 77, which ctest shows as skipped, and one that matches no test fails.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>

int main(int argc, char** argv) {
  testing::InitGoogleMock(&argc, argv);
  const int code = RUN_ALL_TESTS();
  if (GTEST_FLAG_GET(list_tests)) return code;
  const testing::UnitTest& all = *testing::UnitTest::GetInstance();
  if (all.test_to_run_count() == 0) {
    std::fprintf(stderr, "no test is called '%s'\n", GTEST_FLAG_GET(filter).c_str());
    return 1;
  }
  constexpr int kSkipped = 77;
  return code == 0 && all.skipped_test_count() == all.test_to_run_count() ? kSkipped : code;
}
