#include <fmt/format.h>

#include <array>
#include <bit>

#include "alcedo/io/npy.h"

namespace alcedo::internal {
namespace {

std::string_view KindOf(std::string_view code) {
  switch (code.empty() ? '\0' : code.front()) {
    case 'f':
      return "floating-point numbers of that size";
    case 'c':
      return "complex numbers";
    case 'S':
    case 'a':
    case 'U':
      return "strings";
    case 'M':
    case 'm':
      return "dates or durations";
    case 'V':
      return "raw bytes";
    default:
      return "an unknown kind of elements";
  }
}

}  // namespace

NpyDtype ParseNpyDtype(std::string_view descr) {
  struct Known {
    std::string_view code;
    ElementType type;
  };
  static constexpr std::array<Known, 12> kKnown = {{{"f2", ElementType::kFloat16},
                                                    {"f4", ElementType::kFloat32},
                                                    {"f8", ElementType::kFloat64},
                                                    {"i1", ElementType::kInt8},
                                                    {"i2", ElementType::kInt16},
                                                    {"i4", ElementType::kInt32},
                                                    {"i8", ElementType::kInt64},
                                                    {"u1", ElementType::kUint8},
                                                    {"u2", ElementType::kUint16},
                                                    {"u4", ElementType::kUint32},
                                                    {"u8", ElementType::kUint64},
                                                    {"b1", ElementType::kBool}}};
  const std::size_t order_size =
      !descr.empty() && std::string_view("<>=|").find(descr[0]) != std::string_view::npos;
  const char order = order_size == 1 ? descr[0] : '=';
  const std::string_view code = descr.substr(order_size);
  for (const Known& known : kKnown) {
    if (code != known.code) continue;
    constexpr bool kLittleMachine = std::endian::native == std::endian::little;
    return {known.type, order == (kLittleMachine ? '>' : '<'), ""};
  }
  if (code.starts_with('O')) {
    return {ElementType::kUnsupported, false,
            fmt::format("dtype {} holds Python objects, which are not read because that would run "
                        "code; save the array as numbers, e.g. as float32",
                        Quote(descr))};
  }
  return {ElementType::kUnsupported, false,
          fmt::format("dtype {} ({}) is not supported; save the array as numbers, e.g. as float32",
                      Quote(descr), KindOf(code))};
}

}  // namespace alcedo::internal
