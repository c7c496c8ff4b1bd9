// The whole way on a collection that the test paints: two kinds of stripes, one of them reddish.
#include "alcedo/reproduce/reproduce.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <map>
#include <numeric>
#include <stdexcept>

#include "alcedo/base/error.h"
#include "alcedo/base/random.h"
#include "alcedo/dataset/read_dataset.h"
#include "alcedo/image/write_image.h"
#include "alcedo/io/io_testing.h"
#include "alcedo/reproduce/plan.h"
#include "alcedo/reproduce/tables.h"
#include "alcedo/reproduce/unfinished_solves.h"
#include "alcedo/reproduce/work_files.h"
#include "alcedo/reproduce/work_folder.h"
#include "alcedo/testing/message_of.h"

namespace alcedo::reproduce {
namespace {
namespace fs = std::filesystem;
using io_testing::TemporaryFolder;
using test::MessageOf;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Image Stripes(int kind, int number) {
  Rng rng = Rng::ForItem(5, static_cast<std::uint64_t>(10 * number + kind));
  Image image = MakeImage(64, 56, 3);
  const double angle = (kind == 0 ? 0.2 : 1.3) + 0.2 * rng.Uniform();
  const double period = 0.5 + 0.3 * rng.Uniform();
  for (int channel = 0; channel < 3; ++channel) {
    for (int y = 0; y < image.height; ++y) {
      for (int x = 0; x < image.width; ++x) {
        const double wave = std::sin(period * (x * std::cos(angle) + y * std::sin(angle)));
        const double tint = kind == 1 && channel == 0 ? 40 : 0;
        image.samples[static_cast<std::size_t>((channel * image.height + y) * image.width + x)] =
            static_cast<float>(90 + tint + 50 * wave + 40 * rng.Uniform());
      }
    }
  }
  return image;
}

class Reproducing : public ::testing::Test {
 protected:
  Reproducing() {
    for (const int kind : {0, 1}) {
      const fs::path folder = folder_ / "data" / (kind == 0 ? "plain" : "reddish");
      fs::create_directories(folder);
      for (int i = 0; i < 10; ++i) {
        const fs::path file = (folder / std::to_string(i)).replace_extension("ppm");
        io_testing::WriteFile(file, PnmBytes(Stripes(kind, i)));
      }
    }
    options_.lite = true;
    options_.samples = 1000;
    options_.sift_patch = options_.color_patch = 16;
    options_.lambdas = {10, 1e4};
    options_.relative_lambdas = {1};
    options_.powers = {1, 0.5, 0};
    options_.sigmas = {0.5};
    options_.c = {1, 100};
    options_.folds = 2;
  }

  Dataset Data() const { return ReadDataset(folder_ / "data", DatasetKind::kFolder); }

  ReproduceRun Run(const std::string& work, int threads = 2) const {
    ReproduceRun run;
    run.threads = threads;
    run.work = folder_ / work;
    return run;
  }

  report::Results Reproduced(const ReproduceRun& run) const {
    const Dataset data = Data();
    report::Results results = Reproduce({&data, 1}, options_, run);
    // What differs from run to run.
    results.timings.clear();
    results.peak_memory = 0;
    return results;
  }

