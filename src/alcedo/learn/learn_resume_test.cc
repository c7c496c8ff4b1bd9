#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>

#include "alcedo/base/error.h"
#include "alcedo/learn/learn_testing.h"

namespace alcedo {
namespace {

using io_testing::MessageOf;
using io_testing::TemporaryFolder;
using learn_testing::Collection;
using learn_testing::kAllKinds;
using learn_testing::RunIn;
using learn_testing::SmallConfig;
using learn_testing::Undisturbed;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct Interruption {};

// A run that is thrown out of its `stop`-th report of progress; false where it came to its end.
bool RunUntil(int stop, const Collection& collection, const LearnConfig& config, LearnRun run) {
  int reports = 0;
  run.progress = [&](const Progress&) {
    if (++reports == stop) throw Interruption{};
  };
  try {
    Learn(collection.inputs, config, run);
  } catch (const Interruption&) {
    return true;
  }
  return false;
}

std::string Finish(const Collection& collection, const LearnConfig& config, const LearnRun& run) {
  return VocabularyBytes(Learn(collection.inputs, config, run).vocabulary);
}

// Several groups: rows enough for none, so that 64 images make one.
constexpr int kImages = 70;

std::string MessageAndHint(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return fmt::format("{}; {}", error.what(), error.hint().text);
  }
  return "";
}

TEST(LearnResume, GivesTheSameBytesWhereverItWasInterrupted) {
  const Collection collection(kImages);
  for (const std::string_view kind : kAllKinds) {
    LearnConfig config = SmallConfig(kind);
    config.vlad_rotations = kind == "kmeans";
    const std::string expected = Undisturbed(collection, config);
    // Reports of sampling are many and alike; those of the iterations are all tried.
    int stops = 0;
    for (int stop = 1;; stop += stop >= kImages - 2 ? 1 : 17) {
      const TemporaryFolder folder;
      LearnRun run = RunIn(folder / "work");
      if (!RunUntil(stop, collection, config, run)) break;
      ++stops;
      run.threads = 1 + stop % 3;
      run.max_memory = stop % 2 == 0 ? 0 : 1000;
      ASSERT_TRUE(Finish(collection, config, run) == expected) << kind << " " << stop;
    }
    EXPECT_GE(stops, kind == "fourier" ? 6 : 12);
  }
}

TEST(LearnResume, SurvivesManyInterruptionsInARow) {
  const Collection collection(kImages);
  for (const std::string_view kind : kAllKinds) {
    const LearnConfig config = SmallConfig(kind);
    const std::string expected = Undisturbed(collection, config);
    const TemporaryFolder folder;
    LearnRun run = RunIn(folder / "work");
    int interruptions = 0;
    // Longer every time: a run must come to the end of a group, or to two iterations, to get on.
    for (int stop = 3; RunUntil(stop, collection, config, run); stop += 5) ++interruptions;
    EXPECT_GE(interruptions, 3);
    EXPECT_TRUE(Finish(collection, config, run) == expected) << kind;
  }
}

TEST(LearnResume, StopsWhereConvergenceWouldHaveStoppedIt) {
  const Collection collection(8);
  for (const std::string_view kind : {"gmm", "kmeans", "dictionary"}) {
    LearnConfig config = SmallConfig(kind);
    config.kind.Get<GmmOptions>().max_iterations = config.kind.Get<KMeansOptions>().max_iterations =
        config.kind.Get<DictionaryOptions>().max_iterations = 60;
    config.kind.Get<GmmOptions>().tolerance = 3e-3;
    config.kind.Get<KMeansOptions>().tolerance = 5e-4;
    config.kind.Get<DictionaryOptions>().tolerance = 3e-3;
    const TemporaryFolder undisturbed;
    const Vocabulary expected =
        Learn(collection.inputs, config, RunIn(undisturbed / "work")).vocabulary;
    ASSERT_TRUE(expected.training.converged) << kind;
    ASSERT_GT(expected.training.iterations, 3) << kind;
    for (int stop = 10;; ++stop) {
      const TemporaryFolder folder;
      const LearnRun run = RunIn(folder / "work");
      if (!RunUntil(stop, collection, config, run)) break;
      ASSERT_TRUE(Finish(collection, config, run) == VocabularyBytes(expected))
          << kind << " " << stop;
    }
  }
}

TEST(LearnResume, ReadsNoImageTwice) {
  const Collection collection(kImages);
  const LearnConfig config = SmallConfig("gmm");
  const std::string expected = Undisturbed(collection, config);
  const TemporaryFolder folder;
  LearnRun run = RunIn(folder / "work");
  ASSERT_TRUE(RunUntil(kImages + 1, collection, config, run));
  for (int i = 0; i < 64; ++i) std::filesystem::remove(collection.inputs[i].path);
  std::vector<Index> resumed;
  run.progress = [&](const Progress& progress) {
    if (progress.stage != "sampling") return;
    resumed.push_back(progress.resumed);
    EXPECT_EQ(progress.done, 63 + static_cast<Index>(resumed.size()));
  };
  EXPECT_TRUE(Finish(collection, config, run) == expected);
  EXPECT_THAT(resumed, ElementsAre(64, 64, 64, 64, 64, 64, 64));

  // And of a run that was done but for storing its vocabulary, none.
  for (const Input& input : collection.inputs) std::filesystem::remove(input.path);
  bool iterations = false;
  run.progress = [&](const Progress& progress) {
    if (progress.stage == "em" && progress.done > 0) {
      EXPECT_GE(progress.resumed, config.kind.Get<GmmOptions>().max_iterations - 1);
      iterations = true;
    }
  };
  EXPECT_TRUE(Finish(collection, config, run) == expected);
  EXPECT_TRUE(iterations);
}

TEST(LearnResume, KeepsTheFailures) {
  Collection collection(kImages);
  collection.inputs[3].path = collection.folder / "none";
  collection.inputs[68].path = collection.folder / "none\xff";
  const LearnConfig config = SmallConfig("kmeans");
  const TemporaryFolder folder;
  const LearnResult expected = Learn(collection.inputs, config, RunIn(folder / "a"));
  const LearnRun run = RunIn(folder / "b");
  ASSERT_TRUE(RunUntil(66, collection, config, run));
  const LearnResult result = Learn(collection.inputs, config, run);
  ASSERT_EQ(result.failures.size(), 2u);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(result.failures[i].name, expected.failures[i].name);
    EXPECT_EQ(result.failures[i].reason, expected.failures[i].reason);
  }
  EXPECT_EQ(result.failures[0].name, collection.inputs[3].name);
  EXPECT_TRUE(VocabularyBytes(result.vocabulary) == VocabularyBytes(expected.vocabulary));
}

