#include "alcedo/io/array_reader.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cfloat>
#include <limits>
#include <thread>

#include "alcedo/base/error.h"
#include "alcedo/io/io_testing.h"

namespace alcedo {
namespace {

using io_testing::Bytes;
using io_testing::MessageOf;
using io_testing::Npy;
using io_testing::Safetensors;
using io_testing::TemporaryFolder;
using io_testing::WriteFile;
using io_testing::Zip;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

ArrayReader Reader(std::string bytes) {
  return ArrayReader::FromBytes(std::move(bytes), "bags/a.npy");
}

std::string RowsRefusal(const ArrayReader& reader) {
  return MessageOf<FormatError>([&] { reader.ReadRows(0); });
}

TEST(ArrayReader, RowsAreAllDimensionsButTheLast) {
  const std::string data = Bytes<float>({1, 2, 3, 4, 5, 6});
  const auto rows = [&](const std::string& shape) {
    return Reader(Npy("<f4", shape, data)).ReadRows(0);
  };
  EXPECT_EQ(rows("(6,)").rows(), 1);
  EXPECT_EQ(rows("(6,)").cols(), 6);
  EXPECT_EQ(rows("(2, 3)").rows(), 2);
  EXPECT_EQ(rows("(3, 1, 2)").rows(), 3);
  EXPECT_EQ(rows("(3, 1, 2)")(2, 1), 6);
  EXPECT_EQ(rows("(1, 3, 2, 1)").rows(), 6);
}

TEST(ArrayReader, NamesTheRowAndColumnOfNan) {
  std::vector<float> values(5 * 8, 1.0f);
  values[3 * 8 + 7] = std::numeric_limits<float>::quiet_NaN();
  const std::string expected =
      "bags/a.npy: row 3, column 7 is NaN; remove or replace it before pooling";
  const ArrayReader reader = Reader(Npy("<f4", "(5, 8)", Bytes(values)));
  EXPECT_EQ(RowsRefusal(reader), expected);
  EXPECT_EQ(MessageOf<FormatError>([&] { reader.ReadDoubles(0); }), expected);
  EXPECT_EQ(RowsRefusal(Reader(Npy("<f4", "(5, 2, 4)", Bytes(values)))),
            "bags/a.npy: item 3, row 1, column 3 is NaN; remove or replace it before pooling");
  EXPECT_EQ(RowsRefusal(Reader(Npy("<f4", "(40,)", Bytes(values)))),
            "bags/a.npy: entry 31 is NaN; remove or replace it before pooling");
  EXPECT_EQ(RowsRefusal(Reader(Npy("<f4", "()", Bytes<float>({values[31]})))),
            "bags/a.npy: the value is NaN; remove or replace it before pooling");
}

TEST(ArrayReader, NamesThePlaceInFortranOrderAsNumPyWouldIndexIt) {
  std::vector<double> columns(3 * 2, 1.0);
  columns[1 * 3 + 2] = kInfinity;  // row 2 of column 1
  EXPECT_EQ(RowsRefusal(Reader(Npy("<f8", "(3, 2)", Bytes(columns), true))),
            "bags/a.npy: row 2, column 1 is infinite; remove or replace it before pooling");
}

TEST(ArrayReader, FindsABadValueAnywhereInALargeArray) {
  for (const std::size_t place : {0u, 4095u, 4096u, 9999u}) {
    std::vector<float> values(10'000, 0.5f);
    values[place] = -std::numeric_limits<float>::infinity();
    EXPECT_THAT(RowsRefusal(Reader(Npy("<f4", "(10000, 1)", Bytes(values)))),
                HasSubstr("row " + std::to_string(place) + ", column 0 is infinite"));
  }
}

TEST(ArrayReader, DoublesMustFitFloatOnlyAsRows) {
  const ArrayReader reader = Reader(Npy("<f8", "(1, 2)", Bytes<double>({1, -1e300})));
  EXPECT_EQ(
      RowsRefusal(reader),
      "bags/a.npy: row 0, column 1 is -1e+300, beyond the range of float; remove or replace it "
      "before pooling");
  EXPECT_THAT(reader.ReadDoubles(0), ElementsAre(1, -1e300));
  EXPECT_EQ(Reader(Npy("<f8", "(1,)", Bytes<double>({FLT_MAX}))).ReadRows(0)(0, 0), FLT_MAX);
  EXPECT_THAT(RowsRefusal(Reader(Npy("<f8", "(1,)", Bytes<double>({kNan})))), HasSubstr("is NaN"));
  EXPECT_THAT(RowsRefusal(Reader(Npy("<f2", "(1,)", Bytes<std::uint16_t>({0x7c00})))),
              HasSubstr("is infinite"));
}

TEST(ArrayReader, NamesTheArrayWhereThereAreSeveral) {
  const std::string npy = Npy("<f8", "(1, 1)", Bytes<double>({kNan}));
  for (const bool deflate : {false, true}) {
    EXPECT_EQ(RowsRefusal(ArrayReader::FromBytes(Zip({{"x.npy", npy, deflate}}), "b.npz")),
              "b.npz: array 'x': row 0, column 0 is NaN; remove or replace it before pooling");
  }
  const std::string header = R"({"y":{"dtype":"F64","shape":[1,1],"data_offsets":[0,8]}})";
  EXPECT_EQ(RowsRefusal(ArrayReader::FromBytes(Safetensors(header, Bytes<double>({kNan})), "c")),
            "c: array 'y': row 0, column 0 is NaN; remove or replace it before pooling");
}

TEST(ArrayReader, KindsAreNotMixed) {
  const ArrayReader integers = Reader(Npy("<i8", "(2, 3)", std::string(48, '\0')));
  const std::string not_floating =
      "bags/a.npy: shape (2, 3) of int64 is not floating-point; save the array as float32";
  EXPECT_EQ(RowsRefusal(integers), not_floating);
  EXPECT_EQ(MessageOf<FormatError>([&] { integers.ReadDoubles(0); }), not_floating);
  const ArrayReader floats = Reader(Npy("<f4", "(1,)", std::string(4, '\0')));
  EXPECT_EQ(MessageOf<FormatError>([&] { floats.ReadIntegers(0); }),
            "bags/a.npy: shape (1,) of float32 is not an integer array; save the array as int64");
}

TEST(ArrayReader, IntegersMustFitInt64) {
  const std::uint64_t big = std::uint64_t{1} << 63;
  EXPECT_EQ(MessageOf<FormatError>([&] {
              Reader(Npy("<u8", "(2, 1)", Bytes<std::uint64_t>({1, big}))).ReadIntegers(0);
            }),
            "bags/a.npy: row 1, column 0 is 9223372036854775808, beyond the range of int64");
}

TEST(ArrayReader, FindListsTheNames) {
  const std::string npy = Npy("<f4", "()", "1234");
  const ArrayReader two = ArrayReader::FromBytes(Zip({{"a.npy", npy}, {"b.npy", npy}}), "b.npz");
  EXPECT_EQ(two.Find("b"), 1u);
  EXPECT_EQ(MessageOf<FormatError>([&] { two.Find("c"); }),
            "b.npz: has no array 'c', only 'a', 'b'");
  std::vector<io_testing::ZipSpec> many;
  for (int i = 0; i < 30; ++i) many.push_back({fmt::format("n{}.npy", i), npy});
  EXPECT_THAT(MessageOf<FormatError>([&] { ArrayReader::FromBytes(Zip(many), "b").Find("c"); }),
              HasSubstr("'n19' and 10 more"));
  EXPECT_EQ(MessageOf<InvalidArgument>([&] { two.ReadRows(2); }),
            "b.npz: array number 2 is asked for, but there are 2");
  EXPECT_THAT(
      MessageOf<FormatError>([] { ArrayReader::FromBytes(Safetensors("{}", ""), "c").Find("x"); }),
      HasSubstr("only none"));
}

TEST(ArrayReader, RefusesOtherFiles) {
  const auto refusal = [](const std::string& bytes) {
    return MessageOf<FormatError>([&] { ArrayReader::FromBytes(bytes, "x"); });
  };
  EXPECT_EQ(refusal(""), "x: is empty");
  EXPECT_EQ(refusal("hello, world"), "x: is neither a .npy, nor a .npz, nor a .safetensors file");
  EXPECT_THAT(refusal("{"), HasSubstr("neither"));
}

TEST(ArrayReader, OpensFilesByTheirContent) {
  TemporaryFolder folder;
  const auto path = folder / "bag.dat";
  WriteFile(path, Npy("<f4", "(2,)", Bytes<float>({1, 2})));
  ArrayReader reader = ArrayReader::Open(path);
  EXPECT_EQ(reader.file_name(), path.string());
  EXPECT_TRUE(reader.metadata().empty());
  const ArrayReader moved = std::move(reader);
  EXPECT_THAT(moved.ReadDoubles(0), ElementsAre(1, 2));
}

TEST(ArrayReader, MissingFilesAndFoldersAreIoErrors) {
  TemporaryFolder folder;
  const std::string missing = (folder / "none.npy").string();
  EXPECT_EQ(MessageOf<IoError>([&] { ArrayReader::Open(missing); }),
            missing + ": cannot be read: No such file or directory");
  EXPECT_EQ(MessageOf<IoError>([&] { ArrayReader::Open(folder.path()); }),
            folder.path().string() + ": is a folder, but a file is needed");
  EXPECT_EQ(MessageOf<IoError>([] { ArrayReader::Open("/dev/zero"); }),
            "/dev/zero: is a device, but a file or a pipe is needed");
}

TEST(ArrayReader, NoPermissionIsAnIoError) {
  TemporaryFolder folder;
  const auto path = folder / "secret.npy";
  WriteFile(path, "x");
  std::filesystem::permissions(folder.path(), std::filesystem::perms::all);
  std::filesystem::permissions(path, std::filesystem::perms::none);
  const io_testing::Unprivileged unprivileged;
  EXPECT_EQ(MessageOf<IoError>([&] { ArrayReader::Open(path); }),
            path.string() + ": cannot be read: Permission denied");
}

TEST(ArrayReader, ReadsAPipeToItsEnd) {
  TemporaryFolder folder;
  const auto path = folder / "pipe";
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  std::vector<float> values(50'000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  std::jthread writer([&] { WriteFile(path, Npy("<f4", "(50000,)", Bytes(values))); });
  EXPECT_EQ(ArrayReader::Open(path).ReadRows(0)(0, 49'999), 49'999);
}

TEST(ArrayReader, AFileThatShrinksIsAnIoError) {
  TemporaryFolder folder;
  const auto path = folder / "a.npy";
  WriteFile(path, Npy("<f4", "(2,)", Bytes<float>({1, 2})));
  const ArrayReader reader = ArrayReader::Open(path);
  std::filesystem::resize_file(path, 20);
  EXPECT_EQ(MessageOf<IoError>([&] { reader.ReadRows(0); }),
            path.string() + ": became shorter while it was being read");
}

}  // namespace
}  // namespace alcedo
