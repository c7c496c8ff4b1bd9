// For tests: .mat files byte by byte, as "MAT-File Format" of MathWorks says. Shares nothing with
// the reader.
#pragma once

#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace alcedo::mat_testing {

// Types of data, and classes of arrays, by their numbers.
constexpr std::uint32_t kInt8 = 1, kUint8 = 2, kInt16 = 3, kUint16 = 4, kInt32 = 5, kUint32 = 6,
                        kSingle = 7, kDouble = 9, kInt64 = 12, kUint64 = 13, kMatrix = 14,
                        kCompressed = 15, kUtf8 = 16;
constexpr std::uint32_t kStructClass = 2, kCharClass = 4, kDoubleClass = 6, kSingleClass = 7,
                        kInt8Class = 8, kUint8Class = 9, kInt16Class = 10, kUint16Class = 11,
                        kInt32Class = 12, kUint32Class = 13, kInt64Class = 14, kUint64Class = 15;
constexpr std::uint32_t kComplexFlag = 0x800, kLogicalFlag = 0x200;

struct MatBytes {
  bool big_endian = false;

  template <class Number>
  std::string Bytes(Number value) const {
    char bytes[sizeof(Number)];
    std::memcpy(bytes, &value, sizeof(Number));
    if (big_endian) std::reverse(bytes, bytes + sizeof(Number));
    return {bytes, sizeof(Number)};
  }
  std::string Word(std::uint32_t value) const { return Bytes(value); }

  static std::string Padded(std::string data, std::size_t to) {
    data.resize((data.size() + to - 1) / to * to, '\0');
    return data;
  }
  std::string Element(std::uint32_t type, const std::string& data) const {
    return Word(type) + Word(static_cast<std::uint32_t>(data.size())) + Padded(data, 8);
  }
  // At most four bytes, in the tag.
  std::string Small(std::uint32_t type, const std::string& data) const {
    return Word(static_cast<std::uint32_t>(data.size()) << 16 | type) + Padded(data, 4);
  }
  // As MATLAB writes it.
  std::string Either(std::uint32_t type, const std::string& data) const {
    return data.size() <= 4 && !data.empty() ? Small(type, data) : Element(type, data);
  }

  // `kind` is a class, with flags.
  std::string Array(std::uint32_t kind, const std::string& name,
                    const std::vector<std::uint32_t>& dimensions, const std::string& body) const {
    std::string shape;
    for (const std::uint32_t dimension : dimensions) shape += Word(dimension);
    return Element(kMatrix, Element(kUint32, Word(kind) + Word(0)) + Element(kInt32, shape) +
                                Either(kInt8, name) + body);
  }
  // One row, stored as `Number`, whose type is `type`.
  template <class Number>
  std::string Row(std::uint32_t kind, std::uint32_t type, const std::string& name,
                  const std::vector<Number>& values) const {
    std::string data;
    for (const Number value : values) data += Bytes(value);
    return Array(kind, name, {1, static_cast<std::uint32_t>(values.size())}, Either(type, data));
  }

  // Names of fields one after another, and the fields behind them.
  std::string Struct(const std::string& name, const std::vector<std::uint32_t>& dimensions,
                     std::uint32_t width, const std::vector<std::string>& names,
                     const std::string& fields) const {
    std::string text;
    for (const std::string& field : names)
      text += (field + std::string(width, '\0')).substr(0, width);
    return Array(kStructClass, name, dimensions,
                 Small(kInt32, Word(width)) + Element(kInt8, text) + fields);
  }
  std::string Number(double value) const { return Row<double>(kDoubleClass, kDouble, "", {value}); }
  std::string Box(double left, double top, double right, double bottom) const {
    return Struct("bbox", {1, 1}, 8, {"left", "top", "right", "bottom"},
                  Number(left) + Number(top) + Number(right) + Number(bottom));
  }

  std::string Compress(const std::string& element) const {
    uLongf size = compressBound(element.size());
    std::string packed(size, '\0');
    EXPECT_EQ(compress(reinterpret_cast<Bytef*>(packed.data()), &size,
                       reinterpret_cast<const Bytef*>(element.data()), element.size()),
              Z_OK);
    packed.resize(size);
    return Word(kCompressed) + Word(static_cast<std::uint32_t>(size)) + packed;  // not padded
  }
  std::string File(const std::string& elements) const {
    std::string text = "MATLAB 5.0 MAT-file, written by a test";
    text.resize(116, ' ');
    const std::string version = big_endian ? std::string("\1\0MI", 4) : std::string("\0\1IM", 4);
    return text + std::string(8, '\0') + version + elements;
  }
};

}  // namespace alcedo::mat_testing
