#include "alcedo/io/file_bytes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <thread>

#include "alcedo/base/error.h"
#include "alcedo/io/io_testing.h"

namespace alcedo {
namespace {

using io_testing::MessageOf;
using io_testing::TemporaryFolder;
using io_testing::WriteFile;

TEST(ReadFileBytes, ReadsFilesOfAnySize) {
  const TemporaryFolder folder;
  for (const std::size_t size : {0, 1, 65535, 65536, 65537, 300000}) {
    std::string bytes(size, '\0');
    for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<char>(i * i % 251);
    WriteFile(folder / "a", bytes);
    EXPECT_EQ(ReadFileBytes(folder / "a", 1 << 20), bytes) << size;
    EXPECT_EQ(ReadFileBytes(folder / "a", static_cast<std::int64_t>(size)), bytes) << size;
  }
}

TEST(ReadFileBytes, RefusesFilesBeyondTheLimit) {
  const TemporaryFolder folder;
  const std::string path = (folder / "a").string();
  WriteFile(path, std::string(3 << 20, 'x'));
  EXPECT_EQ(MessageOf<FormatError>([&] { ReadFileBytes(path, 1 << 20); }),
            path + ": has 3 MiB, more than the 1 MiB that are read at once");
  EXPECT_EQ(MessageOf<FormatError>([&] { ReadInputFile(path, 2.5); }),
            path + ": has 3 MiB, more than the 2.5 MiB of image.max_image_memory");
  EXPECT_EQ(ReadInputFile(path, 3).size(), 3u << 20);
  // A file of a terabyte, of which the disk holds nothing: nothing of its size is allocated.
  WriteFile(path, "");
  std::filesystem::resize_file(path, std::uintmax_t{1} << 40);
  EXPECT_THROW(ReadFileBytes(path, 1 << 20), FormatError);
}

TEST(ReadFileBytes, LooksAtTheFirstBytesFirst) {
  const TemporaryFolder folder;
  const std::string path = (folder / "a").string();
  WriteFile(path, "abc" + std::string(1 << 20, 'x'));
  std::string first;
  const auto look = [&](std::string_view bytes) { first = bytes.substr(0, 3); };
  EXPECT_THROW(ReadFileBytes(path, ReadLimit{.max_bytes = 10, .check = look}), FormatError);
  EXPECT_EQ(first, "abc");
  EXPECT_EQ(ReadFileBytes(path, ReadLimit{.max_bytes = 2 << 20, .check = look}).size(),
            3u + (1 << 20));
}

TEST(ReadFileBytes, SaysWhatIsNotAFile) {
  const TemporaryFolder folder;
  const std::string missing = (folder / "missing").string();
  EXPECT_EQ(MessageOf<IoError>([&] { ReadFileBytes(missing, 10); }),
            missing + ": cannot be read: No such file or directory");
  try {
    ReadFileBytes(missing, 10);
  } catch (const IoError& error) {
    EXPECT_EQ(error.file(), missing);
    EXPECT_EQ(error.reason(), "cannot be read: No such file or directory");
  }
  EXPECT_EQ(MessageOf<IoError>([&] { ReadFileBytes(folder.path(), 10); }),
            folder.path().string() + ": is a folder, but a file is needed");
  EXPECT_EQ(MessageOf<IoError>([&] { ReadFileBytes("/dev/zero", 10); }),
            "/dev/zero: is a device, but a file or a pipe is needed");
}

TEST(ReadFileBytes, ReadsPipesToTheirEnd) {
  const TemporaryFolder folder;
  const std::string path = (folder / "pipe").string();
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  const std::string bytes(20000, 'p');
  const auto with_writer = [&](auto read) {
    std::thread writer([&] { WriteFile(path, bytes); });
    read();
    writer.join();
  };
  with_writer([&] { EXPECT_EQ(ReadFileBytes(path, 1 << 20), bytes); });
  std::string first;
  const auto look = [&](std::string_view start) { first = start; };
  with_writer([&] { ReadFileBytes(path, ReadLimit{.max_bytes = 1 << 20, .check = look}); });
  EXPECT_EQ(first, bytes);
  with_writer([&] { EXPECT_THROW(ReadFileBytes(path, 100), FormatError); });
  // Nobody writes: it must not wait.
  const ReadLimit no_pipes{.max_bytes = 10, .pipes = false};
  EXPECT_EQ(MessageOf<IoError>([&] { ReadFileBytes(path, no_pipes); }),
            path + ": is a pipe, but a file is needed");
}

}  // namespace
}  // namespace alcedo
