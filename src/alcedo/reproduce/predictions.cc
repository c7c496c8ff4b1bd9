#include "alcedo/reproduce/predictions.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <string_view>

#include "alcedo/base/error.h"

namespace alcedo::reproduce {
namespace {

constexpr std::string_view kDigits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void AppendNumber(std::vector<std::uint8_t>& bytes, std::uint64_t number, int size) {
  for (int i = 0; i < size; ++i) bytes.push_back(static_cast<std::uint8_t>(number >> (8 * i)));
}

}  // namespace

std::string Base64(std::span<const std::uint8_t> bytes) {
  std::string text;
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - at);
    unsigned group = 0;
    for (std::size_t i = 0; i < 3; ++i) group = group << 8 | (i < count ? bytes[at + i] : 0u);
    for (std::size_t i = 0; i < 4; ++i) {
      text += i <= count ? kDigits[group >> (18 - 6 * i) & 63] : '=';
    }
  }
  return text;
}

std::vector<std::uint8_t> FromBase64(std::string_view text) {
  const std::size_t padding = text.ends_with("==") ? 2 : text.ends_with("=") ? 1 : 0;
  const std::string_view digits = text.substr(0, text.size() - padding);
  if (text.size() % 4 != 0) throw FormatError("predictions are cut short");
  std::vector<std::uint8_t> bytes;
  unsigned group = 0;
  int bits = 0;
  for (const char c : digits) {
    const std::size_t digit = kDigits.find(c);
    if (digit == std::string_view::npos) throw FormatError("predictions are not base64");
    group = group << 6 | static_cast<unsigned>(digit);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push_back(static_cast<std::uint8_t>(group >> bits));
  }
  return bytes;
}

std::string PackedClasses(std::span<const int> classes_of_images, int classes) {
  std::vector<std::uint8_t> bytes;
  for (const int c : classes_of_images) {
    AppendNumber(bytes, static_cast<std::uint64_t>(c), classes <= 256 ? 1 : 2);
  }
  return Base64(bytes);
}

std::vector<int> UnpackedClasses(std::string_view packed, int classes) {
  const std::vector<std::uint8_t> bytes = FromBase64(packed);
  const std::size_t size = classes <= 256 ? 1 : 2;
  if (bytes.size() % size != 0) throw FormatError("predictions are cut short");
  std::vector<int> result;
  for (std::size_t at = 0; at < bytes.size(); at += size) {
    result.push_back(size == 1 ? bytes[at] : bytes[at] | bytes[at + 1] << 8);
    if (result.back() >= classes) {
      throw FormatError(fmt::format("predictions have class {} of {}", result.back(), classes));
    }
  }
  return result;
}

std::string PackedRanks(const MatrixView& scores) {
  const int size = scores.rows() <= 65536 ? 2 : 4;
  std::vector<std::uint8_t> bytes;
  std::vector<Index> order(static_cast<std::size_t>(scores.rows())), rank(order.size());
  for (Index k = 0; k < scores.cols(); ++k) {
    std::iota(order.begin(), order.end(), Index{0});
    std::ranges::stable_sort(order, std::greater<>(), [&](Index i) { return scores(i, k); });
    for (std::size_t place = 0; place < order.size(); ++place) {
      rank[static_cast<std::size_t>(order[place])] = static_cast<Index>(place);
    }
    for (const Index place : rank) AppendNumber(bytes, static_cast<std::uint64_t>(place), size);
  }
  return Base64(bytes);
}

std::string PackedTruth(const Truth& truth) {
  if (!truth.multi_label) return PackedClasses(truth.labels, truth.classes);
  std::vector<std::uint8_t> bytes;
  for (Index i = 0; i < truth.targets.rows(); ++i) {
    for (Index k = 0; k < truth.targets.cols(); ++k) {
      bytes.push_back(static_cast<std::uint8_t>(truth.targets(i, k)));
    }
  }
  return Base64(bytes);
}

}  // namespace alcedo::reproduce
