#include "alcedo/config/config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <limits>

#include "alcedo/io/atomic_file.h"
#include "alcedo/testing/message_of.h"

namespace alcedo {
namespace {

using test::MessageOf;

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

std::filesystem::path WriteTemporary(const std::string& name, const std::string& text) {
  const std::filesystem::path path = std::filesystem::path(::testing::TempDir()) / name;
  WriteWholeFile(path, text);
  return path;
}

EncodeConfig OddEncodeConfig() {
  EncodeConfig c;
  c.vocabulary = "a \"quoted\" name\\with\nlines = inf";
  c.describe.descriptor = ColorOptions{};
  c.describe.image.max_pixels = 0;
  c.describe.grid.scale_factor = 1.1;
  c.describe.descriptor.Get<SiftOptions>().root = !c.describe.descriptor.Get<SiftOptions>().root;
  c.encoder.Choose<SoftBovOptions>();
  c.lambdas = {0, 1e-300, 0.1, 1e5};
  c.pooling.Get<GmpOptions>().accuracy = std::numeric_limits<double>::infinity();
  c.pooling.Get<GmpOptions>().solver = GmpSolver::kDual;
  c.normalization.l2 = true;
  c.normalization.power = 1.0 / 3;
  c.seed = std::numeric_limits<std::int64_t>::max();
  return c;
}

TEST(Config, JsonAndBackChangesNothing) {
  const Json json = ToJson(OddEncodeConfig());
  EncodeConfig read;
  UpdateFromJson(read, Json::parse(json.dump()), "x");
  EXPECT_EQ(ToJson(read), json);
  EXPECT_EQ(read.normalization.power, 1.0 / 3);
  EXPECT_EQ(read.lambdas, OddEncodeConfig().lambdas);
}

TEST(Config, TomlAndBackChangesNothing) {
  const auto path = WriteTemporary("odd.toml", ToToml(OddEncodeConfig()));
  EncodeConfig read;
  UpdateFromJson(read, ReadConfigFile(path), "x");
  EXPECT_EQ(ToJson(read), ToJson(OddEncodeConfig()));
}

TEST(Config, JsonFilesAreReadToo) {
  const auto path = WriteTemporary("odd.json", ToJson(OddEncodeConfig()).dump(2));
  EncodeConfig read;
  UpdateFromJson(read, ReadConfigFile(path), "x");
  EXPECT_EQ(ToJson(read), ToJson(OddEncodeConfig()));
}

TEST(Config, EveryFieldOfEverySectionIsWritten) {
  LearnConfig config;
  const Json json = ToJson(config);
  int fields = 0;
  VisitSections(config, [&](std::string_view section, auto&& visit_fields) {
    visit_fields([&](std::string_view field, auto&, std::string_view help) {
      const Json& place = section.empty() ? json : json.at(std::string(section));
      EXPECT_TRUE(place.contains(std::string(field))) << section << "." << field;
      EXPECT_FALSE(help.empty()) << section << "." << field;
      ++fields;
    });
  });
  EXPECT_GT(fields, 25);
}

TEST(Config, WhatIsNotNamedStaysAsItIs) {
  EncodeConfig config = OddEncodeConfig();
  UpdateFromJson(config, Json::parse(R"({"grid": {"step": 7}, "lambda": 3})"), "x");
  EXPECT_EQ(config.describe.grid.step, 7);
  EXPECT_EQ(config.lambdas, std::vector<double>{3});
  EXPECT_EQ(config.describe.grid.scale_factor, 1.1);
}

TEST(Config, WholeFloatsAreIntegers) {
  LearnConfig config;
  UpdateFromJson(config, Json::parse(R"({"samples": 1e5})"), "x");
  EXPECT_EQ(config.samples, 100000);
}

TEST(Config, MistakesAreNamed) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {R"({"grid": {"stepp": 7}})",
       "f.toml: stepp is not an option of [grid]; did you mean 'step'?"},
      {R"({"gridd": {"step": 7}})", "f.toml: [gridd] is not a section; did you mean 'grid'?"},
      {R"({"poolin": "gmp"})", "f.toml: poolin is not an option; did you mean 'pooling'?"},
      {R"({"pooling": "gpm"})", "f.toml: pooling must be sum, mean"},
      {R"({"pooling": 3})", "f.toml: pooling must be a text in quotes, got 3"},
      {R"({"grid": {"step": 1.5}})", "f.toml: grid.step must be an integer, got 1.5"},
      {R"({"grid": {"step": "a"}})", "f.toml: grid.step must be a number, got \"a\""},
      {R"({"seed": -1})", "f.toml: seed must be an integer >= 0, got -1"},
      {R"({"l2": 1})", "f.toml: l2 must be true or false, got 1"},
      {R"([1])", "f.toml: the configuration must be a table"},
  };
  for (const auto& [text, message] : cases) {
    EncodeConfig config;
    EXPECT_THAT(MessageOf([&] { UpdateFromJson(config, Json::parse(text), "f.toml"); }),
                HasSubstr(message));
  }
}

