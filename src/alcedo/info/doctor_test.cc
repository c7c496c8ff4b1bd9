// What `alcedo doctor` would say of a program that is broken, and of limits.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "alcedo/base/types.h"
#include "alcedo/info/build_info.h"
#include "alcedo/info/doctor_report.h"
#include "alcedo/info/self_test.h"

namespace alcedo::info {
namespace {

using testing::HasSubstr;

Vector Right(const Encodings& encodings, const GmpOptions& options) {
  return PoolGmp(encodings, options).phi;
}

TEST(CheckPooling, ARightSolverPasses) {
  for (const Finding& check : CheckPooling(Right)) EXPECT_EQ(check.problem, "") << check.name;
}

TEST(CheckPooling, AWrongSolverIsNamed) {
  for (const double factor : {1.001, std::numeric_limits<double>::quiet_NaN()}) {
    const std::vector<Finding> checks =
        CheckPooling([&](const Encodings& encodings, const GmpOptions& options) -> Vector {
          const Vector phi = Right(encodings, options);
          return options.solver == GmpSolver::kDual ? Vector(factor * phi) : phi;
        });
    for (const Finding& check : checks) {
      const bool dual = check.name.find("dual") != std::string::npos;
      EXPECT_EQ(check.problem.empty(), !dual) << check.name;
      if (dual) {
        EXPECT_THAT(check.problem, HasSubstr("pooling by dual differs from the formula"));
      }
    }
  }
}

TEST(CheckPooling, AVectorOfAnotherSizeIsWrong) {
  for (const Finding& check : CheckPooling([](const Encodings& encodings, const GmpOptions&) {
         return Vector(Vector::Ones(encodings.dimension() - 1));
       })) {
    EXPECT_NE(check.problem, "");
  }
}

TEST(Problem, TheFirstAndHowManyMore) {
  DoctorReport report;
  EXPECT_EQ(Problem(report), "");
  report.checks = {{"a", "", ""}, {"b", "b is wrong", ""}};
  EXPECT_EQ(Problem(report), "b is wrong");
  report.checks.push_back({"c", "c is wrong", ""});
  EXPECT_EQ(Problem(report), "b is wrong (and 1 more of the checks failed)");
  EXPECT_THAT(DoctorText(report), HasSubstr("WRONG        c is wrong\n"));
  EXPECT_THAT(DoctorJson(report), HasSubstr("\"ok\": false"));
}

TEST(TempFolderCheck, NoRoom) {
  Machine machine;
  machine.temp_folder = "/full";
  EXPECT_THAT(TempFolderCheck(machine).problem, HasSubstr("'/full', cannot be used"));
  machine.temp_space = 0;
  EXPECT_THAT(TempFolderCheck(machine).problem, HasSubstr("no space is left in '/full'"));
  machine.temp_space = 1;
  EXPECT_EQ(TempFolderCheck(machine).problem, "");
}

TEST(Cgroup, Limits) {
  EXPECT_EQ(ParseCpuMax("150000 100000"), 1.5);
  EXPECT_EQ(ParseCpuMax("max 100000"), std::nullopt);
  EXPECT_EQ(ParseCpuMax("-1 100000"), std::nullopt);  // version 1
  EXPECT_EQ(ParseCpuMax(""), std::nullopt);
  EXPECT_EQ(ParseMemoryMax("1073741824"), 1073741824);
  EXPECT_EQ(ParseMemoryMax("max"), std::nullopt);
  EXPECT_EQ(ParseMemoryMax("9223372036854771712"), std::nullopt);  // version 1
}

}  // namespace
}  // namespace alcedo::info
