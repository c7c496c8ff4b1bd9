// Models of descriptors made elsewhere.
#include <nlohmann/json.hpp>

#include "arrays.h"
#include "train_fixture.h"

namespace end_to_end {
namespace {

using testing::AllOf;
using testing::HasSubstr;
namespace fs = std::filesystem;

// A few rows are far from the others, in all classes, and where exactly they are tells the class.
void WriteTokens(const std::string& folder, int count) {
  const char* const names[] = {"left", "middle", "right"};
  for (std::size_t kind = 0; kind < 3; ++kind) {
    for (int i = 0; i < count; ++i) {
      Table rows = RandomRows(40, 6, static_cast<unsigned>(100 * kind + i));
      for (std::size_t r = 0; r < 6; ++r) {
        rows[r][5] += 8;
        rows[r][kind] += 1.5;
      }
      WriteFile(folder + "/" + names[kind] + "/" + std::to_string(i) + ".npy", Npy(rows));
    }
  }
}

TEST_F(Train, TakesDescriptorsMadeElsewhere) {
  WriteTokens("tokens", 12);
  const Args external{"--descriptor", "external", "--gaussians", "2"};
  Succeed(Args{"train", "tokens", "-q", "-o", "m.safetensors"} + external);
  EXPECT_FALSE(fs::exists("m.safetensors.work"));
  Succeed(Args{"train", "tokens", "-q", "--threads", "2", "-o", "again.safetensors"} + external);
  EXPECT_EQ(ReadFile("m.safetensors"), ReadFile("again.safetensors"));

  Succeed({"evaluate", "m.safetensors", "tokens", "-q", "--json", "out.json"});
  const nlohmann::json json = nlohmann::json::parse(ReadFile("out.json"));
  EXPECT_EQ(json["images"], 18);
  EXPECT_EQ(json["trained_on"], 0);
  EXPECT_GT(json["measures"]["top1-images"]["value"], 0.9);
  EXPECT_THAT(RunProgram({"classify", "m.safetensors", "tokens/right/3.npy"}).out,
              HasSubstr("right"));

  // One kind of file for the other, both ways.
  EXPECT_THAT(Fail(Args{"train", "data", "-o", "x.safetensors"} + external, 1),
              HasSubstr("data: has no folders with array files (.npy, .npz, .safetensors)"));
  EXPECT_THAT(Fail({"evaluate", "m.safetensors", "data"}, 1), HasSubstr("array files"));
  EXPECT_THAT(Fail(Args{"train", "tokens", "-o", "x.safetensors", "--scales", "3"} + external, 2),
              AllOf(HasSubstr("--scales"), HasSubstr("external")));
  EXPECT_THAT(
      Fail(Args{"train", "tokens", "-o", "x.safetensors", "--dataset", "pets"} + external, 2),
      HasSubstr("--dataset pets"));
}

TEST_F(Train, LeavesOutAFolderThatMayNotBeRead) {
  WriteTokens("tokens", 6);
  const Args train{"train", "tokens", "--descriptor", "external", "--gaussians", "2", "-q"};
  Succeed(train + Args{"-o", "whole.safetensors"});
  fs::create_directory("tokens/closed");
  fs::permissions("tokens/closed", fs::perms::none);
  const Result trained = RunUnprivileged(train + Args{"-o", "m.safetensors"});
  EXPECT_EQ(trained.exit_code, 3);
  EXPECT_THAT(trained.err, HasSubstr("closed/: cannot be listed: Permission denied"));
  EXPECT_THAT(ReadFile("m.safetensors.failures.csv"), HasSubstr("closed/,cannot be listed"));
  EXPECT_EQ(ReadFile("m.safetensors"), ReadFile("whole.safetensors"));
  const Result evaluated =
      RunUnprivileged({"evaluate", "m.safetensors", "tokens", "-q", "--json", "out.json"});
  EXPECT_EQ(evaluated.exit_code, 3);
  EXPECT_EQ(nlohmann::json::parse(ReadFile("out.json"))["failures"].size(), 1u);
  fs::permissions("tokens/closed", fs::perms::owner_all);
}

}  // namespace
}  // namespace end_to_end
