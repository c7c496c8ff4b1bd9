#include "alcedo/dataset/text_file.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <fstream>
#include <iterator>
#include <system_error>

#include "alcedo/base/error.h"

namespace alcedo::internal {
namespace {

constexpr std::uintmax_t kMaxBytes = std::uintmax_t{1} << 26;

template <class Number>
bool Parse(std::string_view text, Number& number) {
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && stop == end;
}

}  // namespace

std::string ReadTextFile(const std::filesystem::path& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) {
    throw IoError(fmt::format("cannot read {}: there is no such file", path.string()));
  }
  // A pipe could wait for ever.
  if (!std::filesystem::is_regular_file(status)) {
    throw IoError(fmt::format("cannot read {}: it is no file", path.string()));
  }
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (!error && size > kMaxBytes) {
    throw FormatError(fmt::format("{} has {} bytes; a list or an annotation has at most {}",
                                  path.string(), size, kMaxBytes));
  }
  std::ifstream file(path, std::ios::binary);
  std::string text(std::istreambuf_iterator<char>(file), {});
  if (!file.is_open() || file.bad()) {
    throw IoError(fmt::format("cannot read {}", path.string()));
  }
  return text;
}

bool ParseNumber(std::string_view text, double& number) {
  return Parse(text, number) && std::isfinite(number);
}

bool ParseInteger(std::string_view text, std::int64_t& number) { return Parse(text, number); }

}  // namespace alcedo::internal
