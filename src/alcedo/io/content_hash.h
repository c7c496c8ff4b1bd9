// The hash that tells contents apart: XXH3, 128 bits. Its algorithm is frozen, so that a hash
// stored today can be compared for ever. Not cryptographic.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace alcedo {

// 32 hexadecimal digits.
std::string ContentHash(std::string_view bytes);

// Its last 16 digits as a number, for lists of many hashes. One that is wrong by chance (in a
// million files once in ten million times) does no harm there.
std::int64_t ShortContentHash(std::string_view bytes);
// The same from the 32 digits of ContentHash(). Requires such digits.
std::int64_t ShortHashOf(std::string_view content_hash);

}  // namespace alcedo
