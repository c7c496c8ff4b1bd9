// The hash that tells contents apart: XXH3, 128 bits. Its algorithm is frozen, so that a hash
// stored today can be compared for ever. Not cryptographic.
#pragma once

#include <string>
#include <string_view>

namespace alcedo {

// 32 hexadecimal digits.
std::string ContentHash(std::string_view bytes);

}  // namespace alcedo