TEST(ConfigFile, BadFilesAreNamedWithTheirLine) {
  EXPECT_THAT(MessageOf([] { ReadConfigFile(WriteTemporary("bad.toml", "a = 1\nb = = 2\n")); }),
              HasSubstr("bad.toml: is not TOML: line 2"));
  EXPECT_THAT(MessageOf([] { ReadConfigFile(WriteTemporary("open.toml", "a = 1\n[\n.b]\n")); }),
              HasSubstr("open.toml: is not TOML: line 2"));
  EXPECT_THAT(MessageOf([] { ReadConfigFile(WriteTemporary("date.toml", "\na = 2020-01-01\n")); }),
              HasSubstr("date.toml: line 2 holds a date"));
  EXPECT_THAT(
      MessageOf([] { ReadConfigFile(WriteTemporary("bad.json", "{")); }),
      AllOf(HasSubstr("bad.json: is not JSON: line 1, column 2: "), Not(HasSubstr("exception"))));
  EXPECT_THAT(MessageOf([] { ReadConfigFile("/nowhere/config.toml"); }),
              HasSubstr("/nowhere/config.toml: cannot be read: No such file or directory"));
  EXPECT_THAT(MessageOf([] { ReadConfigFile(::testing::TempDir()); }), HasSubstr("is a folder"));
}

std::string Repeated(const std::string& text, int count) {
  std::string all;
  for (int i = 0; i < count; ++i) all += text;
  return all;
}

// Each of these overflowed the stack, or was about to.
TEST(ConfigFile, DeepOnesAreRefused) {
  constexpr int kDeep = 100'000;
  const struct {
    std::string name, text, message;
  } cases[] = {
      {"t.toml", "x = 1\n[a" + Repeated(".a", kDeep) + "]\n",
       "line 2: a key has more than 8 parts"},
      {"l.toml", "power = 1\n# \u00e9\n'\u00e9' = 2\nl\u00e9 = 3\n",
       "line 4: a letter that is not ASCII must be inside of quotes"},
      {"m.toml", "power = 1 \u00a0\n", "line 1: a letter that is not ASCII"},
      {"k.toml", "a" + Repeated(" . 'a'", kDeep) + " = 1\n", "line 1: a key has more than 8 parts"},
      {"i.toml", "x = {\"a\"" + Repeated(".\"a\"", kDeep) + " = 1}\n", "more than 8 parts"},
      {"s.toml", "x = \"\"\"\n\"\n\\\"\"\"\"\na" + Repeated(".a", 8) + " = 1\n",
       "line 4: a key has more than 8 parts"},
      {"v.toml", "x = " + Repeated("[", kDeep), "v.toml: is not TOML: line 1"},
      {"o.toml", Repeated("a={", kDeep), "o.toml: is not TOML: line 1"},
      {"a.json", Repeated("[", kDeep), "a.json: is nested more than 64 levels deep"},
      {"o.json", Repeated("{\"a\":", kDeep), "o.json: is nested more than 64 levels deep"},
  };
  for (const auto& [name, text, message] : cases) {
    EXPECT_THAT(MessageOf([&] { ReadConfigFile(WriteTemporary(name, text)); }), HasSubstr(message));
  }
}

TEST(ConfigFile, DotsElsewhereThanInKeysDoNotCount) {
  const std::string text = "# a.b.c.d.e.f.g.h.i.j\nx = [0.1" + Repeated(", 0.25", 100) +
                           "]\ny = \"a.b.c.d.e.f.g.h.i.j\"\nz = 'a.b.c.d.e.f.g.h.i.j'\n" +
                           "a.b.c.d.e.f.g.h = 1.5\n";
  EXPECT_EQ(ReadConfigFile(WriteTemporary("dots.toml", text))["x"].size(), 101u);
}

TEST(ConfigFile, LargeOnesAreRefused) {
  const std::string most = "# " + std::string((1 << 20) - 3, 'x') + "\n";
  EXPECT_TRUE(ReadConfigFile(WriteTemporary("most.toml", most)).empty());
  EXPECT_THAT(MessageOf([&] { ReadConfigFile(WriteTemporary("more.toml", most + "\n")); }),
              HasSubstr("more than the 1 MiB"));
  EXPECT_THAT(MessageOf([] { ReadConfigFile("/dev/zero"); }), HasSubstr("is a device"));
}

TEST(ConfigFile, MayHaveAByteOrderMark) {
  for (const auto& [name, text] :
       {std::pair("m.toml", "l2 = true\n"), {"m.json", "{\"l2\": true}"}}) {
    const std::string marked = std::string("\xef\xbb\xbf") + text;
    EXPECT_EQ(ReadConfigFile(WriteTemporary(name, marked))["l2"], true);
  }
  EXPECT_THAT(MessageOf([] { ReadConfigFile(WriteTemporary("u.toml", "\xff\xfel")); }),
              HasSubstr("UTF-16"));
}

}  // namespace
}  // namespace alcedo