  TemporaryFolder folder_;
  ReproduceOptions options_;
};

TEST_F(Reproducing, FillsEveryCell) {
  const report::Results results = Reproduced(Run("work"));
  EXPECT_TRUE(results.complete);
  // Fisher: sum, gmp, democratic, gamma-democratic, each with and without power; intra-normalised:
  // sum and gmp; soft: sum. EMK: all four; centred: sum and gmp.
  EXPECT_EQ(results.cells.size(), 3u * (8 + 4 + 2) + 3u * (2 + 2 + 2));
  for (const report::Cell& cell : results.cells) {
    // Chance is 50; 90 or 100 are seen, one image or none wrong.
    EXPECT_GE(cell.value, 80) << cell.encoder << ' ' << cell.descriptor << ' ' << cell.method;
    EXPECT_LE(cell.low, cell.value);
    EXPECT_GE(cell.high, cell.value);
    EXPECT_LT(cell.low, cell.high);  // also where all of the few images are right
    EXPECT_EQ(cell.chosen.size(), 1u);
    EXPECT_EQ(cell.chosen[0].size(), cell.descriptor == "fusion" ? 2u : 1u);
    EXPECT_FALSE(cell.paper);
  }
  for (const report::Comparison& c : results.comparisons) EXPECT_LT(c.low, c.high) << c.method;
  // What is confused is what gains.
  ASSERT_EQ(results.confusions.size(), 1u);
  EXPECT_EQ(results.confusions[0].method, "gmp");
  EXPECT_EQ(results.confusions[0].descriptor, "fusion");
  for (const report::ClassGains& gains : results.gains) EXPECT_EQ(gains.descriptor, "fusion");
  ASSERT_EQ(results.checks.size(), 1u);
  EXPECT_TRUE(results.checks[0].holds);
  EXPECT_EQ(results.datasets[0].train + results.datasets[0].test, 20);
  // What was chosen is the best of what was tried.
  for (const report::Curve& curve : results.curves) {
    double best = 0;
    for (const report::Curve::Point& point : curve.points) best = std::max(best, point.y);
    for (const report::Cell& cell : results.cells) {
      const bool same = cell.encoder == curve.encoder && cell.descriptor == curve.descriptor &&
                        cell.method == curve.method && curve.parameter == "c";
      if (!same) continue;
      EXPECT_EQ(cell.chosen[0][0].at("validation").get<double>(), best);
    }
  }
}

TEST_F(Reproducing, ComparesTheMeansOfSeeds) {
  options_.table = TableChoice::kTwo;
  const report::Results one = Reproduced(Run("work"));
  for (const report::Comparison& c : one.comparisons) {
    EXPECT_EQ(c.seeds, 1);
    EXPECT_EQ(c.differences.size(), 1u);
  }
  options_.seeds = 2;
  const report::Results two = Reproduced(Run("work"));
  ASSERT_EQ(two.cells.size(), one.cells.size());
  std::map<std::pair<std::string, std::string>, const report::Cell*> cells;
  for (std::size_t i = 0; i < two.cells.size(); ++i) {
    const report::Cell& cell = two.cells[i];
    cells[{cell.descriptor, cell.method}] = &cell;
    ASSERT_EQ(cell.seeds.size(), 2u);
    EXPECT_EQ(cell.seeds[0], one.cells[i].value);
    EXPECT_NEAR(cell.value, (cell.seeds[0] + cell.seeds[1]) / 2, 1e-12);
    EXPECT_LT(cell.low, cell.high);
  }
  ASSERT_FALSE(two.comparisons.empty());
  for (const report::Comparison& c : two.comparisons) {
    EXPECT_EQ(c.seeds, 2);
    ASSERT_EQ(c.differences.size(), 2u);
    for (std::size_t s = 0; s < 2; ++s) {
      EXPECT_NEAR(c.differences[s],
                  cells.at({c.descriptor, c.method})->seeds[s] -
                      cells.at({c.descriptor, c.baseline})->seeds[s],
                  1e-10);
    }
    EXPECT_NEAR(c.difference, (c.low + c.high) / 2, 1e-10);
    EXPECT_LT(c.low, c.high);
    EXPECT_EQ(c.p < 0.05, c.low > 0 || c.high < 0);  // one test
    EXPECT_GE(c.corrected_p, c.p);
  }
}

TEST_F(Reproducing, DoesNotDependOnThreadsOrPasses) {
  const Json one = ToJson(Reproduced(Run("one", 1)));
  EXPECT_EQ(ToJson(Reproduced(Run("two", 3))), one);
  report::Results passes;
  {
    options_.max_disk = 1.5e-3;  // GiB: no two pairs at the same time
    passes = Reproduced(Run("passes"));
    passes.config["max_disk"] = 0.0;
  }
  EXPECT_EQ(ToJson(passes), one);
}

TEST_F(Reproducing, GoesOnWhereItWasInterrupted) {
  const Json whole = ToJson(Reproduced(Run("whole")));
  // Stop after so many steps of the run before, until one run comes to its end.
  int stopped = 0;
  for (int steps = 1;; steps += 7) {
    ReproduceRun run = Run("work");
    int left = steps;
    run.progress = [&](const Progress&) {
      if (left-- == 0) throw std::runtime_error("interrupted");
    };
    try {
      EXPECT_EQ(ToJson(Reproduced(run)), whole);
      break;
    } catch (const std::runtime_error& error) {
      ASSERT_STREQ(error.what(), "interrupted");
      ++stopped;
    }
  }
  EXPECT_GT(stopped, 3);
}

// Two runs at once would write the same files.
TEST_F(Reproducing, RefusesAFolderThatAnotherRunIsWorkingIn) {
  options_.table = TableChoice::kTwo;
  std::string second;
  ReproduceRun run = Run("work");
  run.progress = [&](const Progress& progress) {
    if (!second.empty() || progress.stage.find("vocabular") == std::string::npos) return;
    second = MessageOf([&] { Reproduced(Run("work")); });
  };
  Reproduced(run);
  EXPECT_THAT(second, HasSubstr("seed-0 is in use by another run"));
  EXPECT_EQ(MessageOf([&] { Reproduced(Run("work")); }), "(accepted)");
}

// Results may not be of images that are no longer there.
TEST_F(Reproducing, NoticesReplacedImages) {
  options_.table = TableChoice::kTwo;
  Reproduced(Run("work"));
  const auto refusal = [&] { return MessageOf([&] { Reproduced(Run("work")); }); };
  EXPECT_EQ(refusal(), "(accepted)");
  const fs::path image = folder_ / "data/plain/3.ppm";
  const std::string before = io_testing::ReadFile(image);
  io_testing::WriteFile(image, PnmBytes(Stripes(1, 77)));  // of the same size
  EXPECT_THAT(refusal(), AllOf(HasSubstr("1 of 20 have other contents now, plain/3.ppm the first"),
                               HasSubstr("remove it")));
  io_testing::WriteFile(image, before);
  EXPECT_EQ(refusal(), "(accepted)");
  io_testing::WriteFile(folder_ / "data/plain/more.ppm", before);
  EXPECT_THAT(refusal(), HasSubstr("holds the files of 20 images, and now there are 21"));
  fs::remove(folder_ / "data/plain/more.ppm");
  options_.scales = 3;
  EXPECT_THAT(refusal(), HasSubstr("other options: scales was 7, and now is 3"));
  const fs::path file = Run("work").work / "folder/seed-0/experiment.json";
  Json experiment = ReadJson(file);
  experiment.erase("checksum");
  experiment["revision"] = kNumbersRevision - 1;
  WriteJson(Run("work"), file, experiment);
  EXPECT_THAT(refusal(), HasSubstr("another state of this version"));
}

// Nor of images that changed in the middle.
TEST_F(Reproducing, NoticesImagesThatAreReplacedMeanwhile) {
  options_.table = TableChoice::kTwo;
  ReproduceRun run = Run("work");
  run.progress = [&](const Progress& progress) {
    if (progress.stage.find("vocabular") == std::string::npos) return;
    for (int i = 0; i < 10; ++i) {
      io_testing::WriteFile(folder_ / "data/plain" / (std::to_string(i) + ".ppm"),
                            PnmBytes(Stripes(1, 50 + i)));
    }
  };
  EXPECT_THAT(MessageOf([&] { Reproduced(run); }), HasSubstr("was replaced while it was in use"));
}

TEST_F(Reproducing, SharesItsWorkBetweenTables) {
  const Json whole = ToJson(Reproduced(Run("whole")));
  options_.table = TableChoice::kTwo;
  EXPECT_EQ(Reproduced(Run("work")).cells.size(), 3u * 4);
  options_.table = TableChoice::kOne;
  EXPECT_EQ(Reproduced(Run("work")).cells.size(), 3u * 2);
  options_.table = TableChoice::kAll;
  EXPECT_EQ(ToJson(Reproduced(Run("work"))), whole);
}

TEST_F(Reproducing, TimesAllRunsThatItsResultsComeFrom) {
  const Dataset data = Data();
  const auto stages = [&](TableChoice table) {
    options_.table = table;
    std::map<std::string, report::Timing> timings;
    for (const report::Timing& timing : Reproduce({&data, 1}, options_, Run("work")).timings) {
      EXPECT_TRUE(timings.emplace(timing.stage, timing).second) << timing.stage;
    }
    return timings;
  };
  const std::string making = "vectors of the training images";
  const auto first = stages(TableChoice::kTwo);
  EXPECT_EQ(first.at(making).images + first.at("test images").images, 20);
  EXPECT_GT(first.at(making).seconds, 0);
  EXPECT_GT(first.at("selection and training").seconds, 0);
  // The second run finds all of it done, and still knows how long it took.
  const auto second = stages(TableChoice::kTwo);
  EXPECT_EQ(second.at("test images").images, first.at("test images").images);
  EXPECT_EQ(second.at(making).seconds, first.at(making).seconds);
  // Another table has no part in it, but their union does.
  const auto other = stages(TableChoice::kOne);
  EXPECT_EQ(other.at(making).images, first.at(making).images);
  EXPECT_EQ(stages(TableChoice::kTwo).at(making).seconds, first.at(making).seconds);
  EXPECT_EQ(stages(TableChoice::kPaper).at(making).seconds,
            first.at(making).seconds + other.at(making).seconds);
}

TEST_F(Reproducing, KnowsTheMemoryOfAllRunsThatItsResultsComeFrom) {
  options_.table = TableChoice::kTwo;
  const Dataset data = Data();
  const auto memory = [&] { return Reproduce({&data, 1}, options_, Run("work")).peak_memory; };
  EXPECT_GT(memory(), 0);
  const ReproduceRun run = Run("work");
  const fs::path file = run.work / "folder/seed-0/timings.json";
  Json timings = ReadJson(file);
  // A run before this one took more.
  timings.erase("checksum");
  timings["stages"][0]["peak_memory"] = std::int64_t{1} << 50;
  WriteJson(run, file, timings);
  EXPECT_EQ(memory(), std::int64_t{1} << 50);
  // Of one it is not known.
  timings["stages"][1].erase("peak_memory");
  WriteJson(run, file, timings);
  EXPECT_EQ(memory(), 0);
}

// A C beyond what float products allow: the SVMs stop early, and every cell says so.
TEST_F(Reproducing, MarksWhatDidNotConverge) {
  options_.table = TableChoice::kTwo;
  options_.c = {1e12};
  const report::Results results = Reproduced(Run("work"));
  ASSERT_EQ(results.cells.size(), 3u * 4);
  int marked = 0;
  for (const report::Cell& cell : results.cells) marked += cell.unconverged.empty() ? 0 : 1;
  EXPECT_GT(marked, 0);
  EXPECT_EQ(ToJson(Reproduced(Run("work"))), ToJson(results));  // also from the work folder
  options_.c = {1};
  for (const report::Cell& cell : Reproduced(Run("work")).cells) {
    EXPECT_TRUE(cell.unconverged.empty()) << cell.unconverged.front();
  }
}

// Intra-normalised vectors are those of the plain ones: what was unfinished there is so here.
TEST_F(Reproducing, MarksUnfinishedPoolingsOfAllThatHaveThem) {
  options_.table = TableChoice::kBaselines;
  options_.sigmas = {0.3};
  Reproduced(Run("work"));
  const ReproduceRun run = Run("work");
  ReproduceRun seed = run;
  seed.work = run.work / "folder/seed-0";
  const std::string coding = fmt::format("sift-fv{}", options_.gaussians.front());
  UnfinishedSolves(seed.work, "training").Write(seed, 0, {{{coding, "sum"}, 3}});
  int marked = 0;
  for (const report::Cell& cell : Reproduced(run).cells) {
    const bool has = (cell.encoder == "fv" || cell.encoder == "fv-intra") &&
                     cell.method.starts_with("sum") && cell.descriptor != "color";
    if (has) {
      EXPECT_THAT(cell.unconverged, ElementsAre("sift: sum of 3 training images"));
    } else {
      EXPECT_THAT(cell.unconverged, IsEmpty());
    }
    marked += has ? 1 : 0;
  }
  EXPECT_EQ(marked, 2 * 2 * 2);
}

// Not who wrote the report last.
TEST_F(Reproducing, NamesWhoMadeTheNumbers) {
  const auto commit = [&](const char* maker, TableChoice table) {
    options_.table = table;
    ReproduceRun run = Run("work");
    run.maker = {maker, "processor"};
    const report::Results results = Reproduced(run);
    EXPECT_EQ(results.processor, "processor");
    return results.commit;
  };
  EXPECT_EQ(commit("first", TableChoice::kTwo), "first");
  EXPECT_EQ(commit("second", TableChoice::kTwo), "first");
  EXPECT_EQ(commit("third", TableChoice::kPaper), "first, third");
}

// Sigma is chosen on a part of the images, and the others are encoded with what is left.
TEST_F(Reproducing, ChoosesSigmaInAPilot) {
  options_.table = TableChoice::kOne;
  options_.sigmas = {0.01, 0.3, 30};
  const report::Results results = Reproduced(Run("work"));
  EXPECT_EQ(results.cells.size(), 3u * 2);
  for (const report::Cell& cell : results.cells) {
    for (const Json& channel : cell.chosen[0]) {
      const double sigma = channel.at("sigma");
      EXPECT_TRUE(sigma == 0.01 || sigma == 0.3 || sigma == 30);
      const bool edge = std::ranges::count(channel.at("edge"), Json("sigma")) > 0;
      EXPECT_EQ(edge, sigma != 0.3);
    }
  }
  // Along sigma the pilot tells.
  const auto along_sigma = std::ranges::count_if(
      results.curves, [](const report::Curve& c) { return c.parameter == "sigma"; });
  EXPECT_EQ(along_sigma, 2 * 2);
  for (const report::Curve& curve : results.curves) {
    if (curve.parameter == "sigma") {
      EXPECT_EQ(curve.points.size(), 3u);
    }
  }
}

TEST_F(Reproducing, ComparesBaselines) {
  options_.table = TableChoice::kBaselines;
  const report::Results results = Reproduced(Run("work"));
  std::map<std::string, int> cells;
  for (const report::Cell& cell : results.cells) {
    ++cells[cell.encoder];
    EXPECT_GE(cell.value, 60) << cell.encoder << ' ' << cell.descriptor << ' ' << cell.method;
  }
  const std::map<std::string, int> expected{
      {"fv", 12}, {"fv-intra", 12}, {"soft-fv", 6}, {"emk", 6}, {"emk-centred", 6}};
  EXPECT_EQ(cells, expected);
  // GMP against each of them: two of intra-normalisation, one of posteriors, one of centring.
  std::map<std::string, int> rivals;
  for (const report::Comparison& c : results.comparisons) {
    if (!c.baseline.starts_with("sum") || c.baseline.find(' ') != std::string::npos) {
      ++rivals[c.method + " / " + c.baseline];
    }
  }
  const std::map<std::string, int> expected_rivals{{"gmp / intra-normalised sum", 3},
                                                   {"gmp+p / intra-normalised sum+p", 3},
                                                   {"gmp+p / sum+p of posteriors", 3},
                                                   {"gmp / centred sum", 3}};
  EXPECT_EQ(rivals, expected_rivals);
}

// Whoever has the file can count again.
TEST_F(Reproducing, KeepsPredictions) {
  options_.table = TableChoice::kTwo;
  const report::Results results = Reproduced(Run("work"));
  ASSERT_EQ(results.predictions.size(), results.cells.size());
  const auto test = static_cast<std::size_t>(results.datasets[0].test);
  const std::string labels = results.datasets[0].labels.get<std::string>();
  EXPECT_EQ(labels.size(), (test + 2) / 3 * 4);
  for (std::size_t i = 0; i < results.cells.size(); ++i) {
    const report::Predictions& predictions = results.predictions[i];
    EXPECT_EQ(predictions.method, results.cells[i].method);
    EXPECT_EQ(predictions.descriptor, results.cells[i].descriptor);
    ASSERT_EQ(predictions.seeds.size(), 1u);
    // All right if and only if the texts are the same.
    EXPECT_EQ(predictions.seeds[0] == labels, results.cells[i].value == 100);
  }
  EXPECT_EQ(results.datasets[0].hashes.size(), 2u);  // of training and of test images
}

TEST_F(Reproducing, SaysWhichTestImagesItWasTrainedOn) {
  options_.table = TableChoice::kTwo;
  fs::rename(folder_ / "data", folder_ / "all");
  for (const char* name : {"plain", "reddish"}) {
    for (const char* split : {"train", "test"})
      fs::create_directories(folder_ / "data" / split / name);
    for (int i = 0; i < 10; ++i) {
      const std::string file = std::string(name) + "/" + std::to_string(i) + ".ppm";
      fs::rename(folder_ / "all" / file, folder_ / "data" / (i < 6 ? "train" : "test") / file);
    }
  }
  EXPECT_TRUE(Reproduced(Run("work")).datasets[0].notes.empty());
  fs::copy(folder_ / "data/train/plain/3.ppm", folder_ / "data/test/plain/again.ppm");
  const report::Results results = Reproduced(Run("other"));
  ASSERT_EQ(results.datasets[0].notes.size(), 1u);
  EXPECT_THAT(results.datasets[0].notes[0],
              AllOf(HasSubstr("1 of 9 test images is also to train on, byte for byte"),
                    HasSubstr("test/plain/again.ppm is train/plain/3.ppm")));
}

// As VOC 2007 has it: an image may have several classes, or be difficult for one.
TEST_F(Reproducing, TakesSeveralClassesPerImage) {
  Dataset data = Data();
  data.kind = DatasetKind::kVoc2007;
  data.multi_label = data.has_validation = true;
  data.classes = {"plain", "reddish", "striped"};
  int number = 0;
  for (DatasetImage& image : data.images) {
    const bool plain = image.label == 0;
    const auto target = [](bool has) { return static_cast<std::int8_t>(has ? 1 : -1); };
    // Every image has stripes, but in some they are no example.
    image.targets = {target(plain), target(!plain), target(number % 3 != 0)};
    if (number % 5 == 4) image.targets[plain ? 1 : 0] = 0;
    image.label = -1;
    if (image.split == Split::kTrain && ++number % 2 == 0) image.split = Split::kValidation;
  }
  options_.table = TableChoice::kTwo;
  const report::Results results = Reproduce({&data, 1}, options_, Run("work"));
  EXPECT_EQ(results.cells.size(), 3u * 4);
  for (const report::Cell& cell : results.cells) {
    EXPECT_EQ(cell.metric, "map-voc11");
    EXPECT_TRUE(cell.other.contains("map-area"));
    // A ranking by chance has about 67; 94 and more are seen.
    EXPECT_GE(cell.value, 85) << cell.descriptor << ' ' << cell.method;
    EXPECT_LE(cell.value, 100);
    EXPECT_LE(cell.low, cell.value);
    EXPECT_GE(cell.high, cell.value);
  }
  EXPECT_TRUE(results.confusions.empty());
  ASSERT_FALSE(results.gains.empty());
  EXPECT_EQ(results.gains[0].classes.size(), 3u);
  EXPECT_TRUE(results.checks[0].holds);
}

TEST_F(Reproducing, RefusesFilesOfOtherOptions) {
  options_.table = TableChoice::kTwo;
  Reproduced(Run("work"));
  options_.samples = 2000;
  try {
    Reproduced(Run("work"));
    FAIL();
  } catch (const InvalidArgument& error) {
    EXPECT_THAT(error.what(), HasSubstr("other options: samples was 1000, and now is 2000"));
  }
}

TEST_F(Reproducing, LeavesOutBadImages) {
  io_testing::WriteFile(folder_ / "data/plain/bad.ppm", "P6 no picture");
  io_testing::WriteFile(folder_ / "data/reddish/bad.ppm", "");
  io_testing::WriteFile(folder_ / "data/reddish/worse.ppm", "P6 9 9 255 ");
  options_.table = TableChoice::kTwo;
  const report::Results results = Reproduced(Run("work"));
  EXPECT_EQ(results.datasets[0].failures.size(), 3u);
  EXPECT_EQ(results.datasets[0].train + results.datasets[0].test, 20);
  std::int64_t judged = 0;
  for (const auto& row : results.confusions[0].counts) {
    judged += std::accumulate(row.begin(), row.end(), std::int64_t{0});
  }
  EXPECT_EQ(results.datasets[0].test, judged);
  EXPECT_EQ(results.datasets[0].notes.back(), "3 images could not be read and are left out");
  EXPECT_EQ(results.cells.size(), 3u * 4);
}

TEST(ReproduceOptions, AreChecked) {
  const auto refused = [](auto change) {
    ReproduceOptions options;
    change(options);
    EXPECT_THROW(Check(options), InvalidArgument);
  };
  refused([](auto& o) { o.powers = {0.5, 1.5}; });
  refused([](auto& o) { o.powers = {}; });
  refused([](auto& o) { o.lambdas = {-1}; });
  refused([](auto& o) { o.lambdas = o.relative_lambdas = {}; });
  refused([](auto& o) { o.c = {0}; });
  refused([](auto& o) { o.sigmas = {NAN}; });
  refused([](auto& o) { o.gammas = {2}; });
  refused([](auto& o) { o.seeds = 0; });
  refused([](auto& o) { o.folds = 1; });
  refused([](auto& o) { o.sift_patch = 18; });
  refused([](auto& o) { o.accuracy = 0; });
  EXPECT_NO_THROW(Check(ReproduceOptions{}));
}

}  // namespace
}  // namespace alcedo::reproduce
