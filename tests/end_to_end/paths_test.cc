// What is read is never overwritten, and no output overwrites another.
#include <filesystem>
#include <map>

#include "fixture.h"

namespace end_to_end {
namespace {

using testing::AllOf;
using testing::HasSubstr;
namespace fs = std::filesystem;

class Paths : public EndToEnd {
 protected:
  Paths() {
    WriteFile("rows.npy", Npy(RandomRows(4, 6, 1)));
    WriteFile("enc/a.npy", Npy(RandomRows(4, 6, 2)));
    WriteFile("enc/b.npy", Npy(RandomRows(4, 6, 3)));
    WriteFile("blk/a.npy", Npy({4}, {0, 1, 2, 0}, "<i8"));
    WriteFile("blk/b.npy", Npy({4}, {2, 1, 2, 0}, "<i8"));
    WriteFile("blocks.npy", Npy({4}, {2, 1, 2, 0}, "<i8"));
    WriteFile("offsets.npy", Npy({3}, {0, 1, 4}, "<i8"));
    WriteFile("weights.npy", Npy({4}, {1, 2, 3, 4}, "<f8"));
    WriteFile("wts/a.npy", Npy({4}, {1, 2, 3, 4}, "<f8"));
    WriteFile("wts/b.npy", Npy({4}, {4, 3, 2, 1}, "<f8"));
  }

  // All files below the current folder with their bytes.
  static std::map<std::string, std::string> Everything() {
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(".")) {
      files[entry.path().string()] = entry.is_regular_file() ? ReadFile(entry.path()) : "";
    }
    return files;
  }

