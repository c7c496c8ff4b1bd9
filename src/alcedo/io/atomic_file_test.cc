#include "alcedo/io/atomic_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "alcedo/base/error.h"
#include "alcedo/io/io_testing.h"

namespace alcedo {
namespace {

using io_testing::MessageOf;
using io_testing::ReadFile;
using io_testing::TemporaryFolder;
using io_testing::WriteFile;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(AtomicFile, AppearsOnCommitAndLeavesNothingElse) {
  TemporaryFolder folder;
  {
    AtomicFile file(folder / "out.npy");
    file.Write("hello, ");
    EXPECT_FALSE(std::filesystem::exists(folder / "out.npy"));
    ASSERT_EQ(folder.Names().size(), 1u);
    EXPECT_THAT(folder.Names()[0], HasSubstr(".out.npy.tmp-" + std::to_string(getpid()) + "-"));
    file.Write("world");
    file.Commit();
  }
  EXPECT_EQ(ReadFile(folder / "out.npy"), "hello, world");
  EXPECT_THAT(folder.Names(), ElementsAre("out.npy"));
}

TEST(AtomicFile, WithoutCommitNothingChanges) {
  TemporaryFolder folder;
  WriteFile(folder / "out", "old");
  {
    AtomicFile file(folder / "out");
    file.Write("new");
  }
  EXPECT_EQ(ReadFile(folder / "out"), "old");
  EXPECT_THAT(folder.Names(), ElementsAre("out"));
}

TEST(AtomicFile, ReplacesAndSeveralWritersDoNotMeet) {
  TemporaryFolder folder;
  WriteFile(folder / "out", "old");
  AtomicFile first(folder / "out"), second(folder / "out");
  first.Write("first");
  second.Write("second");
  second.Commit();
  EXPECT_EQ(ReadFile(folder / "out"), "second");
  first.Commit();
  EXPECT_EQ(ReadFile(folder / "out"), "first");
}

TEST(AtomicFile, HonoursTheUmask) {
  TemporaryFolder folder;
  const mode_t before = umask(027);
  WriteWholeFile(folder / "out", "x");
  umask(before);
  struct stat status{};
  ASSERT_EQ(stat((folder / "out").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0640u);
}

TEST(AtomicFile, ALongNameFits) {
  TemporaryFolder folder;
  const std::string name(255, 'n');
  WriteWholeFile(folder / name, "x");
  EXPECT_THAT(folder.Names(), ElementsAre(name));
}

TEST(AtomicFile, WritesTheTargetOfALink) {
  TemporaryFolder folder;
  WriteFile(folder / "target", "old");
  std::filesystem::create_symlink("target", folder / "link");
  WriteWholeFile(folder / "link", "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
  EXPECT_EQ(ReadFile(folder / "target"), "new");
}

TEST(AtomicFile, RefusesMissingFoldersFoldersAndDevices) {
  TemporaryFolder folder;
  const auto refusal = [](const std::filesystem::path& path) {
    return MessageOf<IoError>([&] { AtomicFile file(path); });
  };
  const std::string root = folder.path().string();
  EXPECT_EQ(refusal(folder / "no/out.npy"),
            root + "/no/out.npy: cannot be written: the folder " + root + "/no does not exist");
  EXPECT_EQ(refusal(folder.path()), root + ": cannot be written: it is a folder");
  EXPECT_EQ(refusal("/dev/null"), "/dev/null: cannot be written: it is not a regular file");
  EXPECT_EQ(refusal(""), "'': cannot be written: it names no file");
  WriteFile(folder / "plain", "x");
  EXPECT_THAT(refusal(folder / "plain/out"), HasSubstr("Not a directory"));
  EXPECT_THAT(folder.Names(), ElementsAre("plain"));
}

TEST(AtomicFile, NoPermissionIsAnIoError) {
  TemporaryFolder folder;
  std::filesystem::permissions(folder.path(), std::filesystem::perms(0555));
  const std::string path = (folder / "out").string();
  {
    const io_testing::Unprivileged unprivileged;
    EXPECT_EQ(MessageOf<IoError>([&] { WriteWholeFile(path, "x"); }),
              path + ": cannot be written: a file beside it cannot be created: Permission denied");
  }
  std::filesystem::permissions(folder.path(), std::filesystem::perms(0755));
}

// A limit on the size of files stands for a full disk: the same path through the code.
TEST(AtomicFile, AFailedWriteNamesTheReasonAndLeavesNothing) {
  TemporaryFolder folder;
  const std::string path = (folder / "out").string();
  rlimit limit{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &limit), 0);
  const rlimit small{1000, limit.rlim_max};
  const auto handler = signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  std::string message;
  try {
    WriteWholeFile(path, std::string(5000, 'x'));  // first a short write, then the error
  } catch (const IoError& error) {
    message = error.what();
  }
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
  signal(SIGXFSZ, handler);
  EXPECT_EQ(message, path + ": cannot be written: File too large");
  EXPECT_THAT(folder.Names(), IsEmpty());
}

TEST(AtomicFile, AFailedRenameLeavesNothing) {
  TemporaryFolder folder;
  AtomicFile file(folder / "out");
  file.Write("x");
  std::filesystem::create_directory(folder / "out");
  EXPECT_THAT(MessageOf<IoError>([&] { file.Commit(); }),
              HasSubstr("cannot be renamed: Is a directory"));
}

TEST(AtomicFile, CommitEndsIt) {
  TemporaryFolder folder;
  AtomicFile file(folder / "out");
  file.Commit();
  EXPECT_THAT(MessageOf<InvalidArgument>([&] { file.Write("x"); }), HasSubstr("after its end"));
  EXPECT_THAT(MessageOf<InvalidArgument>([&] { file.Commit(); }), HasSubstr("committed twice"));
  EXPECT_EQ(ReadFile(folder / "out"), "");
}

}  // namespace
}  // namespace alcedo
