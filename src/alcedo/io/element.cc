#include "alcedo/io/element.h"

namespace alcedo::internal {
namespace {

enum class Kind { kNone, kInteger, kFloatingPoint };

struct Traits {
  std::string_view name;
  std::size_t size;
  Kind kind;
};

Traits TraitsOf(ElementType type) {
  switch (type) {
    case ElementType::kBool:
      return {"bool", 1, Kind::kInteger};
    case ElementType::kInt8:
      return {"int8", 1, Kind::kInteger};
    case ElementType::kInt16:
      return {"int16", 2, Kind::kInteger};
    case ElementType::kInt32:
      return {"int32", 4, Kind::kInteger};
    case ElementType::kInt64:
      return {"int64", 8, Kind::kInteger};
    case ElementType::kUint8:
      return {"uint8", 1, Kind::kInteger};
    case ElementType::kUint16:
      return {"uint16", 2, Kind::kInteger};
    case ElementType::kUint32:
      return {"uint32", 4, Kind::kInteger};
    case ElementType::kUint64:
      return {"uint64", 8, Kind::kInteger};
    case ElementType::kFloat16:
      return {"float16", 2, Kind::kFloatingPoint};
    case ElementType::kBfloat16:
      return {"bfloat16", 2, Kind::kFloatingPoint};
    case ElementType::kFloat32:
      return {"float32", 4, Kind::kFloatingPoint};
    case ElementType::kFloat64:
      return {"float64", 8, Kind::kFloatingPoint};
    case ElementType::kUnsupported:
      break;
  }
  return {"an unsupported type", 0, Kind::kNone};
}

}  // namespace

std::size_t ElementSize(ElementType type) { return TraitsOf(type).size; }
std::string_view ElementName(ElementType type) { return TraitsOf(type).name; }
bool IsFloatingPoint(ElementType type) { return TraitsOf(type).kind == Kind::kFloatingPoint; }
bool IsInteger(ElementType type) { return TraitsOf(type).kind == Kind::kInteger; }

}  // namespace alcedo::internal
