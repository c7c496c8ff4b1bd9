// The parts of an experiment, each against a few naive lines.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "alcedo/base/random.h"
#include "alcedo/base/types.h"
#include "alcedo/pooling/pool.h"
#include "alcedo/reproduce/pilot.h"
#include "alcedo/reproduce/plan.h"
#include "alcedo/reproduce/selection.h"
#include "alcedo/training/training_set.h"

namespace alcedo::reproduce {
namespace {

TEST(Plan, HasPairsAndUniqueNames) {
  for (const bool pyramid : {false, true}) {
    const Plan plan = MakePlan({}, pyramid);
    std::set<std::string> names;
    for (const Coding& coding : plan.codings) {
      EXPECT_TRUE(names.insert(coding.name).second) << coding.name;
      std::set<std::string> choices;
      for (const PoolChoice& choice : coding.choices) {
        EXPECT_TRUE(choices.insert(choice.name).second) << choice.name;
      }
    }
    ASSERT_EQ(2 * plan.groups.size(), plan.rows.size());
    for (std::size_t r = 0; r < plan.rows.size(); r += 2) {
      EXPECT_EQ(plan.groups[r / 2], (std::vector{static_cast<int>(r), static_cast<int>(r) + 1}));
      EXPECT_EQ(plan.rows[r].descriptor, "sift");
      EXPECT_EQ(plan.rows[r + 1].descriptor, "color");
      EXPECT_EQ(plan.rows[r].methods.size(), plan.rows[r + 1].methods.size());
    }
  }
}

TEST(Plan, HasWhatATableNeedsAndNoMore) {
  const auto names_of = [](TableChoice table) {
    ReproduceOptions options;
    options.table = table;
    options.gaussians = {16};
    options.descriptor = SiftOptions{};
    std::vector<std::string> names;
    for (const Row& row : MakePlan(options, false).rows) names.push_back(row.name);
    return names;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(names_of(TableChoice::kOne), Names{"sift-emk"});
  EXPECT_EQ(names_of(TableChoice::kTwo), Names{"sift-fv16"});
  EXPECT_EQ(names_of(TableChoice::kPaper), (Names{"sift-fv16", "sift-emk"}));
  EXPECT_EQ(names_of(TableChoice::kDemocratic),
            (Names{"sift-fv16", "sift-fv16-democratic", "sift-emk", "sift-emk-democratic"}));
  EXPECT_EQ(names_of(TableChoice::kBeyond),
            (Names{"sift-fv16", "sift-fv16-democratic", "sift-vlad256", "sift-sv256",
                   "sift-soft-bov256"}));
  const Names baselines{"sift-fv16", "sift-fv16-intra", "sift-soft-fv16", "sift-emk",
                        "sift-emk-centred"};
  EXPECT_EQ(names_of(TableChoice::kBaselines), baselines);
  EXPECT_EQ(names_of(TableChoice::kAll),
            (Names{"sift-fv16", "sift-fv16-democratic", "sift-fv16-intra", "sift-soft-fv16",
                   "sift-emk", "sift-emk-democratic", "sift-emk-centred", "sift-vlad256",
                   "sift-sv256", "sift-soft-bov256"}));
}

TEST(Plan, HasThePyramidWhereThePaperHasIt) {
  const auto has_pyramid = [](TableChoice table, bool voc, bool lite) {
    ReproduceOptions options;
    options.table = table;
    options.lite = lite;
    const std::vector<Row> rows = MakePlan(options, voc).rows;
    return std::ranges::any_of(rows, [](const Row& row) { return row.variant == "pyramid"; });
  };
  EXPECT_TRUE(has_pyramid(TableChoice::kPaper, true, false));
  EXPECT_TRUE(has_pyramid(TableChoice::kAll, true, false));
  EXPECT_FALSE(has_pyramid(TableChoice::kPaper, false, false));
  EXPECT_FALSE(has_pyramid(TableChoice::kTwo, true, false));
  EXPECT_FALSE(has_pyramid(TableChoice::kPaper, true, true));
  EXPECT_TRUE(has_pyramid(TableChoice::kPyramid, false, true));
}

// Intra-normalised and centred vectors are made from those of the plain row.
TEST(Plan, SharesVectorsBetweenFinishes) {
  ReproduceOptions options;
  options.table = TableChoice::kBaselines;
  const Plan plan = MakePlan(options, false);
  int shared = 0;
  for (const Coding& coding : plan.codings) {
    if (coding.finish == Finish::kPlain) {
      EXPECT_EQ(coding.pooled_as, -1);
      continue;
    }
    ++shared;
    const Coding& plain = plan.codings[static_cast<std::size_t>(coding.pooled_as)];
    EXPECT_EQ(plain.finish, Finish::kPlain);
    EXPECT_EQ(plain.descriptor.name(), coding.descriptor.name());
    EXPECT_EQ(plain.words, coding.words);
    EXPECT_EQ(plain.sigma, coding.sigma);
    ASSERT_EQ(plain.choices.size(), coding.choices.size());
    for (std::size_t i = 0; i < plain.choices.size(); ++i) {
      EXPECT_EQ(plain.choices[i].name, coding.choices[i].name);
    }
  }
  EXPECT_EQ(shared, 2 * (2 + static_cast<int>(options.sigmas.size())));
}

TEST(Plan, HasTheDescriptorAndGaussiansThatAreAskedFor) {
  ReproduceOptions options;
  options.table = TableChoice::kTwo;
  options.descriptor = ColorOptions{};
  options.gaussians = {64, 32, 64};
  Plan plan = MakePlan(options, false);
  ASSERT_EQ(plan.rows.size(), 2u);
  EXPECT_EQ(plan.rows[0].name, "color-fv32");
  EXPECT_EQ(plan.rows[1].name, "color-fv64");
  EXPECT_EQ(plan.groups, (std::vector<std::vector<int>>{{0}, {1}}));
  options.lite = true;
  options.descriptor = SiftOptions{};
  plan = MakePlan(options, false);
  ASSERT_EQ(plan.rows.size(), 1u);
  EXPECT_EQ(plan.rows[0].name, "sift-fv32");
  for (const std::vector<double>& bad : {std::vector<double>{}, {0}, {2.5}, {5000}}) {
    options.gaussians = bad;
    EXPECT_THROW(Check(options), InvalidArgument);
  }
}

Dataset MadeUp(bool validation) {
  Dataset dataset;
  dataset.classes = {"a", "b"};
  dataset.has_validation = validation;
  for (int i = 0; i < 12; ++i) {
    DatasetImage image;
    image.label = i % 2;
    image.split = validation && i % 3 == 0 ? Split::kValidation : Split::kTrain;
    dataset.images.push_back(image);
  }
  return dataset;
}

TEST(MakeFolds, TakesTheValidationSplitOrFolds) {
  std::vector<Index> images;
  for (Index i = 0; i < 12; ++i) images.push_back(i);
  const std::vector<Fold> split = MakeFolds(MadeUp(true), images, 5, 0);
  ASSERT_EQ(split.size(), 1u);
  EXPECT_EQ(split[0].held_out, (std::vector<Index>{0, 3, 6, 9}));
  EXPECT_EQ(split[0].train.size(), 8u);

  const std::vector<Fold> folds = MakeFolds(MadeUp(false), images, 3, 0);
  ASSERT_EQ(folds.size(), 3u);
  std::multiset<Index> all;
  for (const Fold& fold : folds) {
    all.insert(fold.held_out.begin(), fold.held_out.end());
    EXPECT_EQ(fold.train.size() + fold.held_out.size(), 12u);
  }
  EXPECT_EQ(all, std::multiset<Index>(images.begin(), images.end()));
}

TEST(Quality, IsTheMeanOverClasses) {
  Dataset dataset = MadeUp(false);
  dataset.images[1].label = 0;  // seven of a, five of b
  std::vector<Index> images;
  for (Index i = 0; i < 12; ++i) images.push_back(i);
  const Truth truth = TruthOf(dataset, images);
  Matrix scores = Matrix::Zero(12, 2);
  scores.col(0).setOnes();
  EXPECT_DOUBLE_EQ(Quality(scores, truth), 50);
  scores(3, 1) = 2;
  EXPECT_DOUBLE_EQ(Quality(scores, truth), 60);
  const Truth part = Part(truth, std::vector<Index>{3, 4});
  EXPECT_EQ(part.labels, (std::vector<int>{1, 0}));
  EXPECT_EQ(part.targets(0, 1), 1);
  EXPECT_EQ(part.targets(0, 0), -1);
}

// Of GMP the best lambda and its neighbours, at the sigma that it was best with; of sum pooling its
// own sigma.
TEST(AfterPilot, LeavesTheBestAndItsNeighbours) {
  ReproduceOptions options;
  options.table = TableChoice::kOne;
  options.descriptor = {};
  options.emk_lambdas = {100, 1, 10, 0.1};  // not in order
  options.sigmas = {0.1, 0.2, 0.4};
  const Plan plan = MakePlan(options, false);
  const Row& row = plan.rows[0];
  ASSERT_EQ(row.codings.size(), 3u);
  ASSERT_EQ(row.searched, (std::vector<std::vector<int>>(3, {0, 1, 2, 3, 4})));
  PilotResults results;
  results.held_out = 400;
  std::vector<std::vector<Trial>>& pilot = results.trials;
  pilot.resize(plan.rows.size());
  for (const int coding : row.codings) {
    for (int choice = 0; choice < 5; ++choice) {
      pilot[0].push_back({{coding, choice, 1}, 1, 10, true});
    }
  }
  pilot[0][5].validation = 20;   // sum, sigma 0.2
  pilot[0][13].validation = 30;  // GMP, lambda 10, sigma 0.4
  const Plan after = AfterPilot(plan, results);
  EXPECT_EQ(after.rows[0].codings, (std::vector<int>{row.codings[1], row.codings[2]}));
  EXPECT_EQ(after.rows[0].searched, (std::vector<std::vector<int>>{{0}, {1, 2, 3}}));
  EXPECT_EQ(after.rows[1].searched, plan.rows[1].searched);  // no pilot
  // At the end of the lambdas there is one neighbour.
  pilot[0][13].validation = 10;
  pilot[0][14].validation = 30;
  EXPECT_EQ(AfterPilot(plan, results).rows[0].searched[1], (std::vector<int>{2, 4}));
  // A smaller sigma within a standard error, 2.3 points of 30, is taken, and not one beyond it.
  pilot[0][6].validation = 28;  // GMP, lambda 100, sigma 0.2
  const Plan small = AfterPilot(plan, results);
  EXPECT_EQ(small.rows[0].codings, (std::vector<int>{row.codings[1]}));
  EXPECT_EQ(small.rows[0].searched, (std::vector<std::vector<int>>{{0, 1, 3}}));
  pilot[0][6].validation = 27;
  EXPECT_EQ(AfterPilot(plan, results).rows[0].searched[1], (std::vector<int>{2, 4}));
  // Sum pooling keeps all that are as good: 19 is within 2 points of 20, and 17.9 is not.
  pilot[0][0].validation = 17.9;
  pilot[0][10].validation = 19;
  const Plan sums = AfterPilot(plan, results);
  EXPECT_EQ(sums.rows[0].codings, (std::vector<int>{row.codings[1], row.codings[2]}));
  EXPECT_EQ(sums.rows[0].searched, (std::vector<std::vector<int>>{{0}, {0, 2, 4}}));
  // If all images prefer the end of what is left, the search goes on beyond it.
  Plan longer = after;
  PairSelection selection;
  selection.rows.resize(1);
  const auto best = [&](int coding, int choice) {
    selection.rows[0].methods = {{{{coding, choice, 1}, 1, 50}, 1, 50}};
  };
  best(row.codings[2], 3);  // lambda 10, the middle of 1, 10 and 100
  EXPECT_FALSE(GoBeyond(longer, std::vector<int>{0}, selection));
  best(row.codings[2], 2);  // lambda 1
  EXPECT_TRUE(GoBeyond(longer, std::vector<int>{0}, selection));
  EXPECT_EQ(longer.rows[0].searched, (std::vector<std::vector<int>>{{0}, {1, 2, 3, 4}}));
  EXPECT_FALSE(GoBeyond(longer, std::vector<int>{0}, selection));
  best(row.codings[1], 0);  // sum pooling has no lambda
  EXPECT_FALSE(GoBeyond(longer, std::vector<int>{0}, selection));
  // The vectors that a search reads are those that are left.
  const WantedPoolings wanted = VectorsOf(after, std::vector<int>{0});
  EXPECT_EQ(wanted[static_cast<std::size_t>(row.codings[0])], std::vector<int>{});
  EXPECT_EQ(wanted[static_cast<std::size_t>(row.codings[2])], (std::vector<int>{1, 2, 3}));
}

// One descriptor, sum pooling, three C: what a channel chose for itself, and what its fusion did.
TEST(ChosenJson, FlagsTheEdgeOfWhatIsUsed) {
  Plan plan;
  plan.codings.emplace_back().choices = {{"sum", "sum", SumOptions{}}};
  Row row;
  row.codings = {0};
  row.searched = {{0}};
  row.methods = {{"sum", "sum", false, "2"}};
  plan.rows = {row};
  RowSelection selection;
  for (const double c : {0.1, 1.0, 10.0}) selection.trials.push_back({{0, 0, 1}, c, 50});
  const auto edges = [&](double own, double fused_c, bool fused) {
    selection.methods = {{{{0, 0, 1}, own, 60}, fused_c, 70}};
    const Json json = ChosenJson(ReadyChoices(plan), row, selection, 0, fused);
    EXPECT_EQ(json.at("c"), fused ? fused_c : own);
    EXPECT_EQ(json.at("validation"), fused ? 70 : 60);
    return json.at("edge");
  };
  EXPECT_EQ(edges(10, 1, false), Json::array({"c"}));
  EXPECT_EQ(edges(10, 1, true), Json::array());
  EXPECT_EQ(edges(1, 0.1, false), Json::array());
  EXPECT_EQ(edges(1, 0.1, true), Json::array({"c"}));
}

// A pilot has tried lambda 1, too; but of all images 10 was the smallest.
TEST(ChosenJson, FlagsTheEndOfTheLambdasThatAPilotLeft) {
  Plan plan;
  Coding& coding = plan.codings.emplace_back();
  coding.encoder = EmkOptions{};
  for (const double lambda : {1.0, 10.0, 100.0, 1000.0, 1e4}) {
    coding.choices.push_back({fmt::format("gmp-{}", lambda), "gmp", GmpOptions{.lambda = lambda}});
  }
  Row row;
  row.codings = {0};
  row.searched = {{1, 2, 3}};
  row.methods = {{"gmp", "gmp", false, "1"}};
  plan.rows = {row};
  RowSelection selection;
  for (int choice = 0; choice < 5; ++choice) {
    const Trial trial{{0, choice, 1}, 1, 50, true};
    selection.pilot.push_back(trial);
    if (choice > 0 && choice < 4) selection.trials.push_back(trial);
  }
  const auto edges = [&](int choice) {
    selection.methods = {{{{0, choice, 1}, 1, 60}, 1, 60}};
    return ChosenJson(ReadyChoices(plan), row, selection, 0, false).at("edge");
  };
  EXPECT_EQ(edges(1), Json::array({"lambda"}));
  EXPECT_EQ(edges(2), Json::array());
  EXPECT_EQ(edges(3), Json::array({"lambda"}));
}

// Absolute lambdas of 10 and 100, relative ones of 1 and 3, which are 128 and 384 or so of Fisher
// Vectors of two Gaussians.
TEST(ChosenJson, HasOneAxisForBothKindsOfLambdaOfFisherVectors) {
  Plan plan;
  Coding& coding = plan.codings.emplace_back();
  coding.words = 2;
  for (const auto& [lambda, relative] : {std::pair(10.0, false), std::pair(100.0, false),
                                         std::pair(1.0, true), std::pair(3.0, true)}) {
    GmpOptions gmp;
    gmp.lambda = lambda;
    gmp.relative = relative;
    coding.choices.push_back({"gmp", "gmp", gmp});
  }
  Row row;
  row.codings = {0};
  row.searched = {{0, 1, 2, 3}};
  row.methods = {{"GMP", "gmp", false, "2"}};
  plan.rows = {row};
  RowSelection selection;
  for (int choice = 0; choice < 4; ++choice) selection.trials.push_back({{0, choice, 1}, 1, 50});
  const auto edges = [&](int choice) {
    selection.methods = {{{{0, choice, 1}, 1, 60}, 1, 70}};
    return ChosenJson(ReadyChoices(plan), row, selection, 0, false).at("edge");
  };
  EXPECT_EQ(edges(0), Json::array({"lambda"}));
  EXPECT_EQ(edges(1), Json::array());
  EXPECT_EQ(edges(2), Json::array());
  EXPECT_EQ(edges(3), Json::array({"relative lambda"}));
  // What the norm of other encodings is depends on the descriptors.
  plan.codings[0].encoder = VladOptions{};
  EXPECT_EQ(edges(1), Json::array({"lambda"}));
}

}  // namespace
}  // namespace alcedo::reproduce
