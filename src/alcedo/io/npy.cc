#include "alcedo/io/npy.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <optional>

#include "alcedo/io/element.h"

namespace alcedo::internal {
namespace {

// NumPy writes about a hundred bytes, and stops reading at ten thousand.
constexpr std::uint64_t kMaxNpyHeader = 1 << 20;

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

// The header is a Python dict literal. This parses exactly the literals that describe an array, and
// evaluates nothing.
class HeaderParser {
 public:
  HeaderParser(std::string_view text, const Place& where) : text_(text), where_(where) {}

  NpyHeader Parse() {
    Expect('{');
    bool more = !Accept('}');
    while (more) {
      ParseEntry();
      more = Accept(',') ? !Accept('}') : (Expect('}'), false);
    }
    SkipSpace();
    if (position_ != text_.size()) Fail("nothing but spaces");
    if (!dtype_) FailMissing("descr");
    if (!fortran_order_) FailMissing("fortran_order");
    if (!shape_) FailMissing("shape");
    return {std::move(*shape_), std::move(*dtype_), *fortran_order_};
  }

 private:
  void ParseEntry() {
    const std::string_view key = ParseString();
    Expect(':');
    if (key == "descr") {
      Set(dtype_, key, ParseDescr());
    } else if (key == "fortran_order") {
      Set(fortran_order_, key, ParseBool());
    } else if (key == "shape") {
      Set(shape_, key, ParseShape());
    } else {
      where_.Fail(
          fmt::format("the .npy header has the unknown key {}; only 'descr', "
                      "'fortran_order' and 'shape' are known",
                      Quote(key)));
    }
  }

  template <typename T>
  void Set(std::optional<T>& field, std::string_view key, T value) {
    if (field) where_.Fail(fmt::format("the .npy header has '{}' twice", key));
    field = std::move(value);
  }

  NpyDtype ParseDescr() {
    SkipSpace();
    if (Peek() != '[' && Peek() != '(') return ParseNpyDtype(ParseString());
    return {ElementType::kUnsupported, false,
            fmt::format("dtype {} is structured; save each of its fields as an array of its own, "
                        "e.g. as float32",
                        Quote(SkipBracketed()))};
  }

  std::string_view ParseString() {
    SkipSpace();
    const char quote = Peek();
    if (quote != '\'' && quote != '"') Fail("a quoted string");
    const std::size_t begin = ++position_;
    while (Peek() != quote) {
      // An escape would make two spellings of one key; NumPy writes none.
      if (position_ >= text_.size() || Peek() == '\\') Fail("the end of a plain string");
      ++position_;
    }
    return text_.substr(begin, position_++ - begin);
  }

  // A list or tuple with whatever is in it, as text.
  std::string_view SkipBracketed() {
    const std::size_t begin = position_;
    std::size_t depth = 0;
    do {
      if (position_ >= text_.size()) Fail("the end of a list");
      const char c = Peek();
      if (c == '\'' || c == '"') {
        ParseString();
        continue;
      }
      if (c == '[' || c == '(') ++depth;
      if (c == ']' || c == ')') --depth;
      ++position_;
    } while (depth > 0);
    return text_.substr(begin, position_ - begin);
  }

  bool ParseBool() {
    SkipSpace();
    for (const bool value : {true, false}) {
      const std::string_view word = value ? "True" : "False";
      if (text_.substr(position_).starts_with(word)) {
        position_ += word.size();
        return value;
      }
    }
    Fail("True or False");
  }

  std::vector<Index> ParseShape() {
    std::vector<Index> shape;
    Expect('(');
    bool comma = true;
    while (!Accept(')')) {
      if (!comma) Fail("',' or ')'");
      shape.push_back(ParseDimension());
      comma = Accept(',');
    }
    // "(3)" is a number to Python, "(3,)" a tuple.
    if (shape.size() == 1 && !comma) Fail("a tuple");
    return shape;
  }

  Index ParseDimension() {
    SkipSpace();
    if (Peek() == '-') {
      where_.Fail("the shape in the .npy header has a negative dimension");
    }
    const std::size_t begin = position_;
    constexpr Index kMax = std::numeric_limits<Index>::max();
    Index value = 0;
    for (; Peek() >= '0' && Peek() <= '9'; ++position_) {
      const Index digit = Peek() - '0';
      if (value > (kMax - digit) / 10) {
        where_.Fail(fmt::format("a dimension in the .npy header is larger than {}", kMax));
      }
      value = 10 * value + digit;
    }
    if (position_ == begin) Fail("a dimension");
    if (text_[begin] == '0' && position_ - begin > 1) Fail("a number without leading zeros");
    return value;
  }

