// The file form of a model (docs/formats.md).
#pragma once

#include <string>

#include "alcedo/training/model.h"

namespace alcedo::internal {

std::string WriteModelBytes(const Model& model);
Model ParseModel(std::string bytes, const std::string& name);

// InvalidArgument if parts of a model contradict each other.
void CheckModel(const Model& model);

}  // namespace alcedo::internal