// Ends a run as a power cut would, `die` being called at every report and around every write.
void RunAndDie(const Collection& collection, const LearnConfig& config, LearnRun run,
               const std::function<void()>& die) {
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    run.progress = [&](const Progress&) { die(); };
    run.write = [&](const std::function<void()>& action) {
      die();
      action();
      die();
    };
    try {
      Learn(collection.inputs, config, run);
    } catch (...) {
      _exit(1);
    }
    _exit(0);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status) || WEXITSTATUS(status) == 0);
}

TEST(LearnResume, SurvivesBeingKilledAtAnyPoint) {
  const Collection collection(kImages);
  const LearnConfig config = SmallConfig("gmm");
  const std::string expected = Undisturbed(collection, config);
  for (int point = 1; point <= 115; point += point > 66 ? 3 : 16) {
    const TemporaryFolder folder;
    LearnRun run = RunIn(folder / "work");
    run.max_memory = 0;
    int calls = 0;
    RunAndDie(collection, config, run, [&] {
      if (++calls == point) kill(getpid(), SIGKILL);
    });
    ASSERT_TRUE(Finish(collection, config, run) == expected) << point;
  }
}

TEST(LearnResume, SurvivesBeingKilledAtRandomTimes) {
  const Collection collection(kImages);
  const LearnConfig config = SmallConfig("kmeans");
  const std::string expected = Undisturbed(collection, config);
  Rng rng(static_cast<std::uint64_t>(getpid()));
  for (int trial = 0; trial < 8; ++trial) {
    const TemporaryFolder folder;
    const LearnRun run = RunIn(folder / "work");
    for (int kills = 0; kills < 3; ++kills) {
      const auto microseconds = static_cast<useconds_t>(100 + rng.UniformIndex(60000));
      const pid_t child = fork();
      ASSERT_GE(child, 0);
      if (child == 0) {
        try {
          Learn(collection.inputs, config, run);
        } catch (...) {
          _exit(1);
        }
        _exit(0);
      }
      usleep(microseconds);
      kill(child, SIGKILL);
      int status = 0;
      ASSERT_EQ(waitpid(child, &status, 0), child);
      ASSERT_TRUE(WIFSIGNALED(status) || WEXITSTATUS(status) == 0);
    }
    ASSERT_TRUE(Finish(collection, config, run) == expected) << trial;
  }
}

