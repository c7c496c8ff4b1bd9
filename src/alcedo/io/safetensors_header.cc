#include "alcedo/io/safetensors_header.h"

#include <fmt/format.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "alcedo/base/error.h"
#include "alcedo/io/array_table.h"
#include "alcedo/io/safetensors.h"

namespace alcedo::internal {
namespace {

using nlohmann::json;

// Follows the parser's events and stops at the first that does not fit. No document is built: one
// of a hostile header would take many times its size, and would have lost the duplicate keys.
class HeaderHandler final : public nlohmann::json_sax<json> {
 public:
  SafetensorsHeader header;
  std::string problem;

  bool start_object(std::size_t) override {
    if (state_ == State::kStart) return Enter(State::kTop);
    if (state_ != State::kEntry) return Unexpected("an object");
    if (name_ == kSafetensorsMetadata) return Enter(State::kMetadata);
    entry_ = {name_, "", {}, 0, 0};
    fields_.clear();
    return Enter(State::kTensor);
  }

  bool key(string_t& key) override {
    if (state_ == State::kTop) {
      if (!names_.insert(key).second) return Stop(fmt::format("has {} twice", Quote(key)));
      name_ = key;
      return Enter(State::kEntry);
    }
    field_ = key;
    if (state_ == State::kMetadata) {
      if (header.metadata.contains(key)) return StopAtName(fmt::format("has {} twice", Quote(key)));
      return true;
    }
    if (key != "dtype" && key != "shape" && key != "data_offsets") {
      return StopAtName(fmt::format("has the unknown key {}", Quote(key)));
    }
    if (!fields_.insert(key).second) return StopAtName(fmt::format("has '{}' twice", key));
    return true;
  }

  bool string(string_t& value) override {
    if (state_ == State::kMetadata) {
      header.metadata.emplace(field_, value);
      return true;
    }
    if (state_ != State::kTensor || field_ != "dtype") return Unexpected("a string");
    entry_.dtype = value;
    return true;
  }

  bool start_array(std::size_t) override {
    if (state_ != State::kTensor || field_ == "dtype") return Unexpected("a list");
    offsets_ = 0;
    return Enter(field_ == "shape" ? State::kShape : State::kOffsets);
  }

  bool number_unsigned(number_unsigned_t value) override {
    if (state_ == State::kShape) {
      if (value > static_cast<std::uint64_t>(std::numeric_limits<Index>::max())) {
        return StopAtName(fmt::format("has a dimension of {}, which is too large", value));
      }
      entry_.shape.push_back(static_cast<Index>(value));
      return true;
    }
    if (state_ != State::kOffsets) return Unexpected("a number");
    if (offsets_ == 2) return StopAtName("has more than two data_offsets");
    (offsets_++ == 0 ? entry_.begin : entry_.end) = value;
    return true;
  }

  bool end_array() override {
    if (state_ == State::kOffsets && offsets_ != 2) return StopAtName("needs two data_offsets");
    return Enter(State::kTensor);
  }

  bool end_object() override {
    if (state_ == State::kTop) return Enter(State::kEnd);
    if (state_ == State::kTensor) {
      for (const char* field : {"dtype", "shape", "data_offsets"}) {
        if (!fields_.contains(field)) return StopAtName(fmt::format("has no '{}'", field));
      }
      header.entries.push_back(std::move(entry_));
    }
    return Enter(State::kTop);
  }

  bool number_integer(number_integer_t value) override {
    return StopAtName(fmt::format("has the number {}, which must not be negative", value));
  }
  bool number_float(number_float_t, const string_t& text) override {
    return StopAtName(fmt::format("has the number {}, which must be a whole one", Quote(text)));
  }
  bool null() override { return Unexpected("null"); }
  bool boolean(bool) override { return Unexpected("a boolean"); }
  bool binary(binary_t&) override { return Unexpected("binary data"); }

  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::detail::exception&) override {
    return Stop(fmt::format("is not valid JSON near its byte {}", position));
  }

 private:
  enum class State { kStart, kTop, kEntry, kMetadata, kTensor, kShape, kOffsets, kEnd };

  bool Enter(State state) {
    state_ = state;
    return true;
  }

  bool Stop(std::string what) {
    problem = std::move(what);
    return false;
  }

  bool StopAtName(std::string_view what) {
    return Stop(fmt::format("is wrong: {} {}", Quote(name_), what));
  }

  bool Unexpected(std::string_view what) {
    return Stop(fmt::format("is wrong: {} is not expected in {}", what, Quote(name_)));
  }

  State state_ = State::kStart;
  std::string name_;   // the key of the top object that we are in
  std::string field_;  // the key within it
  std::set<std::string> names_;
  std::set<std::string> fields_;
  SafetensorsEntry entry_;
  int offsets_ = 0;
};

}  // namespace

SafetensorsHeader ParseSafetensorsHeader(std::string_view text, const std::string& file) {
  HeaderHandler handler;
  if (!json::sax_parse(text.begin(), text.end(), &handler)) {
    throw FormatError(fmt::format("{}: the safetensors header {}", file, handler.problem));
  }
  return std::move(handler.header);
}

}  // namespace alcedo::internal
