// Files that NumPy itself writes and reads. Every value follows from its place by one formula,
// written once in Python and once here.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "alcedo/base/types.h"
#include "alcedo/io/array_reader.h"
#include "alcedo/io/array_writer.h"
#include "alcedo/io/io_testing.h"

namespace alcedo {
namespace {

using io_testing::Bytes;
using io_testing::TemporaryFolder;
using io_testing::WriteFile;
using ::testing::ElementsAre;

// Exact in half precision; differs from place to place.
double Value(Index i) { return static_cast<double>(i * 37 % 201 - 100) / 4; }

class NumPy : public ::testing::Test {
 protected:
  void SetUp() override {
    if (std::system("/usr/bin/python3 -c 'import numpy' >/dev/null 2>&1") != 0) {
      GTEST_SKIP() << "skipped: files of NumPy, since /usr/bin/python3 has none";
    }
  }

  // Runs a script in the folder; `value(shape)` is the array of Value() in C order.
  void Run(const std::string& script) {
    WriteFile(folder_ / "script.py",
              "import numpy as np\n"
              "def value(*shape):\n"
              "    i = np.arange(np.prod(shape, dtype=int))\n"
              "    return ((i * 37 % 201 - 100) / 4).reshape(shape)\n" +
                  script);
    const std::string command =
        "cd '" + folder_.path().string() + "' && /usr/bin/python3 script.py";
    ASSERT_EQ(std::system(command.c_str()), 0);
  }

  static void ExpectValues(const ArrayReader& reader, std::size_t array, Index count) {
    const std::vector<double> values = reader.ReadDoubles(array);
    ASSERT_EQ(static_cast<Index>(values.size()), count);
    const Rows rows = reader.ReadRows(array);
    for (Index i = 0; i < count; ++i) {
      ASSERT_EQ(values[i], Value(i)) << i;
      ASSERT_EQ(rows.data()[i], Value(i)) << i;
    }
  }

