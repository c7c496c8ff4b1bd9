// The header of a .npy is a Python dict literal. This parses exactly the literals that describe an
// array, and evaluates nothing.
#include <fmt/format.h>

#include <limits>
#include <optional>

#include "alcedo/base/error.h"
#include "alcedo/io/npy.h"

namespace alcedo::internal {
namespace {

class HeaderParser {
 public:
  HeaderParser(std::string_view text, const std::string& where) : text_(text), where_(where) {}

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
      throw FormatError(
          fmt::format("{}: the .npy header has the unknown key {}; only 'descr', "
                      "'fortran_order' and 'shape' are known",
                      where_, Quote(key)));
    }
  }

  template <typename T>
  void Set(std::optional<T>& field, std::string_view key, T value) {
    if (field) throw FormatError(fmt::format("{}: the .npy header has '{}' twice", where_, key));
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
      throw FormatError(
          fmt::format("{}: the shape in the .npy header has a negative dimension", where_));
    }
    const std::size_t begin = position_;
    constexpr Index kMax = std::numeric_limits<Index>::max();
    Index value = 0;
    for (; Peek() >= '0' && Peek() <= '9'; ++position_) {
      const Index digit = Peek() - '0';
      if (value > (kMax - digit) / 10) {
        throw FormatError(
            fmt::format("{}: a dimension in the .npy header is larger than {}", where_, kMax));
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
    throw FormatError(fmt::format("{}: the .npy header is malformed: {} is expected at its byte {}",
                                  where_, expected, position_));
  }

  [[noreturn]] void FailMissing(std::string_view key) const {
    throw FormatError(fmt::format("{}: the .npy header has no '{}'", where_, key));
  }

  std::string_view text_;
  const std::string& where_;
  std::size_t position_ = 0;
  std::optional<NpyDtype> dtype_;
  std::optional<bool> fortran_order_;
  std::optional<std::vector<Index>> shape_;
};

}  // namespace

NpyHeader ParseNpyHeader(std::string_view text, const std::string& where) {
  return HeaderParser(text, where).Parse();
}

}  // namespace alcedo::internal
