#include "alcedo/dataset/mat_stream.h"

#include <algorithm>
#include <array>
#include <bit>
#include <new>
#include <utility>

#include "alcedo/base/error.h"
#include "alcedo/io/element.h"

namespace alcedo::internal {

void FailMat(const std::string& file, const std::string& reason) {
  throw FormatError(file, reason, Hint{"unpack or download it again", "", ""});
}

void MatStream::EndInflate::operator()(z_stream* stream) const {
  inflateEnd(stream);
  delete stream;
}

MatStream::MatStream(std::string_view bytes, Storage storage, bool big_endian, std::string file)
    : big_endian_(big_endian), file_(std::move(file)) {
  if (storage == Storage::kPlain) {
    plain_ = bytes;
    return;
  }
  auto stream = std::make_unique<z_stream>();
  // zlib reads these bytes only; its type has no const.
  stream->next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream->avail_in = static_cast<uInt>(bytes.size());
  if (inflateInit(stream.get()) != Z_OK) throw std::bad_alloc();
  inflate_.reset(stream.release());
}

std::size_t MatStream::Fill(std::span<char> out) {
  if (inflate_ == nullptr) {
    const std::size_t count = std::min(out.size(), plain_.size());
    std::copy_n(plain_.begin(), count, out.begin());
    plain_.remove_prefix(count);
    return count;
  }
  inflate_->next_out = reinterpret_cast<Bytef*>(out.data());
  inflate_->avail_out = static_cast<uInt>(out.size());
  while (inflate_->avail_out > 0 && !inflate_ended_) {
    // Z_BUF_ERROR: the compressed bytes end too early.
    const int status = inflate(inflate_.get(), Z_NO_FLUSH);
    if (status == Z_MEM_ERROR) throw std::bad_alloc();
    if (status != Z_OK && status != Z_STREAM_END) {
      FailMat(file_, "its compressed data is damaged");
    }
    inflate_ended_ = status == Z_STREAM_END;
  }
  return out.size() - inflate_->avail_out;
}

void MatStream::Read(std::span<char> out) {
  if (Fill(out) != out.size()) FailMat(file_, "it is damaged: it holds less than it says");
  position_ += out.size();
}

void MatStream::Skip(std::uint64_t count) {
  std::array<char, 4096> unused;
  while (count > 0) {
    const std::uint64_t some = std::min<std::uint64_t>(count, unused.size());
    Read(std::span(unused).first(some));
    count -= some;
  }
}

std::uint32_t MatStream::Word() {
  std::array<char, 4> bytes;
  Read(bytes);
  if (big_endian_) std::ranges::reverse(bytes);
  return LoadLittle<std::uint32_t>(bytes.data());
}

bool MatStream::AtEnd() {
  std::array<char, 1> extra;
  if (Fill(extra) != 0) return false;
  return inflate_ == nullptr || (inflate_ended_ && inflate_->avail_in == 0);
}

}  // namespace alcedo::internal
