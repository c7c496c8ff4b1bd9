// The .safetensors format: the length of a JSON header, the header, the elements of all arrays.
#pragma once

#include <array>
#include <string_view>
#include <utility>

#include "alcedo/io/byte_source.h"
#include "alcedo/io/payload.h"

namespace alcedo::internal {

inline constexpr std::string_view kSafetensorsMetadata = "__metadata__";

// The format's names of the types, for reading and for writing.
inline constexpr std::array<std::pair<std::string_view, ElementType>, 13> kSafetensorsTypes = {
    {{"BOOL", ElementType::kBool},
     {"I8", ElementType::kInt8},
     {"I16", ElementType::kInt16},
     {"I32", ElementType::kInt32},
     {"I64", ElementType::kInt64},
     {"U8", ElementType::kUint8},
     {"U16", ElementType::kUint16},
     {"U32", ElementType::kUint32},
     {"U64", ElementType::kUint64},
     {"F16", ElementType::kFloat16},
     {"BF16", ElementType::kBfloat16},
     {"F32", ElementType::kFloat32},
     {"F64", ElementType::kFloat64}}};

// The arrays must cover the data exactly, without overlaps and holes. An array of an unknown type
// is listed, and refused when it is read.
ArrayTable ReadSafetensorsTable(const ByteSource& source);

}  // namespace alcedo::internal
