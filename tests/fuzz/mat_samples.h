// MATLAB 5 files as datasets have them, byte by byte.
#pragma once

#include <string>
#include <vector>

namespace alcedo::fuzz {

// imagelabels.mat and setid.mat of Flowers.
std::string MatLabels(bool big_endian = false);
std::string MatSets(bool big_endian = false);
// A box of CUB 2010.
std::string MatBox(bool big_endian = false);

// Every element compressed, as newer versions of MATLAB write them; as far as there are elements.
std::string MatPacked(const std::string& file);

}  // namespace alcedo::fuzz
