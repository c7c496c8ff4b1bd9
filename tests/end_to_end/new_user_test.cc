// Ten mistakes of somebody's first day: each gives one clear sentence and the right exit code, and
// nothing that was there is lost.
#include <signal.h>
#include <unistd.h>

#include <filesystem>

#include "train_fixture.h"
#include "until_signal.h"

namespace end_to_end {
namespace {

using testing::AllOf;
using testing::HasSubstr;
namespace fs = std::filesystem;

class NewUser : public Train {
 protected:
  NewUser() {
    WriteFile("photo.ppm", Stripes(0, 100));
    WriteFile("letter.jpg", "Dear Sir or Madam,\n");
  }

  static Args Model() { return Quick("model.safetensors"); }
  static Args Vocabulary(const std::string& output) {
    return {"learn", "data", "-o", output, "--gaussians", "2", "--samples", "300", "-q"};
  }

  // Fail(), of a command line of bash; "$A" is the program.
  static std::string FailInShell(const std::string& command_line, int exit_code) {
    const auto before = FilesBelow(".");
    const Result result = RunCommand({"bash", "-c", "A='" ALCEDO_PROGRAM "'; " + command_line});
    EXPECT_EQ(result.exit_code, exit_code) << command_line << "\n" << result.err;
    EXPECT_THAT(result.err, testing::StartsWith("alcedo: "));
    EXPECT_EQ(result.err.find('\n'), result.err.size() - 1) << result.err;
    EXPECT_EQ(Names(FilesBelow(".")), Names(before)) << command_line;
    return result.err;
  }
  static std::vector<std::string> Names(const std::map<std::string, std::string>& files) {
    std::vector<std::string> names;
    for (const auto& [name, bytes] : files) names.push_back(name);
    return names;
  }
};

TEST_F(NewUser, TheWrongFolder) {
  WriteFile("texts/letter.txt", "dear");
  EXPECT_THAT(Fail({"train", "phtos", "-o", "m.safetensors"}, 1),
              HasSubstr("phtos: there is no such folder"));
  EXPECT_THAT(Fail({"train", "texts", "-o", "m.safetensors"}, 1),
              AllOf(HasSubstr("texts: "), HasSubstr("one folder of images per class")));
  // One class in the place of all.
  EXPECT_THAT(Fail({"train", "data/green", "-o", "m.safetensors"}, 1),
              AllOf(HasSubstr("data/green: "), HasSubstr("one folder of images per class")));
  EXPECT_THAT(Fail({"train", "photo.ppm", "-o", "m.safetensors"}, 1),
              HasSubstr("photo.ppm: is a file"));
  EXPECT_THAT(Fail({"encode", "texts", "-o", "o.npy"}, 1), HasSubstr("texts: has no image"));
  EXPECT_THAT(Fail({"encode", "phtos", "-o", "o.npy"}, 1), HasSubstr("phtos"));
}

TEST_F(NewUser, PicturesThatCannotBeRead) {
  WriteFile("bmp/a/1.bmp", "BM");
  WriteFile("bmp/b/2.bmp", "BM");
  EXPECT_THAT(Fail({"train", "bmp", "-o", "m.safetensors"}, 1),
              AllOf(HasSubstr("2 .bmp"), HasSubstr("expected are JPEG, PNG")));
  WriteFile("data/green/x.heic", "x");
  const std::string note = "note: 1 .heic is left out: images that can be read are JPEG";
  const auto err = [](const Args& args) { return RunProgram(args).err; };
  EXPECT_THAT(err(Run("model.safetensors")), HasSubstr(note));
  EXPECT_THAT(err({"evaluate", "model.safetensors", "data"}), HasSubstr(note));
  EXPECT_THAT(err({"classify", "model.safetensors", "data"}), HasSubstr(note));
  EXPECT_THAT(err({"encode", "data", "-o", "o.npy"}), HasSubstr(note));
  EXPECT_EQ(err({"encode", "data", "-q", "-o", "o.npy"}), "");
}

TEST_F(NewUser, ResultsOnStandardOutputStandAlone) {
  Succeed(Model());
  const auto run = [](const Args& more) {
    return RunProgram(Args{"evaluate", "model.safetensors", "data"} + more);
  };
  run({"--json", "r.json", "--csv", "r.csv"});
  EXPECT_EQ(run({"--json", "-"}).out, ReadFile("r.json"));
  EXPECT_EQ(run({"--csv", "-"}).out, ReadFile("r.csv"));
  EXPECT_THAT(Fail({"evaluate", "model.safetensors", "data", "--json", "-", "--csv", "-"}, 2),
              HasSubstr("--json and --csv cannot both be standard output"));
  const Args classify{"classify", "model.safetensors", "photo.ppm"};
  EXPECT_EQ(Succeed(classify + Args{"-o", "-"}).out, Succeed(classify).out);
  EXPECT_FALSE(fs::exists("-"));
  for (const Args& args : {Args{"encode", "data", "-o", "-"}, Args{"synth", "-"},
                           Args{"reproduce", "--data", "data", "-o", "-"},
                           Args{"train", "data", "-o", "m.safetensors", "--work", "-"},
                           Args{"learn", "data", "-o", "m.safetensors", "--work", "-"}}) {
    EXPECT_THAT(Fail(args, 2), HasSubstr("cannot be standard output"));
  }
}

TEST_F(NewUser, AMisspeltOption) {
  EXPECT_THAT(Fail({"encode", "data", "--quite", "-o", "o.npy"}, 2), HasSubstr("'--quiet'"));
  EXPECT_THAT(Fail({"train", "data", "--outptu", "m"}, 2), HasSubstr("'--output'"));
  EXPECT_THAT(Fail({"classify", "m.safetensors", "data", "--topp", "1"}, 2), HasSubstr("'--top'"));
  EXPECT_THAT(Fail({"clasify", "m", "data"}, 2), HasSubstr("'classify'"));
  EXPECT_THAT(Fail({"--verison"}, 2), HasSubstr("'--version'"));
  EXPECT_THAT(Fail({"completion", "zhs"}, 2), HasSubstr("bash, zsh and fish"));
}

TEST_F(NewUser, ATextForAPicture) {
  Succeed(Model());
  EXPECT_THAT(Fail({"encode", "letter.jpg", "-o", "o.npy"}, 1),
              HasSubstr("letter.jpg: is not an image"));
  EXPECT_THAT(Fail({"classify", "model.safetensors", "letter.jpg"}, 1),
              HasSubstr("letter.jpg: is not an image"));
  EXPECT_THAT(Fail({"classify", "model.safetensors", "letter.jpg", "-o", "o"}, 1),
              HasSubstr("letter.jpg: is not an image"));
  WriteFile("tokens.npy", Npy(RandomRows(3, 2, 1)));
  EXPECT_THAT(Fail({"classify", "model.safetensors", "tokens.npy"}, 1),
              AllOf(HasSubstr("tokens.npy: is an array file"),
                    testing::Not(HasSubstr("--descriptor external"))));
  // Beside good ones it is listed.
  const Result result = RunProgram({"classify", "model.safetensors", "letter.jpg", "photo.ppm"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr("letter.jpg"));
  EXPECT_THAT(result.out, HasSubstr("photo.ppm\n"));
}

// A file of more than a kilobyte cannot be written: as on a disk that is full.
TEST_F(NewUser, NoSpaceLeft) {
  WriteFile("o.npy", "precious");
  WriteFile("m.safetensors", "precious");
  EXPECT_THAT(FailInShell("ulimit -f 1; exec \"$A\" encode photo.ppm -q -o o.npy", 1),
              HasSubstr("File too large"));
  // What it did so far stays for the next run.
  const Result full = RunCommand({"bash", "-c",
                                  "ulimit -f 1; exec " ALCEDO_PROGRAM
                                  " learn data --gaussians 2 --samples 300 -q -o m.safetensors"});
  EXPECT_EQ(full.exit_code, 1);
  EXPECT_THAT(full.err, AllOf(testing::StartsWith("alcedo: "), HasSubstr("File too large")));
  EXPECT_EQ(ReadFile("o.npy"), "precious");
  EXPECT_EQ(ReadFile("m.safetensors"), "precious");
  Succeed(Vocabulary("m.safetensors"));
  EXPECT_FALSE(fs::exists("m.safetensors.work"));
  Succeed(Model());
  const std::string model = ReadFile("model.safetensors");
  EXPECT_THAT(FailInShell("exec \"$A\" classify model.safetensors photo.ppm -q > /dev/full", 1),
              HasSubstr("standard output: cannot be written: No space left"));
  EXPECT_EQ(ReadFile("model.safetensors"), model);
}

TEST_F(NewUser, NoPermissionToWrite) {
  Succeed(Model());
  std::string closed = "/proc";  // where nobody can make a file, not even root
  if (geteuid() != 0) {
    fs::create_directory("closed");
    fs::permissions("closed", fs::perms::owner_read | fs::perms::owner_exec);
    closed = "closed";
  }
  EXPECT_THAT(Fail({"encode", "photo.ppm", "-q", "-o", closed + "/o.npy"}, 1),
              HasSubstr(closed + "/o.npy"));
  EXPECT_THAT(Fail({"encode", "photo.ppm", "-q", "-o", closed + "/o/"}, 1),
              HasSubstr(closed + "/o"));
  EXPECT_THAT(Fail(Quick(closed + "/m.safetensors"), 1), HasSubstr(closed + "/m.safetensors"));
  EXPECT_THAT(Fail(Vocabulary(closed + "/v.safetensors"), 1), HasSubstr(closed + "/v.safetensors"));
  EXPECT_THAT(
      Fail({"classify", "model.safetensors", "photo.ppm", "-o", closed + "/o.txt"}, 1),
      AllOf(HasSubstr(closed + "/o.txt: cannot"), testing::Not(HasSubstr("does not exist"))));
}

TEST_F(NewUser, AModelForAVocabularyAndTheReverse) {
  Succeed(Model());
  Succeed(Vocabulary("voc.safetensors"));
  EXPECT_THAT(Fail({"encode", "data", "--vocabulary", "model.safetensors", "-o", "o.npy"}, 1),
              AllOf(HasSubstr("model.safetensors: is a model, not a vocabulary"),
                    HasSubstr("learn one, or take sift or color")));
  EXPECT_THAT(
      Fail({"classify", "voc.safetensors", "photo.ppm"}, 1),
      AllOf(HasSubstr("voc.safetensors: is a vocabulary, not a model"), HasSubstr("train one")));
  EXPECT_THAT(Fail({"evaluate", "voc.safetensors", "data"}, 1),
              HasSubstr("voc.safetensors: is a vocabulary, not a model"));
  // The picture, or the folder, first.
  EXPECT_THAT(Fail({"classify", "data", "model.safetensors"}, 2),
              HasSubstr("the model comes first: alcedo classify model.safetensors data"));
  EXPECT_THAT(Fail({"evaluate", "data", "model.safetensors"}, 2),
              HasSubstr("the model comes first: alcedo evaluate model.safetensors data"));
  EXPECT_THAT(Fail({"classify", "data", "photo.ppm"}, 2), HasSubstr("the model comes first"));
  fs::copy_file("model.safetensors", "model");
  EXPECT_THAT(Fail({"classify", "photo.ppm", "model"}, 1),
              AllOf(HasSubstr("photo.ppm: is not a model"), HasSubstr("train")));
  EXPECT_THAT(Fail({"encode", "data", "--vocabulary", "photo.ppm", "-o", "o.npy"}, 1),
              AllOf(HasSubstr("photo.ppm: is not a vocabulary"), HasSubstr("learn")));
  // A file for a folder.
  EXPECT_THAT(Fail({"encode", "data", "-o", "photo.ppm"}, 2),
              HasSubstr("output 'photo.ppm' is a file"));
}

TEST_F(NewUser, AnEmptyFolder) {
  Succeed(Model());
  fs::create_directory("empty");
  EXPECT_THAT(Fail({"encode", "empty", "-o", "o.npy"}, 1), HasSubstr("empty: has no image"));
  EXPECT_THAT(Fail({"learn", "empty", "-o", "o.safetensors"}, 1), HasSubstr("empty: has no image"));
  EXPECT_THAT(Fail({"classify", "model.safetensors", "empty"}, 1),
              HasSubstr("empty: has no image"));
  EXPECT_THAT(Fail({"train", "empty", "-o", "o.safetensors"}, 1),
              HasSubstr("empty: is an empty folder"));
  EXPECT_THAT(Fail({"evaluate", "model.safetensors", "empty"}, 1),
              HasSubstr("empty: is an empty folder"));
  EXPECT_THAT(Fail({"pool", "empty", "-o", "o.npy"}, 1), HasSubstr("empty"));
}

TEST_F(NewUser, OneClassOnly) {
  fs::create_directory("one");
  fs::copy("data/green", "one/green", fs::copy_options::recursive);
  const std::string expected = "one: has one class only, 'green'; there must be two or more";
  EXPECT_THAT(Fail({"train", "one", "-o", "m.safetensors"}, 1), HasSubstr(expected));
  EXPECT_THAT(Fail({"train", "one", "-o", "m.safetensors", "--all"}, 1), HasSubstr(expected));
  // A folder without pictures is no second class.
  fs::create_directory("one/empty");
  EXPECT_THAT(Fail({"train", "one", "-o", "m.safetensors"}, 1), HasSubstr("one class only"));
}

TEST_F(NewUser, OneImagePerClass) {
  fs::remove_all("data");
  Paint("data", 1);
  EXPECT_THAT(Fail(Quick("m.safetensors"), 1), AllOf(HasSubstr("data: has no image to test on"),
                                                     HasSubstr("--all takes every image")));
  Succeed(Quick("m.safetensors", {"--all"}));
  EXPECT_THAT(Fail({"evaluate", "m.safetensors", "data"}, 1),
              AllOf(HasSubstr("no image to test on"), HasSubstr("--split all takes every image")));
  Succeed({"evaluate", "m.safetensors", "data", "--split", "all", "-q"});
}

TEST_F(NewUser, ControlCHalfWay) {
  Succeed(Run("whole.safetensors", {"-q"}));
  EXPECT_EQ(
      EndBySignal(
          Run("model.safetensors"), SIGINT, [] { WriteFile("model.safetensors", "precious"); },
          [] { return fs::exists("model.safetensors.work/sift"); }),
      130);
  EXPECT_THAT(ReadFile(".stderr"), AllOf(HasSubstr("alcedo: interrupted at "),
                                         HasSubstr("run the same command again to resume")));
  EXPECT_EQ(ReadFile("model.safetensors"), "precious");
  Succeed(Run("model.safetensors", {"-q"}));
  EXPECT_EQ(ReadFile("model.safetensors"), ReadFile("whole.safetensors"));
  EXPECT_FALSE(fs::exists("model.safetensors.work"));
}

}  // namespace
}  // namespace end_to_end
