#include "mutator.h"

#include <algorithm>
#include <cctype>
#include <iterator>

#include "alcedo/io/io_testing.h"

namespace alcedo::fuzz {
namespace {

constexpr std::uint64_t kHostileNumbers[] = {0,
                                             1,
                                             0x7f,
                                             0xff,
                                             0xffff,
                                             0x7fffffff,
                                             0x80000000,
                                             0xffffffff,
                                             0x7f800000,          // infinity
                                             0x7fc00000,          // NaN
                                             0x7ff8000000000000,  // NaN
                                             std::uint64_t{1} << 32,
                                             std::uint64_t{1} << 60,
                                             std::uint64_t{1} << 63,
                                             ~std::uint64_t{0}};
const std::string kHostileTexts[] = {"0",
                                     "1",
                                     "-1",
                                     "00",
                                     "1e9",
                                     "1e308",
                                     "1e-308",
                                     "nan",
                                     "inf",
                                     "100000000",
                                     "4294967296",
                                     "1152921504606846976",
                                     "9223372036854775807",
                                     "18446744073709551616",
                                     "(",
                                     ")",
                                     "{",
                                     "}",
                                     "[[",
                                     "'",
                                     "\"",
                                     "\\",
                                     ",",
                                     "\n",
                                     "\r\n",
                                     "<",
                                     "&#0;",
                                     "../",
                                     "\xff\xfe",
                                     "\xef\xbb\xbf",
                                     "True",
                                     "null",
                                     "|O",
                                     ">f8",
                                     "<c16",
                                     "F64",
                                     "__metadata__",
                                     std::string(1, '\0')};

bool IsDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

}  // namespace

std::string Mutator::Mutate(std::string file, const std::string& other) {
  for (std::size_t i = 0, rounds = 1 + Below(3); i < rounds; ++i) {
    switch (Below(8)) {
      case 0:
        FlipBits(file);
        break;
      case 1:
        file.resize(Below(file.size() + 1));
        break;
      case 2:
        SetNumber(file, Below(file.size() + 1));
        break;
      case 3:
        SetNumber(file, LengthField(file));
        break;
      case 4:
        ReplaceDigits(file);
        break;
      case 5:
        InsertText(file);
        break;
      case 6:
        Splice(file, other);
        break;
      case 7:
        Repeat(file);
        break;
    }
  }
  return file;
}

void Mutator::FlipBits(std::string& file) {
  for (std::size_t i = 0, count = 1 + Below(8); i < count && !file.empty(); ++i) {
    file[Below(file.size())] ^= static_cast<char>(1 << Below(8));
  }
}

void Mutator::SetNumber(std::string& file, std::size_t position) {
  const std::size_t size = std::size_t{1} << Below(4);
  if (position + size > file.size()) return;
  std::uint64_t value = kHostileNumbers[Below(std::size(kHostileNumbers))];
  if (Below(4) == 0) value = file.size() + Below(17) - 8;  // just fits, or just does not
  std::string bytes = io_testing::Little(value, static_cast<int>(size));
  if (Below(2) == 0) std::reverse(bytes.begin(), bytes.end());  // as big-endian formats have it
  file.replace(position, size, bytes);
}

// Where formats keep lengths: the first bytes, and the records of a zip.
std::size_t Mutator::LengthField(const std::string& file) {
  const std::size_t record = file.find("PK", Below(file.size()));
  return record == std::string::npos ? Below(48) : record + Below(48);
}

void Mutator::ReplaceDigits(std::string& file) {
  std::size_t begin = Below(file.size());
  while (begin < file.size() && !IsDigit(file[begin])) ++begin;
  std::size_t end = begin;
  while (end < file.size() && IsDigit(file[end])) ++end;
  file.replace(begin, end - begin, kHostileTexts[Below(std::size(kHostileTexts))]);
}

void Mutator::InsertText(std::string& file) {
  const std::string& text = kHostileTexts[Below(std::size(kHostileTexts))];
  const std::size_t position = Below(file.size() + 1);
  file.replace(position, Below(2) * text.size(), text);  // insert, or overwrite
}

void Mutator::Splice(std::string& file, const std::string& other) {
  const std::size_t from = Below(other.size());
  const std::size_t longest = Below(4) == 0 ? std::max(file.size(), other.size()) + 1 : 64;
  file.replace(Below(file.size() + 1), Below(longest), other, from, Below(longest));
}

void Mutator::Repeat(std::string& file) {
  const std::size_t from = Below(file.size());
  const std::string piece = file.substr(from, 1 + Below(64));
  if (Below(2) == 0) {
    file.erase(from, piece.size());
    return;
  }
  for (std::size_t i = 0, times = std::size_t{1} << Below(6); i < times; ++i) {
    file.insert(from, piece);
  }
}

}  // namespace alcedo::fuzz