TEST(LearnResume, BeginsTheIterationsAnewWhereTheStateIsDamaged) {
  const Collection collection(8);
  const LearnConfig config = SmallConfig("gmm");
  const std::string expected = Undisturbed(collection, config);
  const TemporaryFolder folder;
  const LearnRun run = RunIn(folder / "work");
  Learn(collection.inputs, config, run);
  std::string state = io_testing::ReadFile(folder / "work/state.safetensors");
  ASSERT_FALSE(state.empty());
  state[state.size() - 5] ^= 16;
  io_testing::WriteFile(folder / "work/state.safetensors", state);
  EXPECT_TRUE(Finish(collection, config, run) == expected);
}

// Whatever byte of whatever file of an interrupted run is damaged: the result is that of an
// undisturbed run, or the run is refused.
TEST(LearnResume, NoticesDamageInAnyFile) {
  Collection collection(kImages);
  collection.inputs[3].path = collection.folder / "none";  // so that there is a list of failures
  const LearnConfig config = SmallConfig("gmm");
  const TemporaryFolder undisturbed, folder;
  const std::string expected = Finish(collection, config, RunIn(undisturbed / "work"));
  const LearnRun run = RunIn(folder / "work");
  int refused = 0, same = 0;
  // While samples are drawn, and after some iterations.
  for (const int stop : {66, 80}) {
    std::filesystem::remove_all(run.work);
    ASSERT_TRUE(RunUntil(stop, collection, config, run));
    const std::filesystem::path copy = folder / "copy";
    std::filesystem::remove_all(copy);
    std::filesystem::copy(run.work, copy);
    for (const auto& entry : std::filesystem::directory_iterator(copy)) {
      const std::string good = io_testing::ReadFile(entry.path());
      const std::size_t step = std::max<std::size_t>(1, good.size() / 12);
      for (std::size_t at = 0; at < good.size(); at += step) {
        std::filesystem::remove_all(run.work);
        std::filesystem::copy(copy, run.work);
        std::string bad = good;
        bad[at] = static_cast<char>(bad[at] ^ 1);
        io_testing::WriteFile(run.work / entry.path().filename(), bad);
        try {
          ASSERT_TRUE(Finish(collection, config, run) == expected)
              << entry.path().filename() << " at " << at;
          ++same;
        } catch (const Error&) {
          ++refused;
        }
      }
    }
  }
  EXPECT_GT(refused, 20);
  EXPECT_GT(same, 0);  // the state of the iterations, which is made again
}

TEST(LearnResume, RefusesAFolderOfTheFormatBefore) {
  const Collection collection(4);
  const LearnConfig config = SmallConfig("kmeans");
  const TemporaryFolder folder;
  const LearnRun run = RunIn(folder / "work");
  ASSERT_TRUE(RunUntil(6, collection, config, run));
  std::string journal = io_testing::ReadFile(folder / "work/progress.json");
  const std::string version = "\"format_version\": 2";
  ASSERT_NE(journal.find(version), std::string::npos);
  journal.replace(journal.find(version), version.size(), "\"format_version\": 1");
  io_testing::WriteFile(folder / "work/progress.json", journal);
  EXPECT_THAT(MessageAndHint([&] { Learn(collection.inputs, config, run); }),
              AllOf(HasSubstr("belongs to another version of the program"),
                    HasSubstr("remove the folder " + run.work.string())));
}

TEST(LearnResume, RefusesTheFolderOfSomethingElse) {
  const Collection collection(4);
  const LearnConfig config = SmallConfig("kmeans");
  const TemporaryFolder folder;
  const LearnRun run = RunIn(folder / "work");
  ASSERT_TRUE(RunUntil(6, collection, config, run));
  const auto refusal = [&](const std::vector<Input>& inputs, const LearnConfig& other) {
    return MessageAndHint([&] { Learn(inputs, other, run); });
  };
  const std::string advice = "; remove the folder " + run.work.string() + " to start again";
  LearnConfig other = config;
  other.kind.Get<KMeansOptions>().clusters = 6;
  EXPECT_THAT(refusal(collection.inputs, other),
              AllOf(HasSubstr("another value of kmeans.clusters"), HasSubstr(advice)));
  other = config;
  other.seed = 9;
  EXPECT_THAT(refusal(collection.inputs, other), HasSubstr("another value of seed"));
  std::vector<Input> inputs = collection.inputs;
  inputs[2].name = "other";
  EXPECT_THAT(refusal(inputs, config), AllOf(HasSubstr("other images"), HasSubstr(advice)));
  inputs = collection.inputs;
  std::swap(inputs[0], inputs[1]);
  EXPECT_THAT(refusal(inputs, config), HasSubstr("other images"));
  inputs = collection.inputs;
  inputs.pop_back();
  EXPECT_THAT(refusal(inputs, config), HasSubstr("other images"));
  EXPECT_TRUE(Finish(collection, config, run) == Undisturbed(collection, config));

  // Samples that are gone cannot be gone on with.
  std::filesystem::resize_file(folder / "work/samples.f32", 100);
  EXPECT_THAT(MessageAndHint([&] { Learn(collection.inputs, config, run); }),
              AllOf(HasSubstr("samples.f32"), HasSubstr(advice)));
  io_testing::WriteFile(folder / "work/progress.json", R"({"format": "alcedo-learn-progress"})");
  EXPECT_THAT(refusal(collection.inputs, config), AllOf(HasSubstr("damaged"), HasSubstr(advice)));
}

