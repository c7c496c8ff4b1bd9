#include "alcedo/dataset/mat_file.h"

#include <fmt/format.h>
#include <matio.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <memory>

#include "alcedo/base/error.h"
#include "alcedo/io/file_bytes.h"

namespace alcedo::internal {
namespace {

constexpr std::int64_t kMaxMatBytes = std::int64_t{1} << 26;
constexpr std::size_t kMaxValues = std::size_t{1} << 20;

using File = std::unique_ptr<mat_t, int (*)(mat_t*)>;
using Variable = std::unique_ptr<matvar_t, void (*)(matvar_t*)>;

[[noreturn]] void Fail(const std::filesystem::path& path, const std::string& what) {
  throw FormatError(path.string(), what, Hint{"unpack or download it again", "", ""});
}

// Whether every element, and every part of a matrix, ends inside what holds it. matio believes the
// sizes it reads: a damaged one made it take gigabytes. Little-endian files only; others pass.
bool SizesFit(const std::string& bytes, std::size_t begin, std::size_t end, bool inside) {
  while (begin + 8 <= end) {
    std::uint32_t tag[2];
    std::memcpy(tag, bytes.data() + begin, sizeof(tag));
    begin += 8;
    if (inside && tag[0] >> 16 != 0) continue;  // up to four bytes, in the tag itself
    if (tag[1] > end - begin) return false;
    if (!inside && tag[0] == MAT_T_MATRIX && !SizesFit(bytes, begin, begin + tag[1], true)) {
      return false;
    }
    begin += tag[1] + (inside ? (8 - tag[1] % 8) % 8 : 0);
  }
  return true;
}

// The header is read here first: matio guesses what a file without one could be.
File Open(const std::filesystem::path& path) {
  constexpr std::size_t kHeader = 128;
  const std::string bytes =
      ReadFileBytes(path, ReadLimit{.max_bytes = kMaxMatBytes, .pipes = false});
  const std::string version = bytes.size() < kHeader ? "" : bytes.substr(kHeader - 4, 4);
  const bool known = version == std::string("\0\1IM", 4) || version == std::string("\1\0MI", 4);
  if (!known) Fail(path, "it is not a .mat file of MATLAB 5 to 7");
  if (version[2] == 'I' && !SizesFit(bytes, kHeader, bytes.size(), false)) {
    Fail(path, "it is damaged, or not all of it is there");
  }
  File file(Mat_Open(path.c_str(), MAT_ACC_RDONLY), Mat_Close);
  if (file == nullptr) Fail(path, "it is damaged");
  return file;
}

template <class Number>
void Append(const matvar_t& variable, std::size_t count, std::vector<double>& values) {
  const auto* data = static_cast<const Number*>(variable.data);
  for (std::size_t i = 0; i < count; ++i) values.push_back(static_cast<double>(data[i]));
}

// The real numbers of a variable that was read; false if it does not hold such.
bool Numbers(const matvar_t& variable, std::vector<double>& values) {
  std::size_t count = 1;
  for (int i = 0; i < variable.rank; ++i) count *= variable.dims[i];
  if (count == 0) return true;
  if (variable.isComplex != 0 || variable.data == nullptr || variable.data_size <= 0 ||
      variable.nbytes != count * static_cast<std::size_t>(variable.data_size)) {
    return false;
  }
  switch (variable.class_type) {
    case MAT_C_DOUBLE:
      Append<double>(variable, count, values);
      return true;
    case MAT_C_SINGLE:
      Append<float>(variable, count, values);
      return true;
    case MAT_C_INT8:
      Append<std::int8_t>(variable, count, values);
      return true;
    case MAT_C_UINT8:
      Append<std::uint8_t>(variable, count, values);
      return true;
    case MAT_C_INT16:
      Append<std::int16_t>(variable, count, values);
      return true;
    case MAT_C_UINT16:
      Append<std::uint16_t>(variable, count, values);
      return true;
    case MAT_C_INT32:
      Append<std::int32_t>(variable, count, values);
      return true;
    case MAT_C_UINT32:
      Append<std::uint32_t>(variable, count, values);
      return true;
    default:
      return false;
  }
}

// Whether a variable may be read: the sizes that it claims are looked at before memory is taken.
bool IsSmallVector(const matvar_t& variable) {
  return variable.rank == 2 && variable.dims != nullptr &&
         (variable.dims[0] <= 1 || variable.dims[1] <= 1) && variable.dims[0] <= kMaxValues &&
         variable.dims[1] <= kMaxValues;
}

}  // namespace

std::vector<int> ReadMatIntegers(const std::filesystem::path& path, const std::string& variable,
                                 int low, int high) {
  const File file = Open(path);
  const Variable read(Mat_VarReadInfo(file.get(), variable.c_str()), Mat_VarFree);
  if (read == nullptr) Fail(path, fmt::format("it has no variable '{}'", variable));
  std::vector<double> values;
  if (!IsSmallVector(*read) || Mat_VarReadDataAll(file.get(), read.get()) != 0 ||
      !Numbers(*read, values)) {
    Fail(path, fmt::format("'{}' is not a vector of numbers, or damaged", variable));
  }
  std::vector<int> integers;
  for (const double value : values) {
    if (!(value >= low && value <= high) || value != std::floor(value)) {
      Fail(path, fmt::format("'{}' must hold integers from {} to {}, got {} at place {}", variable,
                             low, high, value, integers.size() + 1));
    }
    integers.push_back(static_cast<int>(value));
  }
  return integers;
}

Box ReadMatBox(const std::filesystem::path& path) {
  const File file = Open(path);
  const Variable read(Mat_VarRead(file.get(), "bbox"), Mat_VarFree);
  if (read == nullptr || read->class_type != MAT_C_STRUCT) Fail(path, "it has no struct 'bbox'");
  const auto number = [&](const char* name) {
    const matvar_t* field = Mat_VarGetStructFieldByName(read.get(), name, 0);
    std::vector<double> values;
    if (field == nullptr || !IsSmallVector(*field) || !Numbers(*field, values) ||
        values.size() != 1 || !std::isfinite(values[0])) {
      Fail(path, fmt::format("bbox.{} must be a number", name));
    }
    return values[0];
  };
  const double left = number("left"), top = number("top");
  const double right = number("right"), bottom = number("bottom");
  if (right < left || bottom < top) {
    Fail(path, "bbox must end right of and below its beginning");
  }
  return {left - 1, top - 1, right - left + 1, bottom - top + 1};
}

}  // namespace alcedo::internal
