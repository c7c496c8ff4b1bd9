// "MAT-File Format" of MathWorks, chapter 1: after a header of 128 bytes a file is a sequence of
// elements, each with a tag (type and size) and data. A variable is an element miMATRIX, whose data
// are elements again: flags, dimensions, name, and the values, or the fields of a struct.
#include "alcedo/dataset/mat_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>

#include "alcedo/dataset/mat_stream.h"
#include "alcedo/io/element.h"
#include "alcedo/io/file_bytes.h"

namespace alcedo::internal {
namespace {

constexpr std::int64_t kMaxMatBytes = std::int64_t{1} << 26;
constexpr std::uint64_t kMaxMatrix = std::uint64_t{1} << 24;  // bytes of a variable
constexpr std::uint64_t kMaxValues = std::uint64_t{1} << 20;
constexpr std::uint64_t kMaxNames = 4096;  // bytes; MATLAB's names have at most 63
constexpr std::uint64_t kMaxDimensions = 32;
constexpr double kMaxPixel = 1e9;

enum MatType : std::uint32_t {
  kMiInt8 = 1,
  kMiUint8 = 2,
  kMiInt16 = 3,
  kMiUint16 = 4,
  kMiInt32 = 5,
  kMiUint32 = 6,
  kMiSingle = 7,
  kMiDouble = 9,
  kMiInt64 = 12,
  kMiUint64 = 13,
  kMiMatrix = 14,
  kMiCompressed = 15
};

enum MatClass : std::uint32_t { kMxStruct = 2, kMxDouble = 6, kMxUint64 = 15, kMxOpaque = 17 };

[[noreturn]] void FailSizes(const MatStream& in) {
  FailMat(in.file(), "it is damaged: its sizes contradict each other");
}

struct MatTag {
  std::uint32_t type = 0;
  std::uint32_t size = 0;
  bool small = false;  // up to four bytes of data, in the second half of the tag
};

// Of an element that ends before `end`.
MatTag ReadMatTag(MatStream& in, std::uint64_t end) {
  if (end - in.position() < 8) FailSizes(in);
  const std::uint32_t first = in.Word();
  if (first >> 16 != 0) {
    const MatTag tag{first & 0xffff, first >> 16, true};
    if (tag.size > 4) FailSizes(in);
    return tag;
  }
  const MatTag tag{first, in.Word(), false};
  if (tag.size > end - in.position()) FailSizes(in);
  return tag;
}

// The bytes between the data of an element and the next one.
void SkipPadding(MatStream& in, const MatTag& tag, std::uint64_t end) {
  const std::uint64_t padding = tag.small ? 4 - tag.size : (8 - tag.size % 8) % 8;
  in.Skip(std::min(padding, end - in.position()));
}

std::string ReadMatText(MatStream& in, std::uint64_t end) {
  const MatTag tag = ReadMatTag(in, end);
  if (tag.type != kMiInt8 || tag.size > kMaxNames) FailSizes(in);
  std::string text(tag.size, '\0');
  in.Read(text);
  SkipPadding(in, tag, end);
  return text;
}

// All that comes before the values of a matrix, or the fields of a struct.
struct MatHead {
  std::uint32_t kind = 0;  // a MatClass
  bool is_complex = false;
  std::vector<std::uint32_t> dimensions;
  std::string name;
  std::uint64_t end = 0;  // of the matrix, in the stream

