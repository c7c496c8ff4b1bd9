#include "alcedo/io/npz.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "alcedo/base/error.h"
#include "alcedo/io/array_reader.h"
#include "alcedo/io/io_testing.h"

namespace alcedo {
namespace {

using io_testing::Bytes;
using io_testing::Little;
using io_testing::MessageOf;
using io_testing::Npy;
using io_testing::Zip;
using io_testing::ZipSpec;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

ArrayReader Reader(std::string bytes) { return ArrayReader::FromBytes(std::move(bytes), "b.npz"); }

std::string OpenRefusal(const std::string& bytes) {
  return MessageOf<FormatError>([&] { Reader(bytes); });
}

std::string ReadRefusal(const std::string& bytes) {
  const ArrayReader reader = Reader(bytes);
  return MessageOf<FormatError>([&] { reader.ReadDoubles(0); });
}

const std::string& Floats() {
  static const std::string file = Npy("<f4", "(2, 2)", Bytes<float>({1, 2, 3, 4}));
  return file;
}

TEST(Npz, ReadsEveryLayoutOfMembers) {
  for (const bool deflate : {false, true}) {
    for (const bool zip64 : {false, true}) {
      for (const bool descriptor : {false, true}) {
        for (const bool end64 : {false, true}) {
          ZipSpec a{"a.npy", Floats(), deflate},
              b{"sub/b.npy", Npy("<i8", "(1,)", Bytes<std::int64_t>({9})), deflate};
          a.zip64 = b.zip64 = zip64;
          a.data_descriptor = b.data_descriptor = descriptor;
          const ArrayReader reader = Reader(Zip({a, b}, end64, "a comment"));
          ASSERT_EQ(reader.arrays().size(), 2u);
          EXPECT_EQ(reader.arrays()[0].name, "a");
          EXPECT_EQ(reader.arrays()[1].name, "sub/b");
          EXPECT_THAT(reader.ReadDoubles(reader.Find("a")), ElementsAre(1, 2, 3, 4));
          EXPECT_EQ(reader.ReadRows(0)(1, 0), 3);
          EXPECT_THAT(reader.ReadIntegers(1), ElementsAre(9));
        }
      }
    }
  }
}

TEST(Npz, AZip64FieldHoldsOnlyWhatDidNotFit) {
  ZipSpec b{"b.npy", Floats(), true};
  b.zip64_offset = true;
  const ArrayReader reader = Reader(Zip({{"a.npy", Floats()}, b}));
  EXPECT_THAT(reader.ReadDoubles(1), ElementsAre(1, 2, 3, 4));
}

TEST(Npz, LargeMembersInflateInPieces) {
  std::vector<double> values(100'000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i * i % 1009) / 7;
  for (const bool deflate : {false, true}) {
    const std::string content = Npy("<f8", "(100000,)", Bytes(values));
    EXPECT_EQ(Reader(Zip({{"x.npy", content, deflate}})).ReadDoubles(0), values);
  }
}

TEST(Npz, OtherMembersAreIgnored) {
  ZipSpec readme{"README.txt", "hello"};
  readme.method = 99;  // not even looked at
  EXPECT_EQ(Reader(Zip({readme, {"a.npy", Floats()}})).arrays().size(), 1u);
  EXPECT_EQ(OpenRefusal(Zip({readme})), "b.npz: the zip holds no .npy member, so it is not a .npz");
  EXPECT_EQ(OpenRefusal(Zip({})), "b.npz: the zip holds no .npy member, so it is not a .npz");
}

TEST(Npz, ObjectArraysAreRefusedWhenRead) {
  const ArrayReader reader =
      Reader(Zip({{"names.npy", Npy("|O", "(3,)", "pickle")}, {"a.npy", Floats()}}));
  EXPECT_EQ(reader.arrays()[0].type, ElementType::kUnsupported);
  EXPECT_THAT(reader.ReadDoubles(1), ElementsAre(1, 2, 3, 4));
  const std::string expected =
      "b.npz: array 'names': dtype '|O' holds Python objects, which are not read because that "
      "would "
      "run code; save the array as numbers, e.g. as float32";
  EXPECT_EQ(MessageOf<FormatError>([&] { reader.ReadRows(0); }), expected);
  EXPECT_EQ(MessageOf<FormatError>([&] { reader.ReadDoubles(0); }), expected);
  EXPECT_EQ(MessageOf<FormatError>([&] { reader.ReadIntegers(0); }), expected);
}

TEST(Npz, RefusesEncryptionAndUnknownCompression) {
  ZipSpec encrypted{"a.npy", Floats()};
  encrypted.flags = 1;
  EXPECT_EQ(
      OpenRefusal(Zip({encrypted})),
      "b.npz: member 'a.npy': is encrypted, which is not supported; save it without a password");
  ZipSpec lzma{"a.npy", Floats()};
  lzma.method = 14;
  EXPECT_EQ(
      OpenRefusal(Zip({lzma})),
      "b.npz: member 'a.npy': is compressed by method 14, which is not supported; save it with "
      "numpy.savez or numpy.savez_compressed");
}

TEST(Npz, ChecksTheChecksum) {
  for (const bool deflate : {false, true}) {
    ZipSpec spec{"a.npy", Floats(), deflate};
    spec.crc = 12345;
    EXPECT_EQ(ReadRefusal(Zip({spec})),
              "b.npz: member 'a.npy': its checksum is wrong; the file is damaged");
  }
}

TEST(Npz, ALyingSizeAllocatesNothing) {
  const std::int64_t claim = std::int64_t{1} << 60;
  for (const bool deflate : {false, true}) {
    ZipSpec spec{"a.npy", Npy("<f4", "(288230376151711712,)", "1234"), deflate};
    spec.zip64 = true;
    spec.size = claim;
    EXPECT_THAT(OpenRefusal(Zip({spec})),
                HasSubstr(deflate ? "more than deflate can hold" : "yet the zip gives two sizes"));
    spec.compressed_size = claim;
    EXPECT_EQ(
        OpenRefusal(Zip({spec})),
        "b.npz: member 'a.npy': the zip claims 1152921504606846976 bytes for it, more than the "
        "file has");
  }
}

TEST(Npz, TheHeaderInsideAndTheDirectoryMustAgree) {
  EXPECT_EQ(
      OpenRefusal(Zip({{"a.npy", Npy("<f4", "(3,)", "12345678"), true}})),
      "b.npz: array 'a': is truncated: shape (3,) of float32 needs 12 bytes of data, but 8 are "
      "there");
  EXPECT_THAT(OpenRefusal(Zip({{"a.npy", Npy("<f4", "(1,)", "12345678"), true}})),
              HasSubstr("has 4 bytes after its data"));
  // Directory and header agree on a size that the compressed data does not have.
  const std::string honest = Npy("<f4", "(2,)", "12345678");
  ZipSpec less{"a.npy", Npy("<f4", "(4,)", "12345678"), true};
  less.size = static_cast<std::int64_t>(honest.size()) + 8;
  EXPECT_EQ(ReadRefusal(Zip({less})),
            "b.npz: member 'a.npy': inflates to " + std::to_string(honest.size()) +
                " bytes, but the zip claims " + std::to_string(honest.size() + 8));
  ZipSpec more{"a.npy", Npy("<f4", "(1,)", "12345678"), true};
  more.size = static_cast<std::int64_t>(honest.size()) - 4;
  EXPECT_THAT(ReadRefusal(Zip({more})), HasSubstr("inflates to more than the"));
}

TEST(Npz, DamagedCompressedDataIsRefused) {
  std::vector<float> values(1000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i * 31 % 977);
  std::string file = Zip({{"a.npy", Npy("<f4", "(1000,)", Bytes(values)), true}});
  const std::size_t middle = file.size() / 2;
  for (std::size_t i = 0; i < 16; ++i) file[middle + i] = static_cast<char>(0xff);
  EXPECT_THAT(ReadRefusal(file), HasSubstr("b.npz: member 'a.npy': "));
}

TEST(Npz, MembersThatAreNotNpyInsideAreRefused) {
  EXPECT_EQ(OpenRefusal(Zip({{"a.npy", "something else"}})),
            "b.npz: array 'a': does not begin with the magic string of a .npy");
  EXPECT_THAT(OpenRefusal(Zip({{"a.npy", ""}})), HasSubstr("is cut short"));
  EXPECT_THAT(OpenRefusal(Zip({{"a.npy", Floats().substr(0, 30), true}})),
              HasSubstr("b.npz: array 'a': is truncated: the .npy header ends at byte"));
}

TEST(Npz, NamesMustBeUniqueAndPlacesDistinct) {
  EXPECT_EQ(OpenRefusal(Zip({{"a.npy", Floats()}, {"a.npy", Floats()}})),
            "b.npz: the zip holds 'a.npy' twice");
  ZipSpec elsewhere{"a.npy", Floats()};
  elsewhere.local_name = "b.npy";
  EXPECT_EQ(OpenRefusal(Zip({elsewhere})),
            "b.npz: member 'a.npy': the zip's directory points to something else");
  // The first member swallows the second.
  ZipSpec outer{"a.npy", Floats()}, second{"b.npy", Floats()};
  outer.size = outer.compressed_size = static_cast<std::int64_t>(2 * Floats().size());
  EXPECT_EQ(OpenRefusal(Zip({outer, second})), "b.npz: members of the zip overlap");
}

TEST(Npz, EveryPrefixIsRefused) {
  const std::string file = Zip({{"a.npy", Floats(), true}}, true);
  for (std::size_t size = 9; size < file.size(); ++size) {
    EXPECT_EQ(OpenRefusal(file.substr(0, size)),
              "b.npz: is truncated: the zip has no central directory at its end")
        << size;
  }
  EXPECT_THAT(OpenRefusal(file + "x"), HasSubstr("no central directory at its end"));
}

TEST(Npz, RefusesDamagedDirectories) {
  const std::string file = Zip({{"a.npy", Floats()}});
  const std::size_t end = file.size() - 22;
  const auto with = [&](std::size_t position, std::uint64_t value, int size) {
    std::string changed = file;
    changed.replace(position, static_cast<std::size_t>(size), Little(value, size));
    return OpenRefusal(changed);
  };
  EXPECT_THAT(with(end + 4, 1, 2), HasSubstr("several disks"));
  EXPECT_THAT(with(end + 10, 2000, 2), HasSubstr("2000 entries"));
  EXPECT_THAT(with(end + 12, 1 << 30, 4), HasSubstr("does not fit the file"));
  EXPECT_THAT(with(end + 16, 1 << 30, 4), HasSubstr("does not fit the file"));
  EXPECT_THAT(with(end + 16, 0, 4), HasSubstr("central directory is damaged"));
  EXPECT_THAT(with(end + 16, 0xffffffff, 4), HasSubstr("ZIP64 locator is missing"));
  const std::size_t entry = file.find("PK\1\2");
  EXPECT_THAT(with(entry + 28, 60000, 2), HasSubstr("central directory is cut short"));
  EXPECT_THAT(with(entry + 30, 3, 2), HasSubstr("extra field is cut short"));
  EXPECT_THAT(with(entry + 42, 1 << 30, 4), HasSubstr("outside of the file"));
  EXPECT_THAT(with(entry + 42, 5, 4), HasSubstr("points to something else"));

  std::string zip64 = Zip({{"a.npy", Floats()}}, true);
  const std::size_t locator = zip64.size() - 22 - 20;
  zip64.replace(locator + 8, 8, Little(3, 8));
  EXPECT_THAT(OpenRefusal(zip64), HasSubstr("ZIP64 end record is not where"));
  zip64.replace(locator + 8, 8, Little(~std::uint64_t{0}, 8));
  EXPECT_THAT(OpenRefusal(zip64), HasSubstr("is truncated"));
}

}  // namespace
}  // namespace alcedo
