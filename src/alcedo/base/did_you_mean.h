// A hint for a word that is not known.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace alcedo {

// "; did you mean 'x'?" for the candidate nearest to `word`, or "" if none is near.
std::string DidYouMean(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace alcedo
