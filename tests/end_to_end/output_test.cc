// Where results and reports go.
#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "fixture.h"
#include "pictures.h"

namespace end_to_end {
namespace {

using testing::HasSubstr;

class Outputs : public EndToEnd {};

TEST_F(Outputs, SafetensorsRememberEverything) {
  const Table a = RandomRows(9, 4, 1), b = RandomRows(6, 4, 2);
  WriteFile("a.npy", Npy(a));
  WriteFile("b.npy", Npy(b));
  Succeed({"pool", "a.npy", "b.npy", "-o", "out.safetensors", "--lambda", "1,2", "--seed", "42",
           "--accuracy", "inf"});
  std::string metadata_text;
  const Array pooled = ParseSafetensors(ReadFile("out.safetensors"), &metadata_text);
  Row expected;
  for (const Table& bag : {a, b}) {
    for (const double lambda : {1.0, 2.0}) {
      const Row phi = Gmp(bag, lambda);
      expected.insert(expected.end(), phi.begin(), phi.end());
    }
  }
  ExpectArray(pooled, {2, 2, 4}, expected, 1e-5);
  const auto metadata = nlohmann::json::parse(metadata_text);
  EXPECT_EQ(metadata.at("names"), R"(["a","b"])");
  EXPECT_EQ(metadata.at("seed"), "42");
  EXPECT_EQ(metadata.at("alcedo_version"), ALCEDO_VERSION);
  const auto config = nlohmann::json::parse(metadata.at("config").get<std::string>());
  EXPECT_EQ(config.at("pooling"), "gmp");
  EXPECT_EQ(config.at("lambda"), (nlohmann::json{1.0, 2.0}));
  EXPECT_EQ(config.at("max_iterations"), 10000);
  EXPECT_EQ(config.at("accuracy"), "inf");
  EXPECT_FALSE(metadata_text.find("null") != std::string::npos) << metadata_text;
}

TEST_F(Outputs, WeightsOfSeveralBagsFollowEachOther) {
  const Table a = RandomRows(9, 4, 1), b = RandomRows(6, 4, 2);
  WriteFile("a.npy", Npy(a));
  WriteFile("b.npy", Npy(b));
  Succeed({"pool", "a.npy", "b.npy", "-o", "out.npy", "--lambda", "1,2", "--weights", "alpha.npy"});
  Row expected;
  for (const double lambda : {1.0, 2.0}) {
    for (const Table& bag : {a, b}) {
      const Row alpha = Alpha(bag, lambda);
      expected.insert(expected.end(), alpha.begin(), alpha.end());
    }
  }
  ExpectArray(ParseNpy(ReadFile("alpha.npy")), {2, 15}, expected);
}

TEST_F(Outputs, ReportInWordsAndInJson) {
  const Table bag = RandomRows(30, 5, 1);
  WriteFile("bag.npy", Npy(bag));
  const Result words =
      RunProgram({"pool", "--report", "bag.npy", "-o", "out.npy", "--lambda", "1,2"});
  EXPECT_EQ(words.exit_code, 0);
  EXPECT_EQ(std::count(words.err.begin(), words.err.end(), '\n'), 3) << words.err;
  EXPECT_THAT(words.err, HasSubstr("lambda 2 (relative "));
  EXPECT_THAT(words.err, HasSubstr("converged"));

  Succeed({"pool", "bag.npy", "-o", "out.npy", "--lambda", "0,2", "--report", "report.json"});
  const auto report = nlohmann::json::parse(ReadFile("report.json"));
  const auto& solves = report.at("bags").at(0).at("solves");
  ASSERT_EQ(solves.size(), 2u);
  EXPECT_EQ(report.at("bags").at(0).at("name"), "bag");
  EXPECT_EQ(report.at("bags").at(0).at("patches"), 30);
  EXPECT_EQ(solves.at(0).at("error_bound"), "inf");  // JSON has no infinity, and null says nothing
  EXPECT_EQ(solves.at(1).at("lambda"), 2);
  EXPECT_NEAR(solves.at(1).at("lambda_relative").get<double>(), 2 / MeanSquaredNorm(bag), 1e-6);
  EXPECT_EQ(solves.at(1).at("converged"), true);
}

TEST_F(Outputs, ASolverThatStopsEarlyWarns) {
  WriteFile("bag.npy", Npy(RandomRows(60, 40, 1)));
  const Args args{"pool", "bag.npy",  "-o", "out.npy",          "--lambda",
                  "1e-3", "--solver", "cg", "--max-iterations", "2"};
  const Result result = RunProgram(args);
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.err, HasSubstr("alcedo: warning: bag: lambda 0.001"));
  EXPECT_THAT(result.err, HasSubstr("did not converge: "));
  EXPECT_THAT(result.err, HasSubstr("raise --max-iterations"));
  Args quiet = args;
  quiet.push_back("--quiet");
  Succeed(quiet);
}

TEST_F(Outputs, SameBytesForAnyNumberOfThreads) {
  for (unsigned i = 0; i < 7; ++i) {
    WriteFile("in/" + std::to_string(i) + ".npy", Npy(RandomRows(40 + i, 30, i)));
  }
  WriteFile("big.npy", Npy(RandomRows(3000, 50, 9)));
  for (const std::string pooling : {"gmp", "democratic"}) {
    std::string folder, single, weights;
    for (const char* threads : {"1", "2", "3", "8"}) {
      for (const char* input : {"in", "big.npy"}) {
        Succeed({"pool", input, "-o", "out.npy", "--pooling", pooling, "--weights", "alpha.npy",
                 "--threads", threads});
        std::string& first = std::string(input) == "in" ? folder : single;
        const std::string bytes = ReadFile("out.npy") + ReadFile("alpha.npy");
        if (first.empty()) first = bytes;
        EXPECT_TRUE(first == bytes) << pooling << " with " << threads << " threads of " << input;
      }
    }
  }
}

TEST_F(Outputs, VersionAndHelp) {
  EXPECT_EQ(Succeed({"--version"}).out, "alcedo " ALCEDO_VERSION "\n");
  EXPECT_THAT(Succeed({"--help"}).out, HasSubstr("  pool "));
  const std::string help = Succeed({"pool", "--help"}).out;
  for (const char* option :
       {"--array",         "--offsets", "--blocks",          "--num-blocks",
        "--pooling",       "--lambda",  "--lambda-relative", "--nonnegative",
        "--input-weights", "--solver",  "--tolerance",       "--max-iterations",
        "--power",         "--l2",      "--block-l2",        "--dtype",
        "--output",        "--weights", "--resume",          "--report",
        "--threads",       "--seed",    "--quiet",           "Examples:",
        "Exit codes:"}) {
    EXPECT_THAT(help, HasSubstr(option));
  }
}

TEST_F(Outputs, ALineSaysWhatWasDone) {
  WriteFile("a.npy", Npy({2, 2}, {2, 0, 0, 2}));
  WriteFile("b.npy", Npy({3, 2}, {2, 0, 0, 2, 2, 0}));
  const auto err = [](const Args& more) { return Succeed(Args{"pool"} + more).err; };
  EXPECT_EQ(err({"a.npy", "-o", "o.npy", "--lambda", "8"}),
            "wrote o.npy: 1 vector of 2 dimensions from 2 patches, pooling gmp, lambda 8 (relative "
            "2)\n");
  EXPECT_EQ(err({"a.npy", "b.npy", "-o", "o/", "--lambda", "1,2", "--lambda-relative"}),
            "wrote o/: 4 vectors (2 lambdas) of 2 dimensions from 5 patches, pooling gmp, lambda 4 "
            "to 8 (relative 1 to 2)\n");
  EXPECT_EQ(err({"a.npy", "-o", "o.npy", "--pooling", "max"}),
            "wrote o.npy: 1 vector of 2 dimensions from 2 patches, pooling max\n");
  EXPECT_EQ(err({"a.npy", "-o", "o.npy", "-q"}), "");
  // Beside the bytes on standard output, never among them.
  err({"a.npy", "-o", "o.npy", "--pooling", "max"});
  const Result result = Succeed({"pool", "a.npy", "-o", "-", "--pooling", "max"});
  EXPECT_EQ(result.out, ReadFile("o.npy"));
  EXPECT_EQ(result.err, "1 vector of 2 dimensions from 2 patches, pooling max\n");
}

TEST_F(Outputs, AClosedPipeEndsQuietly) {
  WriteFile("bag.npy", Npy(RandomRows(4, 200000, 1)));
  const Result result =
      RunCommand({"bash", "-c",
                  ALCEDO_PROGRAM " pool bag.npy --pooling sum -o - | true; echo ${PIPESTATUS[0]}"});
  EXPECT_EQ(result.out, "1\n");
  EXPECT_EQ(result.err, "");
}

TEST_F(Outputs, AFileSizeLimitIsAnErrorAndLeavesNothing) {
  WriteFile("bag.npy", Npy(RandomRows(2, 50000, 1)));
  const Result result = RunCommand(
      {"bash", "-c", "ulimit -f 8; exec " ALCEDO_PROGRAM " pool bag.npy --pooling sum -o out.npy"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("out.npy: cannot be written: "));
  EXPECT_EQ(FilesHere(), std::vector<std::string>{"bag.npy"});
}

TEST_F(Outputs, AFullDeviceIsAnError) {
  const Result result = RunCommand({"bash", "-c", ALCEDO_PROGRAM " --help > /dev/full"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("alcedo: standard output: cannot be written: No space left"));
}

}  // namespace
}  // namespace end_to_end
