// Folders of bags, in and out.
#include <filesystem>
#include <nlohmann/json.hpp>

#include "fixture.h"

namespace end_to_end {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
namespace fs = std::filesystem;

class Folders : public EndToEnd {
 protected:
  // The bytes that one bag alone gives.
  static std::string Alone(const std::string& input) {
    Succeed({"pool", input, "-o", "alone.npy", "--lambda", "2"});
    const std::string bytes = ReadFile("alone.npy");
    fs::remove("alone.npy");
    return bytes;
  }
};

TEST_F(Folders, BadFilesAreSkippedAndListed) {
  Table with_nan = RandomRows(5, 4, 3);
  with_nan[3][1] = 0.0 / 0.0;
  WriteFile("in/1-good.npy", Npy(RandomRows(9, 4, 1)));
  WriteFile("in/2-text.npy", "hello");
  WriteFile("in/3-nan.npy", Npy(with_nan));
  WriteFile("in/4-empty.npy", Npy({0, 4}, {}));
  WriteFile("in/5-good.safetensors", Safetensors({{"only", RandomRows(7, 4, 2)}}));
  WriteFile("in/6-wide.npy", Npy(RandomRows(7, 5, 2)));

  const Result stacked = RunProgram({"pool", "in", "-o", "out.npy", "--lambda", "2"});
  EXPECT_EQ(stacked.exit_code, 3);
  EXPECT_THAT(stacked.err,
              AllOf(HasSubstr("skipped 3 of 6"), HasSubstr("2-text.npy"), HasSubstr("3-nan.npy"),
                    HasSubstr("row 3"), HasSubstr("column 1"), HasSubstr("6-wide.npy")));
  EXPECT_THAT(stacked.err,
              HasSubstr("warning: in/4-empty.npy has no patches: its vector is zero\n"));
  EXPECT_THAT(stacked.err, Not(HasSubstr("good.npy")));
  EXPECT_EQ(ReadFile("out.npy.names.txt"), "1-good\n4-empty\n5-good\n");
  Row expected = ParseNpy(Alone("in/1-good.npy")).values;
  expected.insert(expected.end(), 4, 0.0);
  const Row second = ParseNpy(Alone("in/5-good.safetensors")).values;
  expected.insert(expected.end(), second.begin(), second.end());
  EXPECT_EQ(ParseNpy(ReadFile("out.npy")).values, expected);

  // In a folder vectors need not have one length, but that is worth a word.
  const Result folder = RunProgram({"pool", "in", "-o", "out/", "--lambda", "2"});
  EXPECT_EQ(folder.exit_code, 3);
  EXPECT_THAT(folder.err, AllOf(HasSubstr("skipped 2 of 6"),
                                HasSubstr("warning: in/6-wide.npy has 5 dimensions, unlike "
                                          "'1-good' with 4\n")));
  EXPECT_EQ(ReadFile("out/1-good.npy"), Alone("in/1-good.npy"));
  EXPECT_EQ(ReadFile("out/5-good.npy"), Alone("in/5-good.safetensors"));
  EXPECT_EQ(ReadFile("out/6-wide.npy"), Alone("in/6-wide.npy"));
  EXPECT_EQ(std::distance(fs::directory_iterator("out"), fs::directory_iterator()), 5);
}

// The rule of the library, and of encode: no patches give zeros.
TEST_F(Folders, EmptyBagsPoolToZeros) {
  WriteFile("empty.npy", Npy({0, 4}, {}));
  WriteFile("blocks.npy", Npy({0}, {}, "<i4"));
  WriteFile("batch.npy", Npy({2, 0, 4}, {}));
  WriteFile("rows.npy", Npy(RandomRows(6, 4, 1)));
  WriteFile("offsets.npy", Npy({4}, {0, 3, 3, 6}, "<i8"));
  const auto pool = [](Args args) {
    args.insert(args.begin(), {"pool", "-o", "out.npy", "--power", "0.5", "--l2"});
    const Result result = RunProgram(args);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_THAT(result.err, HasSubstr("no patches"));
    return ParseNpy(ReadFile("out.npy"));
  };
  const auto expect_zeros = [](const Array& array, const std::vector<std::size_t>& shape) {
    EXPECT_EQ(array.shape, shape);
    EXPECT_EQ(array.values, Row(array.values.size(), 0.0));
  };
  for (const char* pooling : {"gmp", "sum", "mean", "max", "lp", "softmax", "democratic"}) {
    expect_zeros(pool({"empty.npy", "--pooling", pooling}), {4});
    expect_zeros(pool({"batch.npy", "--pooling", pooling}), {2, 4});
  }
  expect_zeros(pool({"empty.npy", "--blocks", "blocks.npy", "--num-blocks", "3"}), {12});
  const Array ragged = pool({"rows.npy", "--offsets", "offsets.npy"});
  EXPECT_EQ(ragged.shape, (std::vector<std::size_t>{3, 4}));
  EXPECT_EQ(Row(ragged.values.begin() + 4, ragged.values.begin() + 8), Row(4, 0.0));
  EXPECT_NE(Row(ragged.values.begin() + 8, ragged.values.end()), Row(4, 0.0));
  pool({"empty.npy", "--weights", "weights.npy"});
  EXPECT_EQ(ParseNpy(ReadFile("weights.npy")).shape, std::vector<std::size_t>{0});
}

// An array in a file may have a longer name than a file can have.
TEST_F(Folders, AnArrayWithALongNameIsListedAndCostsNothingElse) {
  const std::string name(300, 'x');
  WriteFile("many.npz", Npz({{"a", Npy(RandomRows(3, 4, 1))},
                             {name, Npy(RandomRows(3, 4, 2))},
                             {"z", Npy(RandomRows(3, 4, 3))}}));
  for (const char* option : {"--threads=2", "--resume"}) {
    const Result result = RunProgram({"pool", "many.npz", "-o", "out/", option});
    EXPECT_EQ(result.exit_code, 3);
    EXPECT_THAT(result.err,
                AllOf(HasSubstr("skipped 1 of 3"), HasSubstr("has 309 bytes, too many")));
    EXPECT_TRUE(fs::exists("out/many.a.npy"));
    EXPECT_TRUE(fs::exists("out/many.z.npy"));
  }
}

// It overflowed the stack.
TEST_F(Folders, ADeepConfigurationIsRefused) {
  const std::string deep = std::string(200'000, '[') + std::string(200'000, ']');
  WriteFile("in/a.npy", Npy(RandomRows(9, 4, 1)));
  WriteFile("out/alcedo.json", "{\"config\": {\"lambda\": " + deep + "}}");
  const Result pool = RunProgram({"pool", "in", "-o", "out/"});
  EXPECT_EQ(pool.exit_code, 1);
  EXPECT_THAT(pool.err, HasSubstr("out/alcedo.json: is nested more than 64 levels deep"));
  WriteFile("in/a.npy.json", "{\"config\": " + deep + "}");
  EXPECT_THAT(Succeed({"info", "in/a.npy"}).out, HasSubstr("float32"));
}

TEST_F(Folders, TheMostCommonDimensionWins) {
  WriteFile("in/0-odd.npy", Npy(RandomRows(7, 5, 2)));
  WriteFile("in/1.npy", Npy(RandomRows(9, 4, 1)));
  WriteFile("in/2.npy", Npy(RandomRows(9, 4, 2)));
  const Result result = RunProgram({"pool", "in", "-o", "out.npy"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, AllOf(HasSubstr("skipped 1 of 3"),
                                HasSubstr("in/0-odd.npy has 5 dimensions, unlike '1' with 4")));
  EXPECT_EQ(ReadFile("out.npy.names.txt"), "1\n2\n");
  EXPECT_EQ(ParseNpy(ReadFile("out.npy")).shape, (std::vector<std::size_t>{2, 4}));

  fs::remove("in/2.npy");  // a tie: the first
  EXPECT_EQ(RunProgram({"pool", "in", "-o", "out.npy"}).exit_code, 3);
  EXPECT_EQ(ReadFile("out.npy.names.txt"), "0-odd\n");
}

TEST_F(Folders, NoFileIsLeftOutSilently) {
  WriteFile("in/UPPER.NPY", Npy(RandomRows(9, 4, 1)));
  WriteFile("in/sub/deep.npy", Npy(RandomRows(9, 4, 1)));
  fs::create_symlink("nowhere", "in/link.npy");
  const Result result = RunProgram({"pool", "in", "-o", "out.npy"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, AllOf(HasSubstr("skipped 1 of 2"), HasSubstr("in/link.npy")));
  EXPECT_EQ(ReadFile("out.npy.names.txt"), "UPPER\n");
  EXPECT_THAT(Succeed({"pool", "--help"}).out, HasSubstr("subfolders"));
}

TEST_F(Folders, BagsOfOneBadArrayAreListedOnce) {
  Table rows = RandomRows(6, 4, 1);
  rows[5][0] = 0.0 / 0.0;
  WriteFile("in/batch.npy", Npy({3, 2, 4}, Flatten(rows)));
  WriteFile("in/good.npy", Npy(RandomRows(6, 4, 1)));
  const Result result = RunProgram({"pool", "in", "-o", "out.npy"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, AllOf(HasSubstr("skipped 3 of 4"), HasSubstr("item 2, row 1, column 0"),
                                HasSubstr("(3 bags)\n")));
  EXPECT_EQ(ReadFile("out.npy.names.txt"), "good\n");
}

TEST_F(Folders, SeveralInputsToo) {
  WriteFile("a.npy", Npy(RandomRows(9, 4, 1)));
  const Result result = RunProgram({"pool", "a.npy", "missing.npy", "-o", "out.npy"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr("missing.npy"));
  EXPECT_EQ(ParseNpy(ReadFile("out.npy")).shape, (std::vector<std::size_t>{1, 4}));
}

TEST_F(Folders, OnlyBadFilesLeaveNothingButTheReport) {
  Table with_nan = RandomRows(5, 4, 3);
  with_nan[3][1] = 0.0 / 0.0;
  WriteFile("in/a.npy", "hello");
  WriteFile("in/b.npy", Npy(with_nan));
  for (const char* output : {"out.npy", "out/", "out.safetensors", "-"}) {
    const Result result = RunProgram({"pool", "in", "-o", output, "--report", "r.json"});
    EXPECT_EQ(result.exit_code, 3);
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(FilesHere(), (std::vector<std::string>{"in", "r.json"})) << output;
    const auto report = nlohmann::json::parse(ReadFile("r.json"));
    EXPECT_EQ(report.at("bags").size(), 0u);
    EXPECT_EQ(report.at("skipped").size(), 2u);
    fs::remove("r.json");
  }
}

TEST_F(Folders, ResumeSkipsWhatIsThere) {
  for (unsigned i = 0; i < 4; ++i) {
    WriteFile("in/" + std::to_string(i) + ".npy", Npy(RandomRows(5, 3, i)));
  }
  Succeed({"pool", "in", "-o", "out/", "--lambda", "2", "--weights", "alpha/"});
  const std::string kept = Npy({3}, Row{7, 8, 9});
  WriteFile("out/1.npy", kept);
  fs::remove("out/2.npy");
  fs::remove("alpha/3.npy");
  Succeed({"pool", "in", "-o", "out/", "--lambda", "2", "--weights", "alpha/", "--resume"});
  EXPECT_EQ(ReadFile("out/1.npy"), kept);
  EXPECT_EQ(ReadFile("out/2.npy"), Alone("in/2.npy"));
  EXPECT_EQ(ParseNpy(ReadFile("alpha/3.npy")).shape, (std::vector<std::size_t>{5}));
  // Without --resume everything is made anew.
  Succeed({"pool", "in", "-o", "out", "--lambda", "2"});
  EXPECT_EQ(ReadFile("out/1.npy"), Alone("in/1.npy"));
}

TEST_F(Folders, OptionsDoNotMix) {
  WriteFile("in/a.npy", Npy(RandomRows(5, 3, 1)));
  Succeed({"pool", "in", "-o", "out/", "--lambda", "2"});
  const std::string before = ReadFile("out/a.npy");
  EXPECT_THAT(Fail({"pool", "in", "-o", "out/", "--lambda", "3", "--resume"}, 1),
              AllOf(HasSubstr("other options"), HasSubstr("lambda is [2.0] there and [3.0] here")));
  Fail({"pool", "in", "-o", "out/", "--lambda", "2", "--l2"}, 1);
  EXPECT_EQ(ReadFile("out/a.npy"), before);
  Succeed({"pool", "in", "-o", "out/", "--lambda", "2", "--threads", "1", "--resume"});
  WriteFile("out/alcedo.json", "{");
  Fail({"pool", "in", "-o", "out/", "--lambda", "2"}, 1);
}

TEST_F(Folders, WhatSelectsTheDataIsAnOption) {
  WriteFile("bags.npz", Npz({{"a", Npy(RandomRows(5, 3, 1))}, {"b", Npy(RandomRows(5, 3, 2))}}));
  Succeed({"pool", "bags.npz", "--array", "a", "-o", "array/"});
  EXPECT_THAT(Fail({"pool", "bags.npz", "--array", "b", "-o", "array/", "--resume"}, 1),
              HasSubstr(R"(array is "a" there and "b" here)"));

  WriteFile("rows.npy", Npy(RandomRows(4, 3, 1)));
  WriteFile("x.npy", Npy({3}, {0, 1, 4}, "<i8"));
  WriteFile("y.npy", Npy({3}, {0, 2, 4}, "<i8"));
  Succeed({"pool", "rows.npy", "--offsets", "x.npy", "-o", "offsets/"});
  EXPECT_THAT(Fail({"pool", "rows.npy", "--offsets", "y.npy", "-o", "offsets/", "--resume"}, 1),
              HasSubstr("offsets is"));

  WriteFile("p.npy", Npy({4}, {0, 1, 2, 0}, "<i8"));
  WriteFile("q.npy", Npy({4}, {2, 1, 2, 0}, "<i8"));
  const auto blocks = [](const char* file, const char* count) {
    return Args{"pool", "rows.npy", "--blocks", file,      "--num-blocks",
                count,  "-o",       "blocks/",  "--resume"};
  };
  Succeed(blocks("p.npy", "3"));
  EXPECT_THAT(Fail(blocks("q.npy", "3"), 1), HasSubstr("blocks is"));
  EXPECT_THAT(Fail(blocks("p.npy", "4"), 1), HasSubstr("num_blocks is 3 there and 4 here"));
  Succeed(blocks("p.npy", "3"));

  WriteFile("v.npy", Npy({4}, {1, 2, 3, 4}, "<f8"));
  WriteFile("w.npy", Npy({4}, {4, 3, 2, 1}, "<f8"));
  const auto weighted = [](const char* file) {
    return Args{"pool", "rows.npy", "--pooling", "weighted", "--input-weights",
                file,   "-o",       "weighted/"};
  };
  Succeed(weighted("v.npy"));
  EXPECT_THAT(Fail(weighted("w.npy"), 1), HasSubstr("input_weights is"));
}

TEST_F(Folders, ResumePoolsAgainWhatIsNotWhole) {
  WriteFile("in/a.npy", Npy(RandomRows(5, 3, 1)));
  const Args args{"pool", "in", "-o", "out/", "--lambda", "2", "--weights", "alpha/", "--resume"};
  Succeed(args);
  const std::string good = ReadFile("out/a.npy"), alpha = ReadFile("alpha/a.npy");
  for (const std::string& bad :
       {std::string("hello"), std::string(), good.substr(0, good.size() - 1), Npy({4}, Row(4, 1.0)),
        Npy({1, 3}, Row(3, 1.0)), Npy({3}, Row(3, 1.0), "<f8")}) {
    WriteFile("out/a.npy", bad);
    Succeed(args);
    EXPECT_EQ(ReadFile("out/a.npy"), good) << bad;
  }
  WriteFile("alpha/a.npy", Npy({4}, Row(4, 1.0), "<f8"));  // of five rows
  Succeed(args);
  EXPECT_EQ(ReadFile("alpha/a.npy"), alpha);

  // With blocks, only the number of blocks is known from headers.
  WriteFile("blk/a.npy", Npy({5}, {0, 1, 0, 1, 0}, "<i8"));
  const Args blocks{"pool", "in", "--blocks", "blk",     "--num-blocks",
                    "2",    "-o", "blocks/",  "--resume"};
  Succeed(blocks);
  const std::string of_blocks = ReadFile("blocks/a.npy");
  for (const std::size_t size : {0, 3, 8}) {
    WriteFile("blocks/a.npy", Npy({size}, Row(size, 1.0)));
    Succeed(blocks);
    EXPECT_EQ(ReadFile("blocks/a.npy"), of_blocks) << size;
  }
}

TEST_F(Folders, ResumeNeedsAConfiguration) {
  WriteFile("in/a.npy", Npy(RandomRows(5, 3, 1)));
  WriteFile("out/a.npy", Npy({3}, Row(3, 1.0)));
  EXPECT_THAT(Fail({"pool", "in", "-o", "out/", "--resume"}, 1),
              AllOf(HasSubstr("out/a.npy"), HasSubstr("alcedo.json")));
  EXPECT_EQ(ReadFile("out/a.npy"), Npy({3}, Row(3, 1.0)));
  Succeed({"pool", "in", "-o", "new/", "--resume"});  // nothing there to doubt
}

TEST_F(Folders, EqualNamesInATableAreToldApart) {
  WriteFile("x/a.npy", Npy(RandomRows(5, 3, 1)));
  WriteFile("y/a.npy", Npy(RandomRows(5, 3, 2)));
  WriteFile("y/b.npy", Npy({2, 2, 3}, Row(12, 1.0)));
  Succeed({"pool", "x", "y", "-o", "out.npy"});
  EXPECT_EQ(ReadFile("out.npy.names.txt"), "x/a.npy\ny/a.npy\nb.0\nb.1\n");
  EXPECT_THAT(Fail({"pool", "x/a.npy", "x/a.npy", "-o", "twice.npy"}, 1), HasSubstr("x/a.npy"));
}

TEST_F(Folders, NamesCannotLeaveTheFolderOrCollide) {
  WriteFile("bags.npz",
            Npz({{"../../up", Npy(RandomRows(5, 3, 1))}, {"b", Npy(RandomRows(5, 3, 2))}}));
  Succeed({"pool", "bags.npz", "-o", "out/"});
  EXPECT_TRUE(fs::exists("out/bags..._.._up.npy"));
  EXPECT_TRUE(fs::exists("out/bags.b.npy"));
  WriteFile("x/a.npy", Npy(RandomRows(5, 3, 1)));
  WriteFile("y/a.npy", Npy(RandomRows(5, 3, 2)));
  EXPECT_THAT(Fail({"pool", "x/a.npy", "y/a.npy", "-o", "both/"}, 1), HasSubstr("'a'"));
}

}  // namespace
}  // namespace end_to_end
