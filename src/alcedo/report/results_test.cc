#include "alcedo/report/results.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "alcedo/base/error.h"
#include "alcedo/report/report_testing.h"

namespace alcedo::report {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

// Through bytes, as a file would.
Json ThroughText(const Json& json) {
  return Json::parse(json.dump(1, ' ', false, Json::error_handler_t::replace));
}

TEST(ResultsJson, ComesBackAsItWas) {
  Results results = PaperResults("flowers");
  results.lite = true;
  results.cells[0].value = 1.0 / 3;
  results.cells[0].low = -0.0;
  results.cells[1].paper.reset();
  results.cells[1].chosen = nullptr;
  results.seeds = {0, std::numeric_limits<std::uint64_t>::max()};
  results.curves.push_back({"d", "fv", "sift", "gmp", 16, "lambda", "m", {{1e-300, 0.1}}, {}});
  results.confusions.push_back(
      {"d", "fv", "sift", "gmp", 16, {"a", "b"}, {{1, -2}, {3, 1LL << 60}}});
  const Results read = ResultsFromJson(ThroughText(ToJson(results)), "results.json");
  EXPECT_EQ(ToJson(read).dump(), ToJson(results).dump());
  EXPECT_EQ(read.cells[0].value, 1.0 / 3);
  EXPECT_TRUE(std::signbit(read.cells[0].low));
  EXPECT_EQ(read.cells[0].seeds, results.cells[0].seeds);
  EXPECT_EQ(read.cells[0].other, results.cells[0].other);
  EXPECT_EQ(read.cells[1].paper, std::nullopt);
  EXPECT_EQ(read.cells[2].paper, results.cells[2].paper);
  EXPECT_TRUE(read.lite);
  EXPECT_TRUE(read.complete);
  EXPECT_EQ(read.seeds, results.seeds);
  EXPECT_EQ(read.datasets[0].test, 6149);
  EXPECT_EQ(read.curves[0].points[0].x, 1e-300);
  EXPECT_EQ(read.confusions[0].counts, results.confusions[0].counts);
}

TEST(ResultsJson, KeepsHostileNamesAndNumbersThatAreNone) {
  const Json json = ToJson(HostileResults());
  const Results read = ResultsFromJson(json, "r");
  EXPECT_EQ(ToJson(read), json);
  EXPECT_EQ(read.cells[0].dataset, kHostile);
  EXPECT_TRUE(std::isnan(read.cells[0].low));
  EXPECT_EQ(read.cells[4].value, std::numeric_limits<double>::infinity());
}

TEST(ResultsJson, HasTheKeysOfACell) {
  const Json json = ToJson(PaperResults("pets"));
  EXPECT_EQ(json["format"], "alcedo results");
  EXPECT_EQ(json["format_version"], 1);
  std::vector<std::string> keys;
  for (const auto& [key, value] : json["cells"][0].items()) keys.push_back(key);
  EXPECT_THAT(
      keys, testing::UnorderedElementsAre("dataset", "table", "encoder", "gaussians", "descriptor",
                                          "method", "metric", "value", "low", "high", "paper",
                                          "chosen", "seeds", "other", "unconverged"));
}

TEST(ResultsJson, RefusesWhatIsNoResults) {
  const auto reading = [](Json json) { return [json] { ResultsFromJson(json, "r.json"); }; };
  const Json good = ToJson(PaperResults("pets"));
  Json more = good;
  more["new"] = 1;
  more["cells"][0]["new"] = 1;
  EXPECT_NO_THROW(ResultsFromJson(more, "r.json"));
  const auto refuses = [&](const char* pointer, const Json& value, const std::string& words) {
    Json bad = good;
    bad[Json::json_pointer(pointer)] = value;
    EXPECT_THAT(reading(bad),
                ThrowsMessage<FormatError>(AllOf(HasSubstr("r.json"), HasSubstr(words))));
  };
  refuses("/format", "other", "format");
  refuses("/format_version", 2, "format_version must be 1, got 2");
  refuses("/cells", 3, "r.json: cells must be a list, got 3");
  refuses("/cells/2/value", "high", "r.json: cells[2].value must be a number, got \"high\"");
  refuses("/cells/2/gaussians", 1.5, "cells[2].gaussians must be an integer");
  refuses("/cells/2/gaussians", 1LL << 40, "cells[2].gaussians must be an integer");
  refuses("/cells/2/seeds/1", nullptr, "cells[2].seeds[1] must be a number");
  refuses("/cells/2/other", Json::array(), "cells[2].other must be an object");
  refuses("/seeds/0", -1, "seeds[0] must be an integer >= 0");
  refuses("/complete", "yes", "complete must be true or false");
  refuses("/version", 1, "version must be a text");
  Json less = good;
  less["cells"][1].erase("method");
  EXPECT_THAT(reading(less), ThrowsMessage<FormatError>(HasSubstr("cells[1].method is missing")));
  EXPECT_THAT(reading(Json::array()), ThrowsMessage<FormatError>(HasSubstr("r.json")));
}

TEST(ResultsJson, KeepsTheVerdict) {
  Results results;
  results.comparisons = {
      {"d", "fv", "sift", "gmp", "sum", 16, "m", 2, 1, 3, 0.01, 2, {1, 3}, 0.0123, Verdict::kAhead},
      {"d", "fv", "color", "gmp", "sum", 16, "m", 2, 1, 3, 0.9, 1, {2}, 1, Verdict::kUndecided}};
  const Json json = ToJson(results);
  EXPECT_EQ(json["comparisons"][0]["verdict"], "ahead");
  EXPECT_EQ(json["comparisons"][0]["seeds"], 2);
  EXPECT_EQ(json["comparisons"][1]["seeds"], 1);
  const Results read = ResultsFromJson(json, "r.json");
  // What is there is not decided again.
  EXPECT_EQ(read.comparisons[0].corrected_p, 0.0123);
  EXPECT_EQ(read.comparisons[0].differences, (std::vector<double>{1, 3}));
  EXPECT_EQ(ToJson(read), json);
  Json bad = json;
  bad["comparisons"][0]["verdict"] = "winner";
  EXPECT_THAT([&] { ResultsFromJson(bad, "r.json"); },
              ThrowsMessage<FormatError>(HasSubstr(
                  "comparisons[0].verdict must be undecided, ahead or behind, got \"winner\"")));
}

TEST(ResultsJson, DecidesTheComparisonsOfOlderFiles) {
  Results results;
  for (const double p : {0.02, 0.02, 0.5}) {
    results.comparisons.push_back({"d", "fv", "sift", "gmp", "sum", 16, "m", -2, -3, -1, p});
  }
  Json json = ToJson(results);
  for (Json& comparison : json["comparisons"]) {
    for (const char* name : {"seeds", "differences", "corrected_p", "verdict"}) {
      comparison.erase(name);
    }
  }
  const Results read = ResultsFromJson(json, "r.json");
  EXPECT_EQ(read.comparisons[0].seeds, 1);
  EXPECT_EQ(read.comparisons[0].differences, std::vector<double>{-2});
  EXPECT_NEAR(read.comparisons[0].corrected_p, 0.06, 1e-15);
  EXPECT_EQ(read.comparisons[0].verdict, Verdict::kUndecided);
  json["comparisons"].erase(2);
  EXPECT_EQ(ResultsFromJson(json, "r.json").comparisons[0].verdict, Verdict::kBehind);
  // Other fields must be there.
  json["comparisons"][0].erase("p");
  EXPECT_THAT([&] { ResultsFromJson(json, "r.json"); },
              ThrowsMessage<FormatError>(HasSubstr("comparisons[0].p is missing")));
}

// RFC 4180 in a few lines.
std::vector<std::vector<std::string>> ParseCsv(const std::string& text) {
  std::vector<std::vector<std::string>> records(1, {""});
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (quoted && text[i] == '"' && text[i + 1] == '"') {
      records.back().back() += text[++i];
    } else if (text[i] == '"') {
      quoted = !quoted;
    } else if (!quoted && text[i] == ',') {
      records.back().emplace_back();
    } else if (!quoted && text[i] == '\r') {
      records.push_back({""});
      ++i;
    } else {
      records.back().back() += text[i];
    }
  }
  records.pop_back();
  return records;
}

