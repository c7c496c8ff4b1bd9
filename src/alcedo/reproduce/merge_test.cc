// Merged results against those of one run that did it all.
#include "alcedo/reproduce/merge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "alcedo/base/error.h"
#include "alcedo/base/random.h"
#include "alcedo/report/decisions.h"
#include "alcedo/reproduce/judge_cells.h"
#include "alcedo/reproduce/predictions.h"
#include "alcedo/testing/message_of.h"

namespace alcedo::reproduce {
namespace {

using ::testing::HasSubstr;

constexpr int kClasses = 4, kImages = 120;

Truth MakeTruth() {
  Truth truth;
  truth.classes = kClasses;
  for (int i = 0; i < kImages; ++i) truth.labels.push_back(i % kClasses);
  return truth;
}

// What a method of a table says with a seed: right more often than not, the more the later.
Matrix ScoresFor(const std::string& what, std::uint64_t seed, double right) {
  Rng rng = Rng::ForItem(seed, std::hash<std::string>()(what));
  Matrix scores(kImages, kClasses);
  for (double& score : scores.reshaped()) score = rng.Uniform();
  for (int i = 0; i < kImages; ++i) {
    if (rng.Uniform() < right) scores(i, i % kClasses) += 1;
  }
  return scores;
}

// As one run finds them: the cells of these tables with these seeds.
report::Results Found(const std::vector<std::string>& tables,
                      const std::vector<std::uint64_t>& seeds) {
  const Judge judge(MakeTruth(), 1);
  report::Results results;
  results.version = "1";
  results.commit = results.processor = "same";
  results.complete = true;
  results.seeds = seeds;
  results.config = {{"table", tables.size() > 1 ? "1 + 2" : tables[0]},
                    {"seed", seeds[0]},
                    {"seeds", seeds.size()},
                    {"samples", 1000}};
  report::DatasetSummary& dataset = results.datasets.emplace_back();
  dataset.name = "flowers";
  dataset.classes = kClasses;
  dataset.labels = PackedTruth(MakeTruth());
  std::vector<JudgedCell> cells;
  for (const std::string& table : tables) {
    for (const std::string descriptor : {"sift", "color"}) {
      double right = 0.3;
      for (const std::string method : {"sum", "gmp"}) {
        right += 0.3;
        JudgedCell& judged = cells.emplace_back();
        report::Cell& cell = judged.cell;
        cell.dataset = "flowers";
        cell.table = table;
        cell.encoder = table == "1" ? "emk" : "fv";
        cell.gaussians = table == "1" ? 0 : 16;
        cell.descriptor = descriptor;
        cell.method = method;
        cell.metric = "top1-classes";
        cell.chosen = report::Json::array();
        report::Predictions& p = results.predictions.emplace_back();
        p = {"flowers", table, cell.encoder, descriptor, method, cell.gaussians, {}};
        for (const std::uint64_t seed : seeds) {
          const Matrix scores = ScoresFor(table + descriptor + method, seed, right);
          judged.seeds.push_back(judge.Score(scores));
          p.seeds.push_back(PackedClasses(judged.seeds.back().predicted, kClasses));
          cell.chosen.push_back({{{"c", seed}}});
          const auto& metrics = judged.seeds.back().metrics;
          cell.seeds.push_back(metrics.at("top1-classes"));
          cell.value += cell.seeds.back() / static_cast<double>(seeds.size());
          cell.other["top1-images"] +=
              metrics.at("top1-images") / static_cast<double>(seeds.size());
        }
      }
    }
  }
  AddJudged(judge, std::move(cells), results);
  report::Decide(results);
  return results;
}

report::Json Text(const report::Results& results) { return ToJson(results); }

TEST(MergeResults, OfTablesIsOneRunOfBoth) {
  const report::Results merged =
      MergeResults({{"a", Found({"1"}, {0})}, {"b", Found({"2"}, {0})}}, 1);
  EXPECT_EQ(Text(merged), Text(Found({"1", "2"}, {0})));
  // Corrected for the comparisons of both.
  ASSERT_EQ(merged.comparisons.size(), 4u);
  const report::Comparison& least = *std::ranges::min_element(
      merged.comparisons, {}, [](const report::Comparison& c) { return c.p; });
  EXPECT_NEAR(least.corrected_p, std::min(1.0, 4 * least.p), 1e-12);
}

TEST(MergeResults, ComparesOptionsOfWhatBothHave) {
  report::Results emk = Found({"1"}, {0}), fisher = Found({"2"}, {0});
  emk.config["sigmas"] = {1, 2};
  fisher.config["sigmas"] = {3};
  fisher.config["lambdas"] = {4};
  for (const report::Results& merged : {MergeResults({{"a", emk}, {"b", fisher}}, 1),
                                        MergeResults({{"b", fisher}, {"a", emk}}, 1)}) {
    EXPECT_EQ(merged.config["sigmas"], report::Json({1, 2}));
    EXPECT_EQ(merged.config["lambdas"], report::Json({4}));
  }
  report::Results other = Found({"1"}, {1});
  other.config["sigmas"] = {3};
  EXPECT_THAT(test::MessageOf([&] { MergeResults({{"a", emk}, {"c.json", other}}, 1); }),
              HasSubstr("sigmas is [3], not [1,2]"));
}

TEST(MergeResults, OfSeedsIsOneRunOfAll) {
  const report::Results merged = MergeResults({{"c", Found({"2"}, {7, 9})},
                                               {"a", Found({"2"}, {1})},
                                               {"b", Found({"1"}, {1})},
                                               {"d", Found({"1"}, {7, 9})}},
                                              2);
  report::Results all = Found({"2", "1"}, {1, 7, 9});
  all.config["table"] = merged.config.at("table");
  EXPECT_EQ(Text(merged), Text(all));
  for (const report::Comparison& c : merged.comparisons) EXPECT_EQ(c.seeds, 3);
}

// The chance of seeds is pooled over all cells, also if every file has all seeds.
TEST(MergeResults, OfTablesWithSeveralSeedsIsOneRunOfBoth) {
  const report::Results merged =
      MergeResults({{"a", Found({"1"}, {3, 4})}, {"b", Found({"2"}, {3, 4})}}, 2);
  EXPECT_EQ(Text(merged), Text(Found({"1", "2"}, {3, 4})));
}

TEST(MergeResults, RefusesWhatDoesNotBelongTogether) {
  const auto message = [](report::Results other) {
    return test::MessageOf(
        [&] { MergeResults({{"a.json", Found({"2"}, {0})}, {"b.json", std::move(other)}}, 1); });
  };
  EXPECT_THAT(message(Found({"2"}, {0})), HasSubstr("with the same seeds as another file"));
  EXPECT_THAT(message(Found({"1"}, {1})), HasSubstr("b.json"));
  EXPECT_THAT(message(Found({"1"}, {1})), HasSubstr("has no predictions of table 2, fv 16"));
  EXPECT_THAT(message(Found({"2"}, {1, 0})), HasSubstr("has seed 0 again"));
  report::Results other = Found({"2"}, {1});
  other.config["samples"] = 5;
  EXPECT_THAT(message(other), HasSubstr("samples is 5, not 1000"));
  other = Found({"2"}, {1});
  other.version = "2";
  EXPECT_THAT(message(other), HasSubstr("is of version 2"));
  other = Found({"2"}, {1});
  other.datasets[0].hashes["test"] = "other";
  EXPECT_THAT(message(other), HasSubstr("is of other images than a.json"));
  other = Found({"2"}, {1});
  other.predictions[0].seeds[0] = "AAAA";
  EXPECT_THAT(message(other), HasSubstr("has predictions of 3 images and labels of 120"));
  other = Found({"2"}, {1});
  other.cells.pop_back();
  EXPECT_THAT(message(other), HasSubstr("has 3 cells, and a.json has 4"));
}

}  // namespace
}  // namespace alcedo::reproduce
