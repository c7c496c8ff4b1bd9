// The hash that tells contents apart: XXH3, 128 bits. Its algorithm is frozen, so that a hash
// stored today can be compared for ever. Not cryptographic.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace alcedo {

// 32 hexadecimal digits.
std::string ContentHash(std::string_view bytes);

// Its last 16 digits as a number: where many hashes are kept, and one that is wrong by chance (in a
// million files once in ten million times) does no harm.
std::int64_t ShortContentHash(std::string_view bytes);

}  // namespace alcedo
