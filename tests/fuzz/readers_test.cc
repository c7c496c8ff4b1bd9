// The table of readers and the judge of the campaign: samples are valid, mutants are the same each
// time, and what is wrong is seen.
#include "readers.h"

#include <gtest/gtest.h>

#include <limits>
#include <new>
#include <set>

#include "cases.h"
#include "mutator.h"

namespace alcedo::fuzz {
namespace {

TEST(Readers, HaveDistinctNames) {
  std::set<std::string> names;
  for (const Reader& reader : Readers()) EXPECT_TRUE(names.insert(reader.name).second);
  EXPECT_EQ(FindReader("no such reader"), nullptr);
}

TEST(Readers, ReadTheirSamplesInBoundedMemory) {
  for (const Reader& reader : Readers()) {
    const std::vector<std::string> samples = reader.samples();
    EXPECT_FALSE(samples.empty()) << reader.name;
    for (std::size_t i = 0; i < samples.size(); ++i) {
      const Outcome outcome = RunCase(reader, samples[i]);
      EXPECT_TRUE(outcome.read) << reader.name << " sample " << i;
      EXPECT_EQ(outcome.broken, "") << reader.name << " sample " << i;
    }
  }
}

TEST(Readers, RefuseNothingAtAll) {
  for (const Reader& reader : Readers()) {
    // An empty bundle leaves its files as they are.
    if (reader.samples()[0].starts_with("===")) continue;
    const Outcome outcome = RunCase(reader, "");
    EXPECT_EQ(outcome.broken, "") << reader.name;
  }
}

TEST(Mutants, AreTheSameForTheSameSeedOnly) {
  for (const Reader& reader : Readers()) {
    int differ = 0;
    for (std::uint64_t i = 0; i < 20; ++i) {
      EXPECT_EQ(MutantOf(reader, 7, i), MutantOf(reader, 7, i)) << reader.name;
      differ += MutantOf(reader, 7, i) == MutantOf(reader, 8, i) ? 0 : 1;
    }
    EXPECT_GT(differ, 15) << reader.name;
  }
}

TEST(Bundles, AreSplitIntoWhatWasJoined) {
  const Bundle files = {{"a", ""}, {"b", "text\n===\n"}, {"c/d", "\n\nx"}};
  EXPECT_EQ(Split(Join(files), {{"a", "?"}, {"b", "?"}, {"c/d", "?"}}), files);
  // Files that nobody knows are left out, and those that are not there stay as they were.
  EXPECT_EQ(Split("=== z\nnew\n=== a\nnew\n", {{"a", "old"}, {"b", "old"}}),
            (Bundle{{"a", "new"}, {"b", "old"}}));
  EXPECT_EQ(Split("===", {{"a", "old"}}), (Bundle{{"a", "old"}}));
}

TEST(Sealing, MakesAChangedModelReadable) {
  const Reader& model = *FindReader("model");
  std::string bytes = model.samples()[0];
  const std::size_t name = bytes.find("a rose");
  ASSERT_NE(name, std::string::npos);
  bytes.replace(name, 6, "a tulip");  // one byte longer: the length of the header changes too
  EXPECT_FALSE(model.read(bytes));
  EXPECT_TRUE(model.read(Sealed(bytes)));
}

Reader Broken(std::function<bool(const std::string&)> read) {
  return {"broken", [] { return std::vector<std::string>{"sample"}; }, std::move(read)};
}

TEST(Cases, SeeWhatIsWrong) {
  const auto broken = [](auto read) { return RunCase(Broken(read), "x").broken; };
  EXPECT_EQ(broken([](const std::string&) { return true; }), "");
  EXPECT_EQ(broken([](const std::string&) -> bool {
              return Succeeds([] { throw FormatError("a file", "is damaged"); });
            }),
            "");
  EXPECT_NE(broken([](const std::string&) -> bool { throw std::out_of_range("at"); }), "");
  EXPECT_NE(broken([](const std::string&) -> bool { throw std::bad_alloc(); }), "");
  EXPECT_NE(broken([](const std::string&) {
              ExpectFinite(std::vector{1.0, std::numeric_limits<double>::quiet_NaN()}, "x");
              return true;
            }),
            "");
  EXPECT_NE(broken([](const std::string&) {
              std::vector<char> much(2 << 20);
              char* volatile data = much.data();  // or the allocation may be optimised away
              return data != nullptr;
            }),
            "");
}

}  // namespace
}  // namespace alcedo::fuzz