  bool IsNumeric() const { return kind >= kMxDouble && kind <= kMxUint64 && !is_complex; }
  bool IsVector() const {
    return dimensions.size() == 2 && (dimensions[0] <= 1 || dimensions[1] <= 1) &&
           std::max(dimensions[0], dimensions[1]) <= kMaxValues;
  }
  bool IsOne() const { return dimensions == std::vector<std::uint32_t>{1, 1}; }
};

// The stream is behind the tag of a matrix of `size` bytes.
MatHead ReadMatHead(MatStream& in, std::uint32_t size) {
  MatHead head;
  head.end = in.position() + size;
  if (size == 0) return head;  // an empty field of a struct may be written like this
  const MatTag flags = ReadMatTag(in, head.end);
  if (flags.type != kMiUint32 || flags.size != 8) FailSizes(in);
  const std::uint32_t word = in.Word();
  head.kind = word & 0xff;
  head.is_complex = (word & 0x800) != 0;
  in.Skip(4);
  if (head.kind == kMxOpaque) return head;  // no dimensions, and names of other meanings
  const MatTag shape = ReadMatTag(in, head.end);
  if (shape.type != kMiInt32 || shape.size % 4 != 0 || shape.size < 8 ||
      shape.size / 4 > kMaxDimensions) {
    FailSizes(in);
  }
  for (std::uint32_t i = 0; i < shape.size / 4; ++i) head.dimensions.push_back(in.Word());
  SkipPadding(in, shape, head.end);
  head.name = ReadMatText(in, head.end);
  return head;
}

template <class Unsigned, class Number>
double NumberAt(const char* bytes) {
  return static_cast<double>(std::bit_cast<Number>(LoadLittle<Unsigned>(bytes)));
}

struct MatNumber {
  std::uint64_t size = 0;
  double (*decode)(const char*) = nullptr;  // from little-endian bytes
};

std::optional<MatNumber> NumberOf(std::uint32_t type) {
  switch (type) {
    case kMiInt8:
      return MatNumber{1, NumberAt<std::uint8_t, std::int8_t>};
    case kMiUint8:
      return MatNumber{1, NumberAt<std::uint8_t, std::uint8_t>};
    case kMiInt16:
      return MatNumber{2, NumberAt<std::uint16_t, std::int16_t>};
    case kMiUint16:
      return MatNumber{2, NumberAt<std::uint16_t, std::uint16_t>};
    case kMiInt32:
      return MatNumber{4, NumberAt<std::uint32_t, std::int32_t>};
    case kMiUint32:
      return MatNumber{4, NumberAt<std::uint32_t, std::uint32_t>};
    case kMiSingle:
      return MatNumber{4, NumberAt<std::uint32_t, float>};
    case kMiDouble:
      return MatNumber{8, NumberAt<std::uint64_t, double>};
    case kMiInt64:
      return MatNumber{8, NumberAt<std::uint64_t, std::int64_t>};
    case kMiUint64:
      return MatNumber{8, NumberAt<std::uint64_t, std::uint64_t>};
    default:
      return std::nullopt;
  }
}

// The values of a numeric vector. Their type need not be that of the class: MATLAB stores doubles
// that are small integers as uint8.
std::vector<double> ReadMatValues(MatStream& in, const MatHead& head) {
  const std::uint64_t count = std::uint64_t{head.dimensions[0]} * head.dimensions[1];
  if (count == 0) return {};
  const MatTag tag = ReadMatTag(in, head.end);
  const std::optional<MatNumber> number = NumberOf(tag.type);
  if (!number || tag.size != count * number->size) FailSizes(in);
  std::vector<double> values;
  for (std::uint64_t i = 0; i < count; ++i) {
    std::array<char, 8> bytes;
    const std::span<char> used = std::span(bytes).first(number->size);
    in.Read(used);
    if (in.big_endian()) std::ranges::reverse(used);
    values.push_back(number->decode(bytes.data()));
  }
  return values;
}

// The variable's head, and its stream behind it; leaves no value in memory.
struct MatVariable {
  MatStream stream;
  MatHead head;
};

// Behind a tag of this type and size at the outermost level.
MatVariable OpenVariable(std::string_view element, bool compressed, bool big_endian,
                         const std::string& file) {
  using enum MatStream::Storage;
  MatVariable variable{MatStream(element, compressed ? kCompressed : kPlain, big_endian, file), {}};
  MatStream& in = variable.stream;
  std::uint32_t size = static_cast<std::uint32_t>(element.size());
  if (compressed) {
    const std::uint32_t type = in.Word();
    size = in.Word();
    if (type != kMiMatrix) FailMat(file, "it is damaged: a compressed variable is not a matrix");
  }
  variable.head = ReadMatHead(in, size);
  return variable;
}

// The first variable of this name. All elements are looked at: a file that was cut is refused even
// if the variable lies before the cut.
std::optional<MatVariable> FindVariable(std::string_view bytes, const std::string& file,
                                        const std::string& name) {
  constexpr std::size_t kHeader = 128;
  const std::string_view version = bytes.size() < kHeader ? "" : bytes.substr(kHeader - 4, 4);
  const bool big_endian = version == std::string_view("\1\0MI", 4);
  if (!big_endian && version != std::string_view("\0\1IM", 4)) {
    FailMat(file, "it is not a .mat file of MATLAB 5 to 7");
  }
  std::optional<MatVariable> found;
  bytes.remove_prefix(kHeader);
  while (!bytes.empty()) {
    MatStream tags(bytes, MatStream::Storage::kPlain, big_endian, file);
    const std::uint32_t type = bytes.size() < 8 ? 0 : tags.Word();
    const std::uint32_t size = bytes.size() < 8 ? 0 : tags.Word();
    if (bytes.size() < 8 || size > bytes.size() - 8) {
      FailMat(file, "it is damaged, or not all of it is there");
    }
    if (!found && (type == kMiMatrix || type == kMiCompressed)) {
      MatVariable variable =
          OpenVariable(bytes.substr(8, size), type == kMiCompressed, big_endian, file);
      if (variable.head.kind != kMxOpaque && variable.head.name == name) {
        found = std::move(variable);
      }
    }
    bytes.remove_prefix(8 + std::size_t{size});
  }
  if (found && found->head.end > kMaxMatrix) {
    FailMat(file, fmt::format("'{}' is larger than {} MiB", name, kMaxMatrix >> 20));
  }
  return found;
}

// What follows the values must be there too, and the checksum of compressed data right.
void FinishVariable(MatVariable& variable) {
  MatStream& in = variable.stream;
  in.Skip(variable.head.end - in.position());
  if (!in.AtEnd()) FailSizes(in);
}

std::string ReadMatFile(const std::filesystem::path& path) {
  return ReadFileBytes(path, ReadLimit{.max_bytes = kMaxMatBytes, .pipes = false});
}

}  // namespace

std::vector<int> ParseMatIntegers(std::string_view bytes, const std::string& file,
                                  const std::string& variable, int low, int high) {
  std::optional<MatVariable> found = FindVariable(bytes, file, variable);
  if (!found) FailMat(file, fmt::format("it has no variable '{}'", variable));
  if (!found->head.IsNumeric() || !found->head.IsVector()) {
    FailMat(file, fmt::format("'{}' is not a vector of at most {} numbers", variable, kMaxValues));
  }
  const std::vector<double> values = ReadMatValues(found->stream, found->head);
  FinishVariable(*found);
  std::vector<int> integers;
  for (const double value : values) {
    if (!(value >= low && value <= high) || value != std::floor(value)) {
      FailMat(file, fmt::format("'{}' must hold integers from {} to {}, got {} at place {}",
                                variable, low, high, value, integers.size() + 1));
    }
    integers.push_back(static_cast<int>(value));
  }
  return integers;
}

Box ParseMatBox(std::string_view bytes, const std::string& file) {
  std::optional<MatVariable> found = FindVariable(bytes, file, "bbox");
  if (!found || found->head.kind != kMxStruct) FailMat(file, "it has no struct 'bbox'");
  if (!found->head.IsOne()) FailMat(file, "bbox must be one struct, not an array of them");
  MatStream& in = found->stream;
  const std::uint64_t end = found->head.end;
  const MatTag width_tag = ReadMatTag(in, end);
  if (width_tag.type != kMiInt32 || width_tag.size != 4) FailSizes(in);
  const std::uint32_t width = in.Word();  // of a field's name, filled up with zeros
  SkipPadding(in, width_tag, end);
  const std::string names = ReadMatText(in, end);
  if (width == 0 || names.size() % width != 0) FailSizes(in);

  struct Side {
    std::string_view name;
    std::optional<double> value = {};
  };
  std::array<Side, 4> sides = {Side{"left"}, Side{"top"}, Side{"right"}, Side{"bottom"}};
  for (std::size_t at = 0; at < names.size(); at += width) {
    const std::string_view padded = std::string_view(names).substr(at, width);
    const std::string_view name = padded.substr(0, padded.find('\0'));
    const MatTag tag = ReadMatTag(in, end);
    if (tag.type != kMiMatrix || tag.small) FailSizes(in);
    const std::uint64_t field_end = in.position() + tag.size;
    const auto side = std::ranges::find(sides, name, &Side::name);
    if (side != sides.end()) {
      const MatHead field = ReadMatHead(in, tag.size);
      if (field.IsNumeric() && field.IsOne()) side->value = ReadMatValues(in, field)[0];
    }
    in.Skip(field_end - in.position());
  }
  FinishVariable(*found);
  for (const Side& side : sides) {
    // Beyond the limit a width would not be exact, or not finite.
    if (!side.value || !(std::abs(*side.value) <= kMaxPixel)) {
      FailMat(file,
              fmt::format("bbox.{} must be a number of at most {:.0f}", side.name, kMaxPixel));
    }
  }
  const double left = *sides[0].value, top = *sides[1].value;
  const double right = *sides[2].value, bottom = *sides[3].value;
  if (right < left || bottom < top) {
    FailMat(file, "bbox must end right of and below its beginning");
  }
  return {left - 1, top - 1, right - left + 1, bottom - top + 1};
}

std::vector<int> ReadMatIntegers(const std::filesystem::path& path, const std::string& variable,
                                 int low, int high) {
  return ParseMatIntegers(ReadMatFile(path), path.string(), variable, low, high);
}

Box ReadMatBox(const std::filesystem::path& path) {
  return ParseMatBox(ReadMatFile(path), path.string());
}

}  // namespace alcedo::internal
