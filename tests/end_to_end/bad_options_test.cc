// Mistakes in the command line are exit 2, values out of range too, before any file is read.
#include <algorithm>
#include <cmath>
#include <filesystem>

#include "fixture.h"

namespace end_to_end {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class BadOptions : public EndToEnd {
 protected:
  BadOptions() { WriteFile("bag.npy", Npy(RandomRows(6, 3, 1))); }

  std::string FailWith(Args options, int exit_code) {
    options.insert(options.begin(), {"pool", "bag.npy", "-o", "out.npy"});
    return Fail(options, exit_code);
  }
};

TEST_F(BadOptions, CommandsAndOptionsAreSuggested) {
  EXPECT_THAT(Fail({"pol"}, 2), HasSubstr("did you mean 'pool'?"));
  EXPECT_THAT(Fail({"--versoin"}, 2), HasSubstr("did you mean '--version'?"));
  EXPECT_THAT(FailWith({"--lamda", "5"}, 2), HasSubstr("did you mean '--lambda'?"));
  EXPECT_THAT(FailWith({"--lamda=5"}, 2), HasSubstr("did you mean '--lambda'?"));
  EXPECT_THAT(FailWith({"--pooling", "sun"}, 2), HasSubstr("did you mean 'sum'?"));
  EXPECT_THAT(FailWith({"--pooling", "gpm"}, 2), HasSubstr("did you mean 'gmp'?"));
  Fail({}, 2);
  Fail({"completion", "tcsh"}, 2);
}

TEST_F(BadOptions, NothingIsIgnored) {
  FailWith({"--pooling", "sum", "--lambda", "5"}, 2);
  FailWith({"--pooling", "max", "--lp-p", "5"}, 2);
  FailWith({"--democratic-gamma", "0.5"}, 2);
  FailWith({"--input-weights", "bag.npy"}, 2);
  FailWith({"--num-blocks", "4"}, 2);
  FailWith({"--blocks", "bag.npy"}, 2);
  FailWith({"--resume"}, 2);
  FailWith({"--lambda", "1", "--lambda", "2"}, 2);
  FailWith({"--lambda", "1,x"}, 2);
  FailWith({"--threads", "-3"}, 2);
  EXPECT_THAT(FailWith({"--threads", "300000000"}, 2), HasSubstr("[1, 1024]"));
  FailWith({"--max-iterations", "1.5"}, 2);
  Fail({"pool", "bag.npy", "-o", "out.txt"}, 2);
  Fail({"pool", "bag.npy"}, 2);
}

TEST_F(BadOptions, OneFileOfOffsetsOrBlocksIsForOneInput) {
  WriteFile("in/bag.npy", Npy(RandomRows(6, 3, 1)));
  WriteFile("numbers.npy", Npy({2}, {0, 6}, "<i8"));
  Fail({"pool", "in", "--offsets", "numbers.npy", "-o", "out.npy"}, 2);
  Fail({"pool", "in", "--blocks", "numbers.npy", "--num-blocks", "7", "-o", "out.npy"}, 2);
}

TEST_F(BadOptions, ValuesOutOfRange) {
  EXPECT_THAT(FailWith({"--lambda", "-1"}, 2), HasSubstr("lambda"));
  EXPECT_THAT(FailWith({"--lambda", "1,nan"}, 2), HasSubstr("lambda"));
  EXPECT_THAT(FailWith({"--lambda", "inf"}, 2), HasSubstr("lambda"));
  EXPECT_THAT(FailWith({"--power", "1.5"}, 2), HasSubstr("[0, 1]"));
  EXPECT_THAT(FailWith({"--pooling", "lp", "--lp-p", "0.5"}, 2), HasSubstr("0.5"));
  EXPECT_THAT(FailWith({"--pooling", "softmax", "--softmax-beta", "-1"}, 2), HasSubstr("-1"));
  EXPECT_THAT(FailWith({"--pooling", "democratic", "--democratic-gamma", "2"}, 2), HasSubstr("2"));
  EXPECT_THAT(FailWith({"--max-iterations", "0"}, 2), HasSubstr("--max-iterations"));
  EXPECT_THAT(FailWith({"--nonnegative", "--lambda", "0"}, 2), HasSubstr("lambda"));
  // Not a fault of the bags: no list of skipped ones.
  WriteFile("in/bag.npy", Npy(RandomRows(6, 3, 1)));
  EXPECT_THAT(Fail({"pool", "in", "-o", "out/", "--lambda", "-1"}, 2), HasSubstr("lambda"));
}

TEST_F(BadOptions, MessagesNameFlags) {
  const auto expect = [&](Args options, const std::string& start) {
    EXPECT_THAT(FailWith(std::move(options), 2), testing::StartsWith("alcedo: " + start));
  };
  expect({"--max-iterations", "0"}, "--max-iterations must be");
  expect({"--lambda", "-1"}, "--lambda must be");
  expect({"--power", "1.5"}, "--power must be in [0, 1]");
  expect({"--nonnegative", "--lambda", "0"}, "--lambda must be > 0");
  expect({"--rank-tolerance", "-1"}, "--rank-tolerance must be");
  expect({"--pooling", "lp", "--lp-p", "0"}, "--lp-p must be");
  expect({"--pooling", "democratic", "--democratic-max-memory-mib", "0"},
         "--democratic-max-memory-mib must be");
  WriteFile("bag.npy", Npy(RandomRows(60, 3, 1)));
  EXPECT_THAT(FailWith({"--pooling", "democratic", "--democratic-max-memory-mib", "0.001"}, 1),
              AllOf(HasSubstr("--democratic-max-memory-mib must be at least"),
                    HasSubstr("got 0.001"), HasSubstr("with --democratic-no-clip-negative")));
}

// Relative to large rows, a lambda is beyond every double. The rows alone can tell.
TEST_F(BadOptions, AnInfiniteRelativeLambda) {
  Table rows = RandomRows(6, 3, 1);
  for (Row& row : rows) {
    for (double& value : row) value *= 1000;
  }
  WriteFile("bag.npy", Npy(rows));
  const Args huge{"--lambda", "1e308", "--lambda-relative"};
  for (const Args& solver :
       {Args{}, Args{"--solver", "cg"}, Args{"--solver", "dual"}, Args{"--nonnegative"},
        Args{"--weights", "alpha.npy"}, Args{"--dtype", "f8"}}) {
    Args options = huge;
    options.insert(options.end(), solver.begin(), solver.end());
    EXPECT_THAT(FailWith(options, 1), HasSubstr("lambda"));
  }
  EXPECT_THAT(FailWith({"--lambda", "1,1e308", "--lambda-relative"}, 1), HasSubstr("lambda"));

  // In a folder it is the fault of the bag, and the others are pooled.
  WriteFile("in/large.npy", Npy(rows));
  WriteFile("in/small.npy", Npy({2, 2}, {0.5, 0, 0, 0.5}));
  const Result result = RunProgram({"pool", "in", "-o", "out/", "--lambda", "1e308",
                                    "--lambda-relative", "--quiet", "--dtype", "f8"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 2) << result.err;
  EXPECT_THAT(result.err,
              AllOf(HasSubstr("skipped 1 of 2"), HasSubstr("large.npy"), HasSubstr("lambda")));
  EXPECT_FALSE(std::filesystem::exists("out/large.npy"));
  for (const double value : ParseNpy(ReadFile("out/small.npy")).values) {
    EXPECT_TRUE(std::isfinite(value));
  }
}

TEST_F(BadOptions, InputsMayBeNamedLikeCommands) {
  WriteFile("pool", Npy(RandomRows(6, 3, 1)));
  WriteFile("completion", Npy(RandomRows(6, 3, 2)));
  Succeed({"pool", "pool", "completion", "-o", "out.npy"});
  EXPECT_EQ(ReadFile("out.npy.names.txt"), "pool\ncompletion\n");
}

// A file whose name begins like an option.
TEST_F(BadOptions, TwoDashesEndTheOptions) {
  const std::string bag = Npy(RandomRows(4, 3, 1));
  WriteFile("-x.npy", bag);
  WriteFile("x.npy", bag);
  Succeed({"pool", "x.npy", "-o", "plain.npy"});
  Succeed({"pool", "-o", "dashes.npy", "--", "-x.npy"});
  EXPECT_EQ(ReadFile("dashes.npy"), ReadFile("plain.npy"));
  Succeed({"pool", "x.npy", "-o", "end.npy", "--"});
  EXPECT_EQ(ReadFile("end.npy"), ReadFile("plain.npy"));
  EXPECT_THAT(Succeed({"info", "--", "-x.npy"}).out, HasSubstr("float32"));
  EXPECT_THAT(Fail({"doctor", "--", "-x"}, 2), HasSubstr("unexpected argument '-x'"));
  EXPECT_THAT(Fail({"encode", "--", "--no-such.png", "-o", "o.npy"}, 2), HasSubstr("no output"));
  EXPECT_THAT(Fail({"pool", "--nonsense", "--", "x.npy"}, 2), HasSubstr("'--nonsense'"));
}

}  // namespace
}  // namespace end_to_end
