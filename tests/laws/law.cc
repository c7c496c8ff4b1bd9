#include "law.h"

#include <cstdio>
#include <cstdlib>
#include <string>

namespace alcedo::laws {
namespace {

constexpr std::uint64_t kSeed = 20140624;
constexpr long kFewestCases = 100000;
long cases_run = 0;

std::string CurrentLaw() {
  const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
  return std::string(info->test_suite_name()) + "." + info->name();
}

// Prints how many cases the laws saw, and refuses a suite that became too small.
class CaseCount : public ::testing::Environment {
  void TearDown() override {
    std::printf("laws: %ld generated cases\n", cases_run);
    const auto* all = ::testing::UnitTest::GetInstance();
    if (AllCasesRun() && all->test_to_run_count() == all->total_test_count() && all->Passed()) {
      EXPECT_GE(cases_run, kFewestCases);
    }
  }
};
const auto* const case_count = ::testing::AddGlobalTestEnvironment(new CaseCount);

}  // namespace

bool AllCasesRun() {
  return std::getenv("ALCEDO_LAW_CASE") == nullptr && std::getenv("ALCEDO_LAW_EVERY") == nullptr;
}

std::vector<int> CasesToRun(int count) {
  if (const char* one = std::getenv("ALCEDO_LAW_CASE")) return {std::atoi(one)};
  const char* every = std::getenv("ALCEDO_LAW_EVERY");
  const int stride = every == nullptr ? 1 : std::max(1, std::atoi(every));
  std::vector<int> cases;
  for (int i = 0; i < count; i += stride) cases.push_back(i);
  return cases;
}

Random RandomForCase(int index) {
  std::uint64_t hash = kSeed;
  for (const char c : CurrentLaw()) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return Random(Random(hash + static_cast<std::uint64_t>(index)).Next());
}

void CountCase() { ++cases_run; }

std::string HowToReplay(int index) {
  return "case " + std::to_string(index) +
         "; replay it with ALCEDO_LAW_CASE=" + std::to_string(index) +
         " laws_test --gtest_filter=" + CurrentLaw();
}

}  // namespace alcedo::laws
