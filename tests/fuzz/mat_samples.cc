#include "mat_samples.h"

#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace alcedo::fuzz {
namespace {

constexpr std::size_t kHeader = 128;

// Types of data and classes of arrays, as the format numbers them.
enum Type {
  kInt8 = 1,
  kUint8 = 2,
  kInt32 = 5,
  kUint32 = 6,
  kDouble = 9,
  kMatrix = 14,
  kPacked = 15
};
enum Class { kStruct = 2, kDoubles = 6, kBytes = 9 };

class MatWriter {
 public:
  explicit MatWriter(bool big_endian) : big_endian_(big_endian) {}

  std::string Number(std::uint64_t value, int size) const {
    std::string bytes;
    for (int i = 0; i < size; ++i) bytes.push_back(static_cast<char>(value >> (8 * i)));
    if (big_endian_) std::reverse(bytes.begin(), bytes.end());
    return bytes;
  }

  std::string Doubles(const std::vector<double>& values) const {
    std::string bytes;
    for (const double value : values) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, &value, sizeof bits);
      bytes += Number(bits, 8);
    }
    return bytes;
  }

  std::string Element(Type type, std::string data) const {
    const std::string tag = Number(type, 4) + Number(data.size(), 4);
    data.resize((data.size() + 7) / 8 * 8);
    return tag + data;
  }

  // Up to four bytes, in the tag.
  std::string Small(Type type, std::string data) const {
    const std::string tag = Number(data.size() << 16 | type, 4);
    data.resize(4);
    return tag + data;
  }

  std::string Array(Class kind, const std::string& name, std::uint32_t columns,
                    const std::string& body) const {
    return Element(kMatrix, Element(kUint32, Number(kind, 4) + Number(0, 4)) +
                                Element(kInt32, Number(1, 4) + Number(columns, 4)) +
                                Element(kInt8, name) + body);
  }

  std::string DoubleArray(const std::string& name, const std::vector<double>& values) const {
    return Array(kDoubles, name, static_cast<std::uint32_t>(values.size()),
                 Element(kDouble, Doubles(values)));
  }

  std::string File(const std::string& elements) const {
    std::string header = "MATLAB 5.0 MAT-file";
    header.resize(116, ' ');
    header.resize(124, '\0');
    return header + Number(0x0100, 2) + (big_endian_ ? "MI" : "IM") + elements;
  }

 private:
  bool big_endian_;
};

}  // namespace

std::string MatLabels(bool big_endian) {
  const MatWriter w(big_endian);
  const std::string labels = {102, 5, 102, 5, 5, 102, 7, 7, 7};
  return w.File(w.Array(kBytes, "labels", static_cast<std::uint32_t>(labels.size()),
                        w.Element(kUint8, labels)));
}

std::string MatSets(bool big_endian) {
  const MatWriter w(big_endian);
  return w.File(w.DoubleArray("trnid", {4, 1}) + w.DoubleArray("valid", {5, 3}) +
                w.DoubleArray("tstid", {6, 2, 7, 8}));
}

std::string MatBox(bool big_endian) {
  const MatWriter w(big_endian);
  std::string fields;
  for (const char* name : {"left", "top", "right", "bottom"}) {
    std::string field = name;
    field.resize(8);
    fields += field;
  }
  std::string body = w.Small(kInt32, w.Number(8, 4)) + w.Element(kInt8, fields);
  for (const double value : {10.0, 12.0, 60.0, 70.0}) body += w.DoubleArray("", {value});
  return w.File(w.Array(kStruct, "bbox", 1, body));
}

std::string MatPacked(const std::string& file) {
  if (file.size() < kHeader) return file;
  const bool big_endian = file.substr(126, 2) == "MI";
  const MatWriter w(big_endian);
  std::string packed = file.substr(0, kHeader);
  for (std::size_t at = kHeader; at < file.size();) {
    std::size_t size = file.size() - at;
    if (size >= 8) {
      std::string length = file.substr(at + 4, 4);
      if (big_endian) std::reverse(length.begin(), length.end());
      std::uint32_t value = 0;
      std::memcpy(&value, length.data(), sizeof value);
      if (value <= size - 8) size = value + 8;
    }
    uLongf bound = compressBound(size);
    std::string out(bound, '\0');
    compress(reinterpret_cast<Bytef*>(out.data()), &bound,
             reinterpret_cast<const Bytef*>(file.data() + at), size);
    out.resize(bound);
    packed += w.Number(kPacked, 4) + w.Number(out.size(), 4) + out;
    at += size;
  }
  return packed;
}

}  // namespace alcedo::fuzz
