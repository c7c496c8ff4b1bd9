// The byte form of an accumulator: a fixed header, the arrays, and a checksum over both. Everything
// is little-endian and eight bytes wide.
#include <cmath>
#include <cstring>

#include "alcedo/base/error.h"
#include "alcedo/base/types.h"
#include "alcedo/pooling/accumulator.h"

namespace alcedo {
namespace {

constexpr std::uint64_t kMagic = 0x31434341504d4741;  // "AGMPACC1" as bytes

// In the manner of FNV, over eight-byte words; the shift brings high bits down, so that two flipped
// signs do not cancel. It is there against truncation and damage, not against forgery.
std::uint64_t Checksum(std::span<const char> bytes) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (std::size_t at = 0; at + 8 <= bytes.size(); at += 8) {
    std::uint64_t word;
    std::memcpy(&word, bytes.data() + at, 8);
    hash = (hash ^ word) * 0x100000001b3u;
    hash ^= hash >> 32;
  }
  return hash;
}

template <class T>
void Append(std::string& to, const T* from, std::size_t count) {
  static_assert(sizeof(T) == 8);
  to.append(reinterpret_cast<const char*>(from), count * 8);
}

}  // namespace

std::string GmpAccumulator::ToBytes() const {
  const std::int64_t header[] = {static_cast<std::int64_t>(kMagic), num_blocks_, block_size_,
                                 static_cast<std::int64_t>(layout_), num_rows_};
  std::string bytes;
  bytes.reserve(8 * (std::size(header) + 2 + sum_.size() + block_rows_.size() + gram_.size()));
  Append(bytes, header, std::size(header));
  Append(bytes, &squared_norm_, 1);
  Append(bytes, sum_.data(), sum_.size());
  Append(bytes, block_rows_.data(), block_rows_.size());
  Append(bytes, gram_.data(), gram_.size());
  const std::uint64_t checksum = Checksum(bytes);
  Append(bytes, &checksum, 1);
  return bytes;
}

GmpAccumulator GmpAccumulator::FromBytes(std::span<const char> bytes) {
  const auto refuse = [](const char* why) {
    throw FormatError(std::string("accumulator: ") + why + "; write it again with ToBytes");
  };
  std::int64_t header[5];
  if (bytes.size() < sizeof(header) + 16 || bytes.size() % 8 != 0) refuse("the bytes are cut off");
  std::memcpy(header, bytes.data(), sizeof(header));
  const auto [magic, num_blocks, block_size, layout, num_rows] = header;
  if (static_cast<std::uint64_t>(magic) != kMagic) refuse("these bytes are something else");
  if (layout != 0 && layout != 1) refuse("the layout is unknown");
  if (num_blocks < 1 || block_size < 1 || num_rows < 0 ||
      num_blocks > (std::int64_t{1} << 40) / block_size) {
    refuse("the header is damaged");
  }
  // The sizes must add up before anything of that size is allocated.
  const double d = static_cast<double>(num_blocks) * static_cast<double>(block_size);
  const double size = layout == 0 ? static_cast<double>(block_size) : d;
  const double words = 5 + 1 + d + d / size + d * size + 1;
  if (words * 8 != static_cast<double>(bytes.size())) refuse("the bytes are cut off");
  std::uint64_t checksum;
  std::memcpy(&checksum, bytes.data() + bytes.size() - 8, 8);
  if (checksum != Checksum(bytes.first(bytes.size() - 8))) refuse("the checksum does not match");

  GmpAccumulator result(num_blocks, block_size, static_cast<Layout>(layout));
  result.num_rows_ = num_rows;
  const char* at = bytes.data() + sizeof(header);
  const auto take = [&](auto* to, std::size_t count) {
    std::memcpy(to, at, count * 8);
    at += count * 8;
  };
  take(&result.squared_norm_, 1);
  take(result.sum_.data(), result.sum_.size());
  take(result.block_rows_.data(), result.block_rows_.size());
  take(result.gram_.data(), result.gram_.size());
  const Eigen::Map<const Vector> gram(result.gram_.data(), static_cast<Index>(result.gram_.size()));
  if (!std::isfinite(result.squared_norm_) || !result.sum_.allFinite() || !gram.allFinite()) {
    refuse("it holds values that are not finite");
  }
  Index rows = 0;
  for (std::int64_t count : result.block_rows_) {
    if (count < 0 || count > num_rows - rows) refuse("its counts do not add up");
    rows += count;
  }
  if (rows != num_rows) refuse("its counts do not add up");
  return result;
}

}  // namespace alcedo
