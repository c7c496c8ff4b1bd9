#include <fmt/format.h>

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "alcedo/image/decoders.h"
#include "alcedo/image/row_sink.h"

namespace alcedo::internal {
namespace {

bool IsSpace(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// What is left of the file.
class PnmReader {
 public:
  explicit PnmReader(const ImageSource& source) : source_(source), rest_(source.bytes) {}

  [[noreturn]] void Fail(std::string_view reason) const {
    ThrowUndecodable(source_, "PNM", reason);
  }

  char Take() {
    if (rest_.empty()) Fail("it is truncated");
    const char c = rest_.front();
    rest_.remove_prefix(1);
    return c;
  }

  // The next whole number, after spaces and comments.
  int Number() {
    SkipSpace();
    if (!IsDigit(rest_.front())) Fail("it has something else where a number is needed");
    std::int64_t value = 0;
    while (!rest_.empty() && IsDigit(rest_.front())) {
      value = 10 * value + (Take() - '0');
      if (value > INT32_MAX) Fail("it has a number that is too large");
    }
    return static_cast<int>(value);
  }

  // A pixel of a plain bitmap, which needs no space around it.
  int Bit() {
    SkipSpace();
    const char c = Take();
    if (c != '0' && c != '1') Fail("it has something else where a 0 or a 1 is needed");
    return c - '0';
  }

  const unsigned char* Bytes(std::size_t count) {
    if (count > rest_.size()) Fail("it is truncated");
    const auto* bytes = reinterpret_cast<const unsigned char*>(rest_.data());
    rest_.remove_prefix(count);
    return bytes;
  }
  std::size_t size() const { return rest_.size(); }

 private:
  // Leaves at least one character.
  void SkipSpace() {
    for (;;) {
      if (rest_.empty()) Fail("it is truncated");
      if (rest_.front() == '#') {
        while (!rest_.empty() && rest_.front() != '\n') rest_.remove_prefix(1);
      } else if (IsSpace(rest_.front())) {
        rest_.remove_prefix(1);
      } else {
        return;
      }
    }
  }

  const ImageSource& source_;
  std::string_view rest_;
};

struct PnmHeader {
  int kind;  // of P1 to P6
  int width, height, max_value;

  bool plain() const { return kind <= 3; }
  bool bitmap() const { return kind == 1 || kind == 4; }
  int channels() const { return kind == 3 || kind == 6 ? 3 : 1; }
  // In binary.
  std::int64_t row_bytes() const {
    if (bitmap()) return (static_cast<std::int64_t>(width) + 7) / 8;
    return static_cast<std::int64_t>(width) * channels() * (max_value > 255 ? 2 : 1);
  }
};

PnmHeader ReadHeader(PnmReader& reader) {
  reader.Take();
  PnmHeader header{reader.Take() - '0', 0, 0, 1};
  header.width = reader.Number();
  header.height = reader.Number();
  if (!header.bitmap()) header.max_value = reader.Number();
  if (header.max_value < 1 || header.max_value > 65535) {
    reader.Fail(fmt::format("its largest value must be 1 to 65535, not {}", header.max_value));
  }
  if (!header.plain() && !IsSpace(reader.Take())) {
    reader.Fail("its header must end with a space or a new line");
  }
  return header;
}

// The samples of one row as they are stored.
void ReadSamples(PnmReader& reader, const PnmHeader& header, std::vector<int>& samples) {
  if (header.kind == 1) {
    for (int& sample : samples) sample = reader.Bit();
  } else if (header.plain()) {
    for (int& sample : samples) sample = reader.Number();
  } else {
    const unsigned char* bytes = reader.Bytes(static_cast<std::size_t>(header.row_bytes()));
    for (std::size_t i = 0; i < samples.size(); ++i) {
      if (header.bitmap()) {
        samples[i] = bytes[i / 8] >> (7 - i % 8) & 1;
      } else if (header.max_value > 255) {
        samples[i] = bytes[2 * i] * 256 + bytes[2 * i + 1];
      } else {
        samples[i] = bytes[i];
      }
    }
  }
}

void AddRows(PnmReader& reader, const PnmHeader& header, RowSink& sink) {
  if (header.kind >= 5 && header.max_value == 255) {
    for (int y = 0; y < header.height; ++y) {
      sink.AddRow(reader.Bytes(static_cast<std::size_t>(header.row_bytes())));
    }
    return;
  }
  std::vector<int> samples(static_cast<std::size_t>(header.width) * header.channels());
  std::vector<float> row(samples.size());
  for (int y = 0; y < header.height; ++y) {
    ReadSamples(reader, header, samples);
    for (std::size_t i = 0; i < samples.size(); ++i) {
      if (samples[i] > header.max_value) {
        reader.Fail(fmt::format("it has the value {}, but its largest is {}", samples[i],
                                header.max_value));
      }
      // 255 * 65535 is exact in float. In bitmaps 1 is black.
      const int value = header.bitmap() ? 1 - samples[i] : samples[i];
      row[i] = static_cast<float>(255 * value) / static_cast<float>(header.max_value);
    }
    sink.AddRow(row.data());
  }
}

}  // namespace

Image ReadPnm(const ImageSource& source) {
  PnmReader reader(source);
  const PnmHeader header = ReadHeader(reader);
  const ImageSize target = CheckSize(source, header.width, header.height);
  const int channels = header.channels();
  CheckMemory(source, header.width, channels, target,
              static_cast<double>(header.width) * channels * sizeof(int));
  // Every sample of a plain file takes a character at least.
  const std::int64_t row_bytes =
      header.plain() ? static_cast<std::int64_t>(header.width) * channels : header.row_bytes();
  if (static_cast<std::int64_t>(reader.size()) / header.height < row_bytes) {
    reader.Fail("it is truncated");
  }
  RowSink sink(header.width, header.height, channels, target);
  AddRows(reader, header, sink);
  return std::move(sink).Finish(header.width, header.height);
}

}  // namespace alcedo::internal
