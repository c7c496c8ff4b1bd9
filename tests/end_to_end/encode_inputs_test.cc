// Which files `alcedo encode` takes, what they are called, and where it does not write.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "encode_fixture.h"

namespace end_to_end {
namespace {

using testing::AllOf;
using testing::HasSubstr;
namespace fs = std::filesystem;

class EncodeInputs : public Encode {
 protected:
  EncodeInputs() { LearnVocabulary(); }

  static std::string Names(const Args& more) {
    SucceedEncode(more + Args{"-o", "names.npy"});
    return ReadFile("names.npy.names.txt");
  }
};

TEST_F(EncodeInputs, FoldersAreEnteredAndSorted) {
  WriteFile("tree/b/z.PGM", Pgm(30, 30, 1));
  WriteFile("tree/b/a.png", Png(30, 30, 2));
  WriteFile("tree/b.ppm", Ppm(30, 30, 3));
  WriteFile("tree/B.jpeg", TinyJpeg());
  WriteFile("tree/.hidden/c.pgm", Pgm(30, 30, 4));
  WriteFile("tree/.hidden.pgm", Pgm(30, 30, 5));
  WriteFile("tree/notes.txt", "no picture");
  WriteFile("tree/array.npy", Npy(RandomRows(3, 4, 1)));
  fs::create_directory_symlink("..", "tree/b/loop");
  fs::create_symlink("b.ppm", "tree/link.ppm");
  EXPECT_EQ(Names({"tree"}), "B.jpeg\nb.ppm\nb/a.png\nb/z.PGM\nlink.ppm\n");
  EXPECT_EQ(Names({"tree/b", "tree/b.ppm"}), "a.png\nz.PGM\ntree/b.ppm\n");
}

TEST_F(EncodeInputs, EqualNamesBecomePaths) {
  WriteFile("x/a.pgm", Pgm(30, 30, 1));
  WriteFile("y/a.pgm", Pgm(30, 30, 2));
  WriteFile("y/b.pgm", Pgm(30, 30, 3));
  EXPECT_EQ(Names({"x", "y"}), "x/a.pgm\ny/a.pgm\nb.pgm\n");
  EXPECT_EQ(Names({"x/a.pgm", "x/a.pgm", "y/b.pgm"}), "x/a.pgm\ny/b.pgm\n");
  // Who joins by the line of a list must be told.
  const Args args{"encode", "--vocabulary", "v.safetensors", "--list", "-", "-o", "l.npy"};
  EXPECT_THAT(RunProgram(args, "x/a.pgm\ny/b.pgm\nx/a.pgm\n").err,
              HasSubstr("note: 1 input was given more than once and counted once\n"));
}

TEST_F(EncodeInputs, AListOfFiles) {
  WriteFile("list.txt", "in/p0002.pgm\r\n\nin/p0001.pgm\n");
  EXPECT_EQ(Names({"--list", "list.txt"}), "in/p0002.pgm\nin/p0001.pgm\n");
  EXPECT_EQ(Names({"in/p0000.pgm", "--list", "list.txt"}),
            "in/p0000.pgm\nin/p0002.pgm\nin/p0001.pgm\n");
  const Result piped =
      RunProgram(EncodeArgs({"--list", "-", "-o", "l.npy"}), "in/p0004.pgm\nmissing.pgm\n");
  EXPECT_EQ(piped.exit_code, 3);
  EXPECT_THAT(piped.err, HasSubstr("missing.pgm"));
  EXPECT_EQ(ReadFile("l.npy.names.txt"), "in/p0004.pgm\n");
}

TEST_F(EncodeInputs, AListMayHaveAByteOrderMark) {
  WriteFile("list.txt", "\xef\xbb\xbfin/p0002.pgm\r\nin/p0001.pgm\r\n");
  EXPECT_EQ(Names({"--list", "list.txt"}), "in/p0002.pgm\nin/p0001.pgm\n");
}

// What `find -print0` writes; names with line ends are what it is for.
TEST_F(EncodeInputs, PathsOfAListMayEndInNulBytes) {
  fs::rename("in/p0001.pgm", "in/p\n1.pgm");
  const std::string list = std::string("in/p0002.pgm\0in/p\n1.pgm\0", 24);
  WriteFile("list.txt", list);
  EXPECT_EQ(Names({"--list", "list.txt", "--null"}), "in/p0002.pgm\nin/p\\x0a1.pgm\n");
  Succeed(EncodeArgs({"-0", "--list", "-", "-o", "piped.npy"}), list);
  EXPECT_EQ(ReadFile("piped.npy.names.txt"), "in/p0002.pgm\nin/p\\x0a1.pgm\n");
  EXPECT_THAT(FailEncode({"in", "--null", "-o", "o.npy"}, 2), HasSubstr("--list"));
}

TEST_F(EncodeInputs, NulBytesInAListAreRefusedByEveryCommand) {
  WriteFile("list.txt", std::string("in/p0002.pgm\nin\0x\n", 18));
  const std::string sentence =
      "alcedo: list.txt: line 2 has a NUL byte; if NUL bytes separate its paths, add --null\n";
  const Args list{"--list", "list.txt"};
  EXPECT_EQ(FailEncode(list + Args{"-o", "o.npy"}, 1), sentence);
  EXPECT_EQ(Fail(Args{"learn", "-o", "o.safetensors"} + list, 1), sentence);
  EXPECT_EQ(Fail(Args{"weights", "-o", "maps"} + list, 1), sentence);
  EXPECT_THAT(Fail(EncodeArgs({"--list", "-", "-o", "o.npy"}), 1, ReadFile("list.txt")),
              HasSubstr("standard input: line 2 has a NUL byte"));
}

TEST_F(EncodeInputs, AListInUtf16IsRefused) {
  std::string list;
  for (const char c : std::string("in/p0002.pgm\n")) list += {c, '\0'};
  for (const std::string mark : {"", "\xff\xfe"}) {
    WriteFile("list.txt", mark + list);
    EXPECT_THAT(FailEncode({"--list", "list.txt", "-o", "o.npy"}, 1),
                HasSubstr("list.txt: is UTF-16 text, and UTF-8 is needed"));
  }
}

TEST_F(EncodeInputs, AFolderMountedInsideItselfIsEnteredOnce) {
  fs::create_directory("in/again");
  const std::string script = "mount --bind in in/again && exec \"$0\" \"$@\"";
  if (RunCommand({"unshare", "--mount", "sh", "-c", "mount --bind in in/again"}).exit_code != 0) {
    GTEST_SKIP() << "folders cannot be mounted here";
  }
  const Result result = RunCommand(Args{"unshare", "--mount", "sh", "-c", script, ALCEDO_PROGRAM} +
                                   EncodeArgs({"in", "-o", "o.npy"}));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  std::string names;
  for (int i = 0; i < 7; ++i) names += "p000" + std::to_string(i) + ".pgm\n";
  EXPECT_EQ(ReadFile("o.npy.names.txt"), names);
}

// Such as lost+found, which every ext4 disk has.
TEST_F(EncodeInputs, AFolderThatMayNotBeReadIsListedAndCostsNothingElse) {
  fs::create_directory("in/closed");
  fs::permissions("in/closed", fs::perms::none);
  std::string names;
  for (int i = 0; i < 7; ++i) names += "p000" + std::to_string(i) + ".pgm\n";
  const auto expect_listed = [](const Result& result) {
    EXPECT_EQ(result.exit_code, 3);
    EXPECT_THAT(result.err, AllOf(HasSubstr("1 of 8 images was bad"),
                                  HasSubstr("closed/: cannot be read: Permission denied")));
  };
  expect_listed(RunUnprivileged(EncodeArgs({"in", "-o", "o.npy"})));
  EXPECT_EQ(ReadFile("o.npy.names.txt"), names);
  for (int run = 0; run < 2; ++run) {  // the second resumes the first
    expect_listed(RunUnprivileged(EncodeArgs({"in", "-o", "store/"})));
    EXPECT_THAT(ReadFile("store/failures.csv"), HasSubstr("closed/,"));
  }
  expect_listed(RunUnprivileged(SmallLearn("in", "w.safetensors")));
  expect_listed(RunUnprivileged({"weights", "in", "-o", "maps", "--emk-outputs", "64", "-q"}));
  EXPECT_TRUE(fs::exists("maps/p0006.pgm.weights.png"));
  WriteFile("list.txt", "in/p0000.pgm\nin/closed\n");
  const Result list = RunUnprivileged(EncodeArgs({"--list", "list.txt", "-o", "l.npy"}));
  EXPECT_EQ(list.exit_code, 3);
  EXPECT_THAT(list.err, AllOf(HasSubstr("1 of 2 images was bad"), HasSubstr("in/closed: cannot")));

  const Result alone = RunUnprivileged(EncodeArgs({"in/closed", "-o", "alone.npy"}));
  EXPECT_EQ(alone.exit_code, 1);
  EXPECT_EQ(alone.err, "alcedo: in/closed: cannot be listed: Permission denied\n");
  fs::permissions("in/closed", fs::perms::owner_all);
}

// Names may be listed, and nothing else.
TEST_F(EncodeInputs, FilesThatMayNotBeLookedAtAreListed) {
  WriteFile("in/closed/a.pgm", Pgm(30, 30, 1));
  fs::permissions("in/closed", fs::perms::all);
  fs::permissions("in/closed",
                  fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec,
                  fs::perm_options::remove);
  const Result result = RunUnprivileged(EncodeArgs({"in", "-o", "o.npy"}));
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr("closed/a.pgm: cannot be read: Permission denied"));
  fs::permissions("in/closed", fs::perms::owner_all);
}

// The system opens no path of more than 4,096 bytes, but folders can be deeper than that.
TEST_F(EncodeInputs, WhatLiesTooDeepIsListed) {
  const std::string name(250, 'd');
  const int here = open(".", O_RDONLY | O_DIRECTORY);
  ASSERT_EQ(chdir("in"), 0);
  for (int depth = 0; depth < 18; ++depth) {
    ASSERT_EQ(mkdir(name.c_str(), 0777), 0);
    ASSERT_EQ(chdir(name.c_str()), 0);
    WriteFile("a.pgm", Pgm(30, 30, 1));
  }
  ASSERT_EQ(fchdir(here), 0);
  close(here);
  const Result result = RunEncode({"in", "-o", "o.npy"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr("cannot be read: File name too long"));
  // 7 images, and those of 16 folders, whose paths have up to 3 + 16 * 251 + 5 bytes.
  EXPECT_EQ(ParseNpy(ReadFile("o.npy")).shape[0], 7u + 16u);
  RunCommand({"rm", "-r", "in/" + name});
}

TEST_F(EncodeInputs, NamesOfAnyBytes) {
  WriteFile("odd/a\nb,\"c\xff.pgm", Pgm(30, 30, 1));
  EXPECT_EQ(Names({"odd"}), "a\\x0ab,\"c\\xff.pgm\n");
  SucceedEncode({"odd", "-o", "store/"});
  EXPECT_THAT(ReadFile("store/index.csv"), HasSubstr("\"a\\x0ab,\"\"c\\xff.pgm\",0,0,"));
}

TEST_F(EncodeInputs, NothingIsWrittenOverAnInput) {
  EXPECT_THAT(FailEncode({"in", "-o", "in"}, 1), HasSubstr("write somewhere else"));
  EXPECT_THAT(FailEncode({"in/p0000.pgm", "-o", "."}, 1), HasSubstr("write somewhere else"));
  WriteFile("tokens/a.npy", Npy(RandomRows(20, 3, 1)));
  Succeed({"learn", "tokens", "-o", "t.safetensors", "--gaussians", "2", "--pca-dimensions", "0",
           "--quiet"});
  EXPECT_THAT(
      Fail({"encode", "tokens/a.npy", "--vocabulary", "t.safetensors", "-o", "tokens/a.npy"}, 1),
      HasSubstr("write somewhere else"));
  fs::copy_file("v.safetensors", "v.npy");
  EXPECT_THAT(Fail({"encode", "in", "--vocabulary", "v.npy", "-o", "v.npy"}, 1),
              HasSubstr("--vocabulary 'v.npy'"));
  fs::copy_file("in/p0000.pgm", "in/p.safetensors");  // pictures are told by their bytes
  EXPECT_THAT(
      Fail({"learn", "in/p.safetensors", "--descriptor", "sift", "-o", "in/p.safetensors"}, 1),
      HasSubstr("write somewhere"));
}

// An output inside of an input folder is no input the next time.
TEST_F(EncodeInputs, OutputsAreNotInputs) {
  WriteFile("tokens/a.npy", Npy(RandomRows(20, 3, 1)));
  Succeed({"learn", "tokens", "-o", "t.safetensors", "--gaussians", "2", "--pca-dimensions", "0",
           "--quiet"});
  for (int i = 0; i < 2; ++i) {
    Succeed({"encode", "tokens", "--vocabulary", "t.safetensors", "-o", "tokens/store", "--quiet"});
    EXPECT_EQ(FilesBelow("tokens/store").count("shard-000000.npy"), 1u);
    EXPECT_EQ(FilesBelow("tokens/store").count("shard-000001.npy"), 0u);
  }
}

// Bags of words of descriptors from elsewhere, cell by cell, counted by hand.
TEST_F(EncodeInputs, ExternalDescriptorsWithPositionsAndAPyramid) {
  std::vector<std::pair<Table, Table>> images;
  for (unsigned i = 0; i < 3; ++i) {
    Table rows = RandomRows(40, 3, 70 + i), positions = RandomRows(40, 2, 80 + i);
    for (Row& position : positions) {
      for (double& x : position) x = static_cast<float>(std::abs(x) - std::floor(std::abs(x)));
    }
    images.emplace_back(rows, positions);
    WriteFile("tokens/" + std::to_string(i) + ".npz",
              Npz({{"descriptors", Npy(rows)}, {"positions", Npy(positions)}}));
  }
  Succeed({"learn", "tokens", "--kind", "kmeans", "--clusters", "4", "--pca-dimensions", "0", "-o",
           "t.safetensors", "--quiet"});
  const std::string file = ReadFile("t.safetensors");
  std::uint64_t size = 0;
  std::memcpy(&size, file.data(), 8);
  const nlohmann::json offsets = Json(file.substr(8, size))["kmeans.centers"]["data_offsets"];
  std::vector<float> centers(12);
  std::memcpy(centers.data(), file.data() + 8 + size + offsets[0].get<std::size_t>(), 48);

  Succeed({"encode", "tokens", "--vocabulary", "t.safetensors", "--encoder", "bov", "--pooling",
           "sum", "--pyramid", "1,3x1", "-o", "out.npy", "--quiet"});
  Row expected;
  for (const auto& [rows, positions] : images) {
    Row histogram(4 * 4);
    for (std::size_t n = 0; n < rows.size(); ++n) {
      std::size_t word = 0;
      double least = 1e9;
      for (std::size_t k = 0; k < 4; ++k) {
        double distance = 0;
        for (std::size_t d = 0; d < 3; ++d) {
          distance += (rows[n][d] - centers[k * 3 + d]) * (rows[n][d] - centers[k * 3 + d]);
        }
        if (distance < least) {
          least = distance;
          word = k;
        }
      }
      const auto strip = static_cast<std::size_t>(positions[n][1] * 3);
      histogram[word] += 1;
      histogram[4 * (1 + strip) + word] += 1;
    }
    expected.insert(expected.end(), histogram.begin(), histogram.end());
  }
  EXPECT_EQ(ParseNpy(ReadFile("out.npy")).values, expected);
  // Without positions there are no cells.
  WriteFile("plain/a.npy", Npy(RandomRows(10, 3, 1)));
  EXPECT_THAT(Fail({"encode", "plain/a.npy", "--vocabulary", "t.safetensors", "--pyramid", "1,3x1",
                    "-o", "plain.npy"},
                   1),
              HasSubstr("positions"));
}

}  // namespace
}  // namespace end_to_end