TEST(CellsCsv, HasALinePerCell) {
  const Results results = PaperResults("flowers");
  const auto records = ParseCsv(CellsCsv(results));
  ASSERT_EQ(records.size(), results.cells.size() + 1);
  EXPECT_THAT(records[0],
              testing::ElementsAre("dataset", "table", "encoder", "gaussians", "descriptor",
                                   "method", "metric", "value", "low", "high", "paper", "seeds",
                                   "other", "chosen", "unconverged"));
  for (std::size_t i = 0; i < results.cells.size(); ++i) {
    EXPECT_EQ(records[i + 1][0], "flowers");
    EXPECT_EQ(records[i + 1][5], results.cells[i].method);
    EXPECT_EQ(std::stod(records[i + 1][7]), results.cells[i].value);
    EXPECT_EQ(std::stod(records[i + 1][10]), *results.cells[i].paper);
    EXPECT_EQ(Json::parse(records[i + 1][13]), results.cells[i].chosen);
  }
  EXPECT_EQ(ParseCsv(CellsCsv({})).size(), 1u);
}

TEST(CellsCsv, QuotesNamesAndLeavesOutWhatIsNoNumber) {
  const auto records = ParseCsv(CellsCsv(HostileResults()));
  ASSERT_EQ(records.size(), 9u);
  for (const auto& record : records) ASSERT_EQ(record.size(), 15u);
  EXPECT_EQ(records[1][0], "<script>\"a'&,|`\n]]>\xEF\xBF\xBD\xEF\xBF\xBD*_\x01");
  EXPECT_EQ(records[1][7], "12.34");
  EXPECT_EQ(records[1][8], "");
  EXPECT_EQ(records[5][7], "");
}

}  // namespace
}  // namespace alcedo::report
