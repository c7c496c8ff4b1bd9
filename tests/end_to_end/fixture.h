// What all end-to-end tests share.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "arrays.h"
#include "process.h"

namespace end_to_end {

// A relative error that float output and the default tolerance of 1e-6 stay below.
constexpr double kClose = 2e-6;

class EndToEnd : public testing::Test {
 protected:
  // Runs the program, expects success, and neither errors nor warnings.
  static Result Succeed(const Args& args, const std::string& input = "") {
    Result result = RunProgram(args, input);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_THAT(result.err, testing::Not(testing::HasSubstr("alcedo:")));
    return result;
  }

  // Runs the program, expects this exit code, one line on standard error, and no new files.
  static std::string Fail(const Args& args, int exit_code, const std::string& input = "") {
    const std::vector<std::string> before = FilesHere();
    const Result result = RunProgram(args, input);
    EXPECT_EQ(result.exit_code, exit_code) << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_THAT(result.err, testing::StartsWith("alcedo: "));
    EXPECT_EQ(result.err.find('\n'), result.err.size() - 1) << result.err;
    EXPECT_EQ(FilesHere(), before);
    return result.err;
  }

  static void ExpectArray(const Array& array, const std::vector<std::size_t>& shape,
                          const Row& values, double tolerance = kClose) {
    EXPECT_EQ(array.shape, shape);
    EXPECT_LE(RelativeError(array.values, values), tolerance);
  }

 private:
  TemporaryFolder folder_;
};

}  // namespace end_to_end
