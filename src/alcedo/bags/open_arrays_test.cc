#include "alcedo/bags/open_arrays.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "alcedo/bags/pool_bags.h"
#include "alcedo/base/error.h"
#include "alcedo/io/array_writer.h"
#include "alcedo/io/io_testing.h"

namespace alcedo {
namespace {
namespace fs = std::filesystem;

std::string Bytes(const std::vector<float>& values) { return io_testing::Bytes(values); }

class OpenArraysTest : public testing::Test {
 protected:
  std::string Put(const std::string& name, const std::string& bytes) const {
    const std::string path = (folder_.path() / name).string();
    io_testing::WriteFile(path, bytes);
    return path;
  }
  std::string PutArray(const std::string& name) const {
    return Put(name, io_testing::Npy("<f4", "(1, 2)", Bytes({1, 2})));
  }
  // How many files of the folder this process has open, as the system has it.
  std::size_t OpenHere() const {
    std::size_t count = 0;
    for (const fs::directory_entry& entry : fs::directory_iterator("/proc/self/fd")) {
      std::error_code gone;
      if (fs::read_symlink(entry.path(), gone).string().starts_with(folder_.path().string())) {
        ++count;
      }
    }
    return count;
  }

  io_testing::TemporaryFolder folder_;
};

TEST_F(OpenArraysTest, AFileIsOpenedOnce) {
  OpenArrays open;
  const std::string a = PutArray("a.npy"), b = PutArray("b.npy");
  const auto first = open.Open(a);
  EXPECT_NE(open.Open(b), first);
  EXPECT_EQ(open.Open(a), first);
}

TEST_F(OpenArraysTest, FewFilesStayOpenAndThoseUsedLast) {
  OpenArrays open(3);
  std::vector<std::string> paths;
  for (int i = 0; i < 10; ++i) paths.push_back(PutArray(std::to_string(i) + ".npy"));
  const auto first = open.Open(paths[0]);
  for (const std::string& path : paths) {
    open.Open(path);
    EXPECT_EQ(open.Open(paths[0]), first);
    EXPECT_LE(OpenHere(), 3u);
  }
  EXPECT_EQ(OpenHere(), 3u);
}

TEST_F(OpenArraysTest, WhatCannotBeOpenedIsNotTriedAgain) {
  OpenArrays open;
  const std::string path = Put("a.npy", "no array");
  EXPECT_THROW(open.Open(path), FormatError);
  PutArray("a.npy");
  EXPECT_THROW(open.Open(path), FormatError);
}

// Bytes that this process has read so far, with all reading calls.
std::uint64_t BytesRead() {
  std::ifstream stream("/proc/self/io");
  std::string name;
  std::uint64_t count = 0;
  stream >> name >> count;
  EXPECT_EQ(name, "rchar:");
  return count;
}

class ManyArrays : public OpenArraysTest {
 protected:
  static std::string Npz(int count, const std::string& descr, const std::string& shape,
                         const std::string& data) {
    std::vector<io_testing::ZipSpec> members;
    for (int i = 0; i < count; ++i) {
      members.push_back({"bag" + std::to_string(i) + ".npy", io_testing::Npy(descr, shape, data)});
    }
    return io_testing::Zip(members);
  }
  static std::string Safetensors(int count) {
    const std::string data = Bytes({1, 2, 3, 4});
    std::vector<ArrayToWrite> arrays;
    for (int i = 0; i < count; ++i) {
      arrays.push_back({"bag" + std::to_string(i), {2, 2}, ElementType::kFloat32, data});
    }
    return SafetensorsBytes(arrays, {});
  }
  // What pooling them reads.
  std::uint64_t BytesToPool(const BagJob& job, int count) const {
    const std::uint64_t before = BytesRead();
    const BagResults results = PoolBags(job, {});
    EXPECT_EQ(static_cast<int>(results.bags.size()), count);
    return BytesRead() - before;
  }
  BagJob Job(const std::string& input) const {
    BagJob job;
    job.inputs.paths = {input};
    job.pooling.pooling = SumOptions{};
    job.destination.output = (folder_.path() / "out.npy").string();
    return job;
  }
};

// Four times the arrays: four times the bytes. With a table read for each array it is sixteen
// times.
TEST_F(ManyArrays, OfOneFileAreReadInBytesThatGrowWithTheirNumber) {
  if (!fs::exists("/proc/self/io")) GTEST_SKIP() << "the system does not count bytes";
  constexpr int kFew = 100, kMany = 400;
  const std::string values = Bytes({1, 2, 3, 4});
  const auto npz = [&](int count) {
    return BytesToPool(Job(Put("a.npz", Npz(count, "<f4", "(2, 2)", values))), count);
  };
  const auto safetensors = [&](int count) {
    return BytesToPool(Job(Put("a.safetensors", Safetensors(count))), count);
  };
  const auto companions = [&](int count) {
    BagJob job = Job(Put("a.npz", Npz(count, "<f4", "(2, 2)", values)));
    job.inputs.blocks = Put("blocks.npz", Npz(count, "|i1", "(2,)", std::string("\0\1", 2)));
    job.inputs.num_blocks = 2;
    job.inputs.input_weights = Put("weights.npz", Npz(count, "<f4", "(2,)", Bytes({1, 2})));
    job.pooling.pooling = WeightedOptions{};
    return BytesToPool(job, count);
  };
  EXPECT_LT(npz(kMany), 5 * npz(kFew));
  EXPECT_LT(safetensors(kMany), 5 * safetensors(kFew));
  EXPECT_LT(companions(kMany), 5 * companions(kFew));
}

}  // namespace
}  // namespace alcedo