  // '\0' at the end: no rule of the grammar accepts it.
  char Peek() const { return position_ < text_.size() ? text_[position_] : '\0'; }

  void SkipSpace() {
    while (Peek() == ' ' || Peek() == '\t' || Peek() == '\n' || Peek() == '\r') ++position_;
  }

  bool Accept(char c) {
    SkipSpace();
    if (Peek() != c) return false;
    ++position_;
    return true;
  }

  void Expect(char c) {
    if (!Accept(c)) Fail(fmt::format("'{}'", c));
  }

  [[noreturn]] void Fail(std::string_view expected) const {
    where_.Fail(fmt::format("the .npy header is malformed: {} is expected at its byte {}", expected,
                            position_));
  }

  [[noreturn]] void FailMissing(std::string_view key) const {
    where_.Fail(fmt::format("the .npy header has no '{}'", key));
  }

  std::string_view text_;
  const Place& where_;
  std::size_t position_ = 0;
  std::optional<NpyDtype> dtype_;
  std::optional<bool> fortran_order_;
  std::optional<std::vector<Index>> shape_;
};

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

NpyHeader ParseNpyHeader(std::string_view text, const Place& where) {
  return HeaderParser(text, where).Parse();
}

NpyPreamble ParseNpyPreamble(std::string_view start, const Place& where) {
  ByteCursor cursor(start, where, "the .npy header");
  if (cursor.Take(kNpyMagic.size()) != kNpyMagic) {
    where.Fail("does not begin with the magic string of a .npy");
  }
  const int major = cursor.Get<std::uint8_t>();
  const int minor = cursor.Get<std::uint8_t>();
  if (major < 1 || major > 3 || minor != 0) {
    where.Fail(
        fmt::format(".npy version {}.{} is not supported, only 1.0, 2.0 and 3.0", major, minor));
  }
  NpyPreamble preamble;
  preamble.text_size = major == 1 ? cursor.Get<std::uint16_t>() : cursor.Get<std::uint32_t>();
  preamble.text_offset = major == 1 ? 10 : 12;
  if (preamble.text_size > kMaxNpyHeader) {
    where.Fail(fmt::format("the .npy header claims {} bytes, more than the limit of {}",
                           preamble.text_size, kMaxNpyHeader));
  }
  return preamble;
}

void CheckNpySize(const ArrayInfo& info, std::uint64_t data_offset, std::uint64_t total,
                  const Place& where) {
  const std::uint64_t expected = CheckedByteCount(info, where);
  if (info.type == ElementType::kUnsupported) return;
  const std::uint64_t actual = total - data_offset;
  if (actual < expected) {
    where.Fail(fmt::format("is truncated: {} needs {} bytes of data, but {} are there",
                           Describe(info), expected, actual));
  }
  if (actual > expected) {
    where.Fail(
        fmt::format("has {} bytes after its data: {} needs {} bytes, but {} are "
                    "there",
                    actual - expected, Describe(info), expected, actual));
  }
}

ArrayTable ReadNpyTable(const ByteSource& source) {
  const Place where{source.name()};
  const NpyPreamble preamble = ParseNpyPreamble(
      source.ReadString(0, std::min<std::uint64_t>(source.size(), kNpyPreambleSize)), where);
  if (preamble.data_offset() > source.size()) {
    where.Fail(
        fmt::format("is truncated: the .npy header ends at byte {}, but the file "
                    "after {}",
                    preamble.data_offset(), source.size()));
  }
  NpyHeader header =
      ParseNpyHeader(source.ReadString(preamble.text_offset, preamble.text_size), where);
  if (!header.dtype.refusal.empty()) where.Fail(header.dtype.refusal);

  ArrayInfo info{"", std::move(header.shape), header.dtype.type};
  CheckNpySize(info, preamble.data_offset(), source.size(), where);
  Payload payload;
  payload.offset = preamble.data_offset();
  payload.fortran_order = header.fortran_order;
  payload.swap_bytes = header.dtype.swap_bytes;
  ArrayTable table;
  table.Add(std::move(info), std::move(payload));
  return table;
}

}  // namespace alcedo::internal
