// What every measure of single-label sets requires.
#pragma once

#include <span>
#include <string_view>

namespace alcedo::internal {

// InvalidArgument that names the row, unless all are in [0, classes).
void CheckClasses(std::span<const int> values, int classes, std::string_view what);

// The same for both, and that they are equally many.
void CheckPredictions(std::span<const int> predicted, std::span<const int> labels, int classes);

}  // namespace alcedo::internal