  TemporaryFolder folder_;
};

TEST_F(NumPy, EveryFloatTypeByteOrderLayoutAndShape) {
  Run(R"(
for t in ('<f2', '<f4', '<f8', '>f2', '>f4', '>f8'):
    name = t.replace('<', 'l').replace('>', 'b')
    np.save(name + 'c', value(50, 21).astype(t))
    np.save(name + 'f', np.asfortranarray(value(50, 21).astype(t)))
    np.save(name + '3', np.asfortranarray(value(5, 10, 21).astype(t)))
    np.save(name + 's', np.repeat(value(50, 21).astype(t), 2, axis=1)[:, ::2])
    np.save(name + 'r', value(50, 21).astype(t)[::-1][::-1].T.copy().T)
)");
  for (const std::string order : {"l", "b"}) {
    for (const std::string type : {"f2", "f4", "f8"}) {
      for (const std::string layout : {"c", "f", "3", "s", "r"}) {
        SCOPED_TRACE(order + type + layout);
        const ArrayReader reader = ArrayReader::Open(folder_ / (order + type + layout + ".npy"));
        EXPECT_EQ(reader.arrays()[0].shape.back(), 21);
        EXPECT_EQ(reader.arrays()[0].shape.size(), layout == "3" ? 3u : 2u);
        ExpectValues(reader, 0, 50 * 21);
      }
    }
  }
}

TEST_F(NumPy, EveryIntegerType) {
  Run(R"(
for t in ('i1', 'i2', 'i4', 'i8', 'u1', 'u2', 'u4', 'u8', 'b1'):
    limits = [0, 1] if t == 'b1' else [np.iinfo(t).min, min(np.iinfo(t).max, 2**63 - 1)]
    info = np.array(limits, t)
    np.save(t, info)
    np.save('big' + t, info.astype('>' + t))
)");
  for (const std::string prefix : {"", "big"}) {
    const auto read = [&](const std::string& type) {
      return ArrayReader::Open(folder_ / (prefix + type + ".npy")).ReadIntegers(0);
    };
    EXPECT_THAT(read("i1"), ElementsAre(-128, 127));
    EXPECT_THAT(read("i2"), ElementsAre(-32768, 32767));
    EXPECT_THAT(read("i4"), ElementsAre(INT32_MIN, INT32_MAX));
    EXPECT_THAT(read("i8"), ElementsAre(INT64_MIN, INT64_MAX));
    EXPECT_THAT(read("u1"), ElementsAre(0, 255));
    EXPECT_THAT(read("u2"), ElementsAre(0, 65535));
    EXPECT_THAT(read("u4"), ElementsAre(0, UINT32_MAX));
    EXPECT_THAT(read("u8"), ElementsAre(0, INT64_MAX));
    EXPECT_THAT(read("b1"), ElementsAre(0, 1));
  }
}

TEST_F(NumPy, ScalarsEmptyArraysAndLaterVersions) {
  Run(R"(
np.save('scalar', np.float32(2.5))
np.save('empty', np.zeros((0, 7), 'f4'))
np.save('hollow', np.zeros((2, 0, 3), 'f8', order='F'))
for version in (1, 2, 3):
    with open(f'v{version}.npy', 'wb') as f:
        np.lib.format.write_array(f, value(6, 5).astype('f4'), version=(version, 0))
)");
  EXPECT_THAT(ArrayReader::Open(folder_ / "scalar.npy").ReadDoubles(0), ElementsAre(2.5));
  EXPECT_EQ(ArrayReader::Open(folder_ / "empty.npy").ReadRows(0).cols(), 7);
  const ArrayReader hollow = ArrayReader::Open(folder_ / "hollow.npy");
  EXPECT_THAT(hollow.arrays()[0].shape, ElementsAre(2, 0, 3));
  EXPECT_TRUE(hollow.ReadDoubles(0).empty());
  for (const std::string version : {"1", "2", "3"}) {
    ExpectValues(ArrayReader::Open(folder_ / (fmt::format("v{}.npy", version))), 0, 30);
  }
}

TEST_F(NumPy, ArchivesStoredAndCompressed) {
  Run(R"(
arrays = {}
for i in range(100):
    dtype, order = '>f8' if i % 3 else '<f4', 'F' if i % 2 else 'C'
    arrays[f'a{i}'] = np.asarray(value(i + 1, 33), dtype, order=order)
np.savez('stored', **arrays)
np.savez_compressed('compressed', **arrays)
np.savez('positional', value(3, 4), np.arange(5))
)");
  for (const std::string name : {"stored.npz", "compressed.npz"}) {
    const ArrayReader reader = ArrayReader::Open(folder_ / name);
    ASSERT_EQ(reader.arrays().size(), 100u);
    for (Index i = 0; i < 100; ++i) {
      SCOPED_TRACE(fmt::format("{} a{}", name, i));
      ExpectValues(reader, reader.Find(fmt::format("a{}", i)), (i + 1) * 33);
    }
  }
  const ArrayReader positional = ArrayReader::Open(folder_ / "positional.npz");
  ExpectValues(positional, positional.Find("arr_0"), 12);
  EXPECT_THAT(positional.ReadIntegers(positional.Find("arr_1")), ElementsAre(0, 1, 2, 3, 4));
}

TEST_F(NumPy, ReadsWhatWeWrite) {
  std::vector<float> values;
  for (Index i = 0; i < 24; ++i) values.push_back(static_cast<float>(Value(i)));
  const std::string data = Bytes(values);
  WriteFile(folder_ / "matrix.npy", NpyBytes({"", {4, 6}, ElementType::kFloat32, data}));
  WriteFile(folder_ / "deep.npy", NpyBytes({"", {2, 3, 4}, ElementType::kFloat32, data}));
  WriteFile(folder_ / "vector.npy", NpyBytes({"", {24}, ElementType::kFloat32, data}));
  WriteFile(folder_ / "scalar.npy",
            NpyBytes({"", {}, ElementType::kInt64, Bytes<std::int64_t>({-9})}));
  WriteFile(folder_ / "bytes.npy", NpyBytes({"", {2}, ElementType::kBool, std::string("\0\1", 2)}));
  Run(R"(
for name, shape in (('matrix', (4, 6)), ('deep', (2, 3, 4)), ('vector', (24,))):
    a = np.load(name + '.npy')
    assert a.dtype == np.float32 and a.shape == shape and (a == value(*shape)).all(), name
    assert np.load(name + '.npy', mmap_mode='r').offset % 64 == 0
assert np.load('scalar.npy') == -9 and np.load('scalar.npy').dtype == np.int64
assert np.load('bytes.npy').tolist() == [False, True]
)");
}

}  // namespace
}  // namespace alcedo
