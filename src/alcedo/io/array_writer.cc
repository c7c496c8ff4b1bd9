#include "alcedo/io/array_writer.h"

#include <fmt/format.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <set>

#include "alcedo/base/error.h"
#include "alcedo/io/element.h"
#include "alcedo/io/npy.h"
#include "alcedo/io/payload.h"
#include "alcedo/io/safetensors.h"

namespace alcedo {
namespace {

std::string Where(const std::string& name) {
  return fmt::format("array {}", internal::Quote(name));
}

ArrayInfo InfoOf(const ArrayToWrite& array) { return {array.name, array.shape, array.type}; }

// The bytes of all elements.
std::uint64_t ByteCount(const ArrayInfo& info) {
  try {
    return internal::CheckedByteCount(info, {"", Where(info.name)});
  } catch (const FormatError& error) {
    throw InvalidArgument(error.what());
  }
}

void CheckBytes(const ArrayToWrite& array) {
  const std::uint64_t expected = ByteCount(InfoOf(array));
  if (internal::ElementSize(array.type) == 0 || array.bytes.size() != expected) {
    throw InvalidArgument(fmt::format("{}: {} needs {} bytes, got {}", Where(array.name),
                                      internal::Describe(InfoOf(array)), expected,
                                      array.bytes.size()));
  }
}

char NumpyKind(ElementType type) {
  if (type == ElementType::kBool) return 'b';
  if (internal::IsFloatingPoint(type)) return 'f';
  return internal::ElementName(type).front();  // "int..." or "uint..."
}

std::string NumpyDescr(ElementType type) {
  if (type == ElementType::kBfloat16) {
    throw InvalidArgument("bfloat16 must not be written to a .npy, which has no such type");
  }
  const std::size_t size = internal::ElementSize(type);
  if (size == 0) throw InvalidArgument("an unsupported element type must not be written");
  return fmt::format("{}{}{}", size == 1 ? '|' : '<', NumpyKind(type), size);
}

std::string NumpyShape(const std::vector<Index>& shape) {
  return fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

std::string JsonString(const std::string& text) {
  try {
    return nlohmann::json(text).dump();
  } catch (const nlohmann::json::exception&) {
    throw InvalidArgument(
        fmt::format("{} must be UTF-8 to be written to a .safetensors", internal::Quote(text)));
  }
}

std::string_view SafetensorsType(ElementType type) {
  for (const auto& [name, known] : internal::kSafetensorsTypes) {
    if (known == type) return name;
  }
  throw InvalidArgument("an unsupported element type must not be written");
}

// The length of the header, and the header.
std::string SafetensorsHeader(std::span<const ArrayInfo> arrays,
                              const std::map<std::string, std::string>& metadata) {
  std::vector<std::string> entries;
  if (!metadata.empty()) {
    std::vector<std::string> pairs;
    for (const auto& [key, value] : metadata)
      pairs.push_back(JsonString(key) + ":" + JsonString(value));
    entries.push_back(
        fmt::format("\"{}\":{{{}}}", internal::kSafetensorsMetadata, fmt::join(pairs, ",")));
  }
  std::set<std::string_view> names;
  std::uint64_t offset = 0;
  for (const ArrayInfo& array : arrays) {
    if (array.name == internal::kSafetensorsMetadata || !names.insert(array.name).second) {
      throw InvalidArgument(fmt::format("array {} must have a name of its own to be written",
                                        internal::Quote(array.name)));
    }
    const std::uint64_t end = offset + ByteCount(array);
    entries.push_back(fmt::format(R"({}:{{"dtype":"{}","shape":[{}],"data_offsets":[{},{}]}})",
                                  JsonString(array.name), SafetensorsType(array.type),
                                  fmt::join(array.shape, ","), offset, end));
    offset = end;
  }
  std::string header = fmt::format("{{{}}}", fmt::join(entries, ","));
  header.append((8 - header.size() % 8) % 8, ' ');
  std::string bytes;
  internal::AppendLittle(static_cast<std::uint64_t>(header.size()), bytes);
  return bytes + header;
}

}  // namespace

std::string NpyHeaderBytes(const std::vector<Index>& shape, ElementType type) {
  ByteCount({"", shape, type});  // refuses shapes that no file can have
  std::string text = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}",
                                 NumpyDescr(type), NumpyShape(shape));
  constexpr std::size_t kAlignment = 64;
  const auto pad = [&](std::size_t preamble) {
    const std::size_t used = (preamble + text.size() + 1) % kAlignment;
    return (kAlignment - used) % kAlignment;
  };
  const bool short_header = text.size() + 1 + pad(10) <= 0xffff;
  text.append(pad(short_header ? 10 : 12), ' ');
  text.push_back('\n');

  std::string file(internal::kNpyMagic);
  file.push_back(short_header ? 1 : 2);
  file.push_back(0);
  if (short_header) {
    internal::AppendLittle(static_cast<std::uint16_t>(text.size()), file);
  } else {
    internal::AppendLittle(static_cast<std::uint32_t>(text.size()), file);
  }
  return file + text;
}

std::string NpyBytes(const ArrayToWrite& array) {
  CheckBytes(array);
  std::string file = NpyHeaderBytes(array.shape, array.type);
  file.reserve(file.size() + array.bytes.size());
  file += array.bytes;
  return file;
}

std::string SafetensorsHeaderBytes(const ArrayInfo& array,
                                   const std::map<std::string, std::string>& metadata) {
  return SafetensorsHeader({&array, 1}, metadata);
}

std::string SafetensorsBytes(std::span<const ArrayToWrite> arrays,
                             const std::map<std::string, std::string>& metadata) {
  std::vector<ArrayInfo> infos;
  std::size_t data_size = 0;
  for (const ArrayToWrite& array : arrays) {
    CheckBytes(array);
    infos.push_back(InfoOf(array));
    data_size += array.bytes.size();
  }
  std::string file = SafetensorsHeader(infos, metadata);
  file.reserve(file.size() + data_size);
  for (const ArrayToWrite& array : arrays) file += array.bytes;
  return file;
}

}  // namespace alcedo
