#include "alcedo/io/safetensors.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "alcedo/base/error.h"
#include "alcedo/io/element.h"

namespace alcedo::internal {
namespace {

// The JSON header, word for word: nothing is checked against the data yet.

struct SafetensorsEntry {
  std::string name;
  std::string dtype;
  std::vector<Index> shape;
  std::uint64_t begin = 0;  // data_offsets
  std::uint64_t end = 0;
};

struct SafetensorsHeader {
  std::vector<SafetensorsEntry> entries;  // in the header's order
  std::map<std::string, std::string> metadata;
};

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

// A FormatError for anything but the structure above, duplicate keys included.
SafetensorsHeader ParseSafetensorsHeader(std::string_view text, const std::string& file) {
  HeaderHandler handler;
  if (!json::sax_parse(text.begin(), text.end(), &handler)) {
    throw FormatError(file, fmt::format("the safetensors header {}", handler.problem));
  }
  return std::move(handler.header);
}

// The header against the data.

constexpr std::uint64_t kLengthSize = 8;
constexpr std::uint64_t kMaxSafetensorsHeader =
    100'000'000;  // the limit of the format's own library

ElementType TypeOf(std::string_view dtype) {
  for (const auto& [name, type] : kSafetensorsTypes) {
    if (name == dtype) return type;
  }
  return ElementType::kUnsupported;
}

std::string ReadHeaderText(const ByteSource& source) {
  const std::string length = source.ReadString(0, kLengthSize);
  const auto size = LoadLittle<std::uint64_t>(length.data());
  if (size > kMaxSafetensorsHeader) {
    throw FormatError(source.name(),
                      fmt::format("the safetensors header claims {} bytes, more than the limit "
                                  "of {}",
                                  size, kMaxSafetensorsHeader));
  }
  if (size > source.size() - kLengthSize) {
    throw FormatError(source.name(),
                      fmt::format("is truncated: the safetensors header claims {} bytes, but {} "
                                  "are there",
                                  size, source.size() - kLengthSize));
  }
  return source.ReadString(kLengthSize, size);
}

void CheckSize(const ArrayInfo& info, const SafetensorsEntry& entry, const Place& where) {
  const std::uint64_t expected = CheckedByteCount(info, where);
  if (entry.end < entry.begin) {
    where.Fail(fmt::format("its data_offsets [{}, {}] run backwards", entry.begin, entry.end));
  }
  const std::uint64_t actual = entry.end - entry.begin;
  if (info.type != ElementType::kUnsupported && actual != expected) {
    where.Fail(fmt::format("{} needs {} bytes, but its data_offsets [{}, {}] span {}",
                           Describe(info), expected, entry.begin, entry.end, actual));
  }
}

// Arrays side by side from the first byte of the data to the last.
void CheckCoverage(const std::vector<SafetensorsEntry>& entries, std::uint64_t data_size,
                   const std::string& file) {
  std::vector<std::size_t> order(entries.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::pair(entries[a].begin, entries[a].end) <
           std::pair(entries[b].begin, entries[b].end);
  });
  std::uint64_t covered = 0;
  for (const std::size_t i : order) {
    const SafetensorsEntry& entry = entries[i];
    if (entry.begin != covered) {
      ArrayPlace(file, entry.name)
          .Fail(fmt::format("begins at byte {} of the data, {} the one before it, which "
                            "ends at {}",
                            entry.begin, entry.begin < covered ? "inside" : "with a hole after",
                            covered));
    }
    covered = entry.end;
  }
  if (covered > data_size) {
    throw FormatError(file,
                      fmt::format("is truncated: its arrays need {} bytes of data, but {} are "
                                  "there",
                                  covered, data_size));
  }
  if (covered < data_size) {
    throw FormatError(file,
                      fmt::format("has {} bytes after its data: its arrays need {} bytes, but "
                                  "{} are there",
                                  data_size - covered, covered, data_size));
  }
}

}  // namespace

ArrayTable ReadSafetensorsTable(const ByteSource& source) {
  const std::string text = ReadHeaderText(source);
  SafetensorsHeader header = ParseSafetensorsHeader(text, source.name());
  const std::uint64_t data_offset = kLengthSize + text.size();

  std::vector<ArrayInfo> infos;
  infos.reserve(header.entries.size());
  for (SafetensorsEntry& entry : header.entries) {
    infos.push_back({entry.name, std::move(entry.shape), TypeOf(entry.dtype)});
    CheckSize(infos.back(), entry, ArrayPlace(source.name(), entry.name));
  }
  CheckCoverage(header.entries, source.size() - data_offset, source.name());

  ArrayTable table;
  table.metadata = std::move(header.metadata);
  for (std::size_t i = 0; i < infos.size(); ++i) {
    Payload payload;
    payload.offset = data_offset + header.entries[i].begin;
    payload.swap_bytes = std::endian::native != std::endian::little;
    if (infos[i].type == ElementType::kUnsupported) {
      payload.refusal = fmt::format("dtype {} is not supported; save the array as F32",
                                    Quote(header.entries[i].dtype));
    }
    table.Add(std::move(infos[i]), std::move(payload));
  }
  return table;
}

}  // namespace alcedo::internal
