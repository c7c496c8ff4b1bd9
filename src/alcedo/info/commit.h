// What the program was built from.
#pragma once

#include <string>

namespace alcedo::info {

// The commit, with " with changes" if there were any; "" outside of a git checkout.
std::string Commit();

}  // namespace alcedo::info
