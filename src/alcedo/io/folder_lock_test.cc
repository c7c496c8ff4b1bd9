#include "alcedo/io/folder_lock.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "alcedo/base/error.h"
#include "alcedo/io/io_testing.h"

namespace alcedo {
namespace {

using io_testing::MessageOf;
using io_testing::TemporaryFolder;
using ::testing::HasSubstr;

TEST(FolderLock, IsHeldByOneAtATime) {
  TemporaryFolder folder;
  std::optional<FolderLock> first(folder.path());
  EXPECT_THAT(MessageOf<InvalidArgument>([&] { FolderLock second(folder.path()); }),
              HasSubstr("is in use by another run"));
  EXPECT_THAT(MessageOf<InvalidArgument>([&] { FolderLock second(folder.path()); }),
              HasSubstr(folder.path().string()));
  first.reset();
  const FolderLock after(folder.path());
}

TEST(FolderLock, NeedsAFolder) {
  TemporaryFolder folder;
  EXPECT_THAT(MessageOf<IoError>([&] { FolderLock lock(folder / "none"); }),
              HasSubstr("cannot write to it"));
}

}  // namespace
}  // namespace alcedo
