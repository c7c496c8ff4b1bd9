#include "alcedo/io/content_hash.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <bit>
#include <charconv>

namespace alcedo {

std::string ContentHash(std::string_view bytes) {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

std::int64_t ShortContentHash(std::string_view bytes) {
  return std::bit_cast<std::int64_t>(XXH3_128bits(bytes.data(), bytes.size()).low64);
}

std::int64_t ShortHashOf(std::string_view content_hash) {
  std::uint64_t low = 0;
  const std::string_view digits = content_hash.substr(content_hash.size() / 2);
  std::from_chars(digits.data(), digits.data() + digits.size(), low, 16);
  return std::bit_cast<std::int64_t>(low);
}

}  // namespace alcedo
