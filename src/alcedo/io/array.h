// What array files hold: names, shapes and element types.
#pragma once

#include <string>
#include <vector>

#include "alcedo/base/index.h"

namespace alcedo {

enum class ElementType {
  kBool,
  kInt8,
  kInt16,
  kInt32,
  kInt64,
  kUint8,
  kUint16,
  kUint32,
  kUint64,
  kFloat16,
  kBfloat16,
  kFloat32,
  kFloat64,
  kUnsupported  // a type that is not read here: listed among other arrays, refused when it is read
};

// One array of a file. Its shape is checked against the bytes that are really there before anything
// of its size is allocated.
struct ArrayInfo {
  std::string name;          // "" for a .npy
  std::vector<Index> shape;  // empty for a scalar
  ElementType type = ElementType::kFloat32;

  // Never overflows for an array that a reader has accepted.
  Index size() const {
    Index n = 1;
    for (Index d : shape) n *= d;
    return n;
  }
};

}  // namespace alcedo