TEST(LearnResume, RefusesAFolderThatIsNoWorkFolder) {
  const Collection collection(2);
  const LearnConfig config = SmallConfig("kmeans");
  const TemporaryFolder folder;
  const auto refusal = [&](const std::filesystem::path& path) {
    const std::string message =
        MessageOf<InvalidArgument>([&] { Learn(collection.inputs, config, RunIn(path)); });
    EXPECT_THAT(message, ::testing::Not(HasSubstr("remove")));
    return message;
  };
  io_testing::WriteFile(folder / "holiday.jpg", "x");
  EXPECT_THAT(refusal(folder.path()), HasSubstr("it holds 'holiday.jpg'"));
  EXPECT_THAT(refusal(folder / "holiday.jpg"), HasSubstr("is not a folder"));
  std::filesystem::create_directory(folder / "other");
  for (const char* text : {R"({"format": "mine"})", "[1]", "hello", ""}) {
    io_testing::WriteFile(folder / "other/progress.json", text);
    EXPECT_THAT(refusal(folder / "other"), HasSubstr("progress.json is something else"));
    EXPECT_EQ(io_testing::ReadFile(folder / "other/progress.json"), text);
  }
  EXPECT_THAT(folder.Names(), ElementsAre("holiday.jpg", "other"));
}

TEST(LearnResume, LetsOnlyOneRunIntoAFolder) {
  const Collection collection(3);
  const LearnConfig config = SmallConfig("kmeans");
  const TemporaryFolder folder;
  LearnRun run = RunIn(folder / "work");
  std::string message;
  run.progress = [&](const Progress&) {
    if (!message.empty()) return;
    LearnRun second = run;
    second.progress = nullptr;
    message = MessageOf<InvalidArgument>([&] { Learn(collection.inputs, config, second); });
  };
  Learn(collection.inputs, config, run);
  EXPECT_THAT(message, HasSubstr("in use by another run"));
}

TEST(LearnResume, WritesOnlyWhenItIsAllowedTo) {
  const Collection collection(kImages);
  const LearnConfig config = SmallConfig("kmeans");
  const TemporaryFolder folder;
  LearnRun run = RunIn(folder / "work");
  run.max_memory = 0;
  int depth = 0, writes = 0;
  const auto contents = [&] {
    std::string all;
    if (!std::filesystem::exists(run.work)) return all;
    for (const auto& entry : std::filesystem::directory_iterator(run.work)) {
      all += entry.path().filename().string() + io_testing::ReadFile(entry.path());
    }
    return all;
  };
  std::string last;
  run.write = [&](const std::function<void()>& action) {
    EXPECT_EQ(depth++, 0);
    EXPECT_TRUE(contents() == last) << "written to behind our back";
    action();
    last = contents();
    --depth;
    ++writes;
  };
  Learn(collection.inputs, config, run);
  EXPECT_TRUE(contents() == last);
  EXPECT_GE(writes, 2 + 2 + 1 + 4);
}

TEST(RemoveWorkFolder, TakesOnlyWhatLearningMade) {
  const Collection collection(4);
  const TemporaryFolder folder;
  LearnRun run = RunIn(folder / "work");
  run.max_memory = 0;
  Learn(collection.inputs, SmallConfig("kmeans"), run);
  EXPECT_THAT(TemporaryFolder().Names(), IsEmpty());
  io_testing::WriteFile(folder / "work/notes.txt", "mine");
  io_testing::WriteFile(folder / "work/.progress.json.tmp-12-3", "left behind");
  RemoveWorkFolder(run.work);
  ASSERT_TRUE(std::filesystem::exists(folder / "work/notes.txt"));
  std::filesystem::remove(folder / "work/notes.txt");
  EXPECT_TRUE(std::filesystem::is_empty(run.work));
  RemoveWorkFolder(run.work);
  EXPECT_FALSE(std::filesystem::exists(run.work));
  RemoveWorkFolder(run.work);  // there is nothing to do
}

}  // namespace
}  // namespace alcedo