  // The run is refused, names both options and changes no file.
  static void Refuse(Args args, int exit_code, const std::string& one, const std::string& other) {
    const auto before = Everything();
    args.insert(args.begin(), "pool");
    EXPECT_THAT(Fail(args, exit_code), AllOf(HasSubstr(one), HasSubstr(other)));
    EXPECT_TRUE(Everything() == before);
  }
};

TEST_F(Paths, InputsStay) {
  Refuse({"rows.npy", "-o", "./enc/../rows.npy"}, 1, "--output './enc/../rows.npy'", "INPUT");
  Refuse({"enc", "-o", "enc/"}, 1, "--output 'enc/'", "INPUT folder 'enc'");
  Refuse({"enc/a.npy", "-o", "enc/"}, 1, "--output 'enc/'", "INPUT folder 'enc'");
  Refuse({"rows.npy", "-o", "."}, 1, "--output '.'", "INPUT folder '.'");
  Refuse({"enc", "-o", "enc/b.npy"}, 1, "--output 'enc/b.npy'", "INPUT 'enc/b.npy'");
  Refuse({"enc", "-o", "out.npy", "--weights", "enc/b.npy"}, 1, "--weights", "INPUT");
  Refuse({"enc", "-o", "out/", "--weights", "enc/"}, 1, "--weights", "INPUT");
  // A bad file is not pooled, and still not ours to overwrite.
  WriteFile("text.npy", "hello");
  Refuse({"rows.npy", "text.npy", "-o", "text.npy"}, 1, "--output", "INPUT 'text.npy'");
  WriteFile("bag.json", Npy(RandomRows(4, 6, 1)));
  Refuse({"bag.json", "-o", "out.npy", "--report", "bag.json"}, 1, "--report", "INPUT");
  WriteFile("out.npy.names.txt", Npy(RandomRows(4, 6, 1)));
  Refuse({"rows.npy", "out.npy.names.txt", "-o", "out.npy"}, 1, "--output 'out.npy.names.txt'",
         "INPUT 'out.npy.names.txt'");
}

TEST_F(Paths, StandardInputIsAFileToo) {
  const std::string bytes = ReadFile("rows.npy");
  const Result result = RunCommand({"bash", "-c", ALCEDO_PROGRAM " pool - -o rows.npy < rows.npy"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, AllOf(HasSubstr("--output"), HasSubstr("INPUT")));
  EXPECT_EQ(ReadFile("rows.npy"), bytes);
  const Result pipe =
      RunCommand({"bash", "-c", "cat rows.npy | " ALCEDO_PROGRAM " pool - -o rows.npy"});
  EXPECT_EQ(pipe.exit_code, 0) << pipe.err;
}

TEST_F(Paths, OffsetsStay) {
  Refuse({"rows.npy", "--offsets", "offsets.npy", "-o", "offsets.npy"}, 1, "--output", "--offsets");
  // Bag 0 of rows.npy would be called like its offsets.
  WriteFile("out/rows.0.npy", ReadFile("offsets.npy"));
  Refuse({"rows.npy", "--offsets", "out/rows.0.npy", "-o", "out/"}, 1, "--output 'out/rows.0.npy'",
         "--offsets");
  Refuse({"rows.npy", "--offsets", "out/rows.0.npy", "-o", "new/", "--weights", "out/"}, 1,
         "--weights 'out/rows.0.npy'", "--offsets");
}

TEST_F(Paths, BlocksStay) {
  Refuse({"rows.npy", "--blocks", "blocks.npy", "--num-blocks", "5", "-o", "blocks.npy"}, 1,
         "--output", "--blocks");
  const Args folder{"enc/", "--blocks", "blk/", "--num-blocks", "5"};
  const auto with = [&](Args more) {
    more.insert(more.begin(), folder.begin(), folder.end());
    return more;
  };
  Refuse(with({"-o", "blk/"}), 1, "--output", "--blocks 'blk/'");
  Refuse(with({"-o", "blk/b.npy"}), 1, "--output", "--blocks 'blk/b.npy'");
  Refuse(with({"-o", "out/", "--weights", "./blk/"}), 1, "--weights", "--blocks");
}

TEST_F(Paths, InputWeightsStay) {
  const Args weighted{"--pooling", "weighted", "--input-weights"};
  const auto with = [&](const std::string& input, Args more) {
    more.insert(more.begin(), weighted.begin(), weighted.end());
    more.insert(more.begin(), input);
    return more;
  };
  Refuse(with("rows.npy", {"weights.npy", "-o", "weights.npy"}), 1, "--output", "--input-weights");
  Refuse(with("enc", {"wts", "-o", "wts/"}), 1, "--output", "--input-weights");
  Refuse(with("enc", {"wts", "-o", "wts/a.npy"}), 1, "--output", "--input-weights");
}

TEST_F(Paths, LinksLeadToTheSameFile) {
  fs::create_symlink("rows.npy", "link.npy");
  Refuse({"rows.npy", "-o", "link.npy"}, 1, "--output 'link.npy'", "INPUT 'rows.npy'");
  Refuse({"link.npy", "-o", "rows.npy"}, 1, "--output", "INPUT");
  fs::create_symlink("blk", "other");
  Refuse({"enc", "--blocks", "blk", "--num-blocks", "5", "-o", "other"}, 1, "--output", "--blocks");
  fs::create_directory("out");
  fs::create_symlink("../enc/b.npy", "out/b.npy");
  Refuse({"enc", "-o", "out"}, 1, "--output 'out/b.npy'", "INPUT 'enc/b.npy'");
}

TEST_F(Paths, OutputsDiffer) {
  Refuse({"rows.npy", "--weights", "./same.npy", "-o", "same.npy"}, 2, "--weights", "--output");
  Refuse({"rows.npy", "--weights", "same.npy", "-o", "same.npy"}, 2, "--weights", "--output");
  Refuse({"enc", "--weights", "./new/", "-o", "new/"}, 2, "--weights './new/'", "--output 'new/'");
  fs::create_directory("old");
  Refuse({"enc", "--report", "old/alcedo.json", "-o", "old/"}, 2, "--report", "--output");
  Refuse({"enc", "--weights", "new/a.npy/", "-o", "new/"}, 2, "--weights", "--output");
  WriteFile("old.npy", "");
  fs::create_symlink("old.npy", "link.npy");
  Refuse({"rows.npy", "--weights", "link.npy", "-o", "old.npy"}, 2, "--weights", "--output");
}

TEST_F(Paths, NeighboursAreFine) {
  fs::create_directory("out");
  fs::rename("blk", "out/blk");
  Succeed({"pool", "enc", "--blocks", "out/blk", "--num-blocks", "5", "-o", "out/", "--weights",
           "alpha/", "--report", "out/report.json"});
  fs::create_directory("bags");
  fs::rename("offsets.npy", "bags/offsets.npy");
  Succeed({"pool", "rows.npy", "--offsets", "bags/offsets.npy", "-o", "bags/"});
  EXPECT_TRUE(fs::exists("bags/rows.1.npy"));
}

}  // namespace
}  // namespace end_to_end
