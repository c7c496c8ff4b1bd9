#include <png.h>

#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include "alcedo/image/decoders.h"
#include "alcedo/image/row_sink.h"

namespace alcedo::internal {
namespace {

// Whether a chunk before the end of the image claims more bytes than there are: libpng would take
// memory for an orientation of that size before it reads it.
bool IsCutOff(std::string_view bytes) {
  constexpr std::size_t kSignature = 8, kHead = 8, kChecksum = 4;
  for (std::size_t at = kSignature; at + kHead <= bytes.size();) {
    const auto* length = reinterpret_cast<png_const_bytep>(bytes.data() + at);
    const std::size_t size = kHead + png_get_uint_32(length) + kChecksum;
    if (size > bytes.size() - at) return true;
    if (bytes.substr(at + 4, 4) == "IEND") return false;
    at += size;
  }
  return true;
}

class PngDecoder {
 public:
  explicit PngDecoder(const ImageSource& source) : source_(source), rest_(source.bytes) {
    png = png_create_read_struct(PNG_LIBPNG_VER_STRING, this, &OnError, [](png_structp, auto) {});
    info = png == nullptr ? nullptr : png_create_info_struct(png);
    if (info == nullptr) {
      png_destroy_read_struct(&png, nullptr, nullptr);
      ThrowUndecodable(source_, "PNG", "libpng cannot start");
    }
  }
  PngDecoder(const PngDecoder&) = delete;
  PngDecoder& operator=(const PngDecoder&) = delete;
  ~PngDecoder() { png_destroy_read_struct(&png, &info, nullptr); }

  // Calls into libpng; its errors become a FormatError.
  template <class Body>
  void Call(Body body) {
    if (!jump_.Try(body)) ThrowUndecodable(source_, "PNG", jump_.message());
  }

  void ReadHeader() {
    Call([this] {
      png_set_read_fn(png, this, &OnRead);
      // A wrong checksum is an error everywhere; libpng would only drop transparency, for one.
      png_set_crc_action(png, PNG_CRC_ERROR_QUIT, PNG_CRC_ERROR_QUIT);
      // Our own limits hold.
      png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
      // Of what is not needed to draw the image only the orientation is looked at: texts and
      // colour profiles can unpack to a great deal.
      static const png_byte kExif[] = "eXIf";
      png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, nullptr, -1);
      png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_AS_DEFAULT, kExif, 1);
      png_read_info(png, info);
    });
  }

  png_structp png = nullptr;
  png_infop info = nullptr;

 private:
  [[noreturn]] static void OnError(png_structp png, png_const_charp message) {
    static_cast<PngDecoder*>(png_get_error_ptr(png))->jump_.Jump(message);
  }
  static void OnRead(png_structp png, png_bytep out, std::size_t count) {
    std::string_view& rest = static_cast<PngDecoder*>(png_get_io_ptr(png))->rest_;
    if (count > rest.size()) png_error(png, "it is truncated");
    std::memcpy(out, rest.data(), count);
    rest.remove_prefix(count);
  }

  const ImageSource& source_;
  std::string_view rest_;
  ErrorJump jump_;
};

// Gives the rows of one image to a sink.
class RowConverter {
 public:
  RowConverter(int width, int channels, int bit_depth, RowSink& sink)
      : width_(width), channels_(channels), bit_depth_(bit_depth), sink_(sink) {
    if (!IsPlain()) floats_.resize(static_cast<std::size_t>(width) * channels);
  }

  void Add(const png_byte* row) {
    if (IsPlain()) return sink_.AddRow(row);
    for (std::size_t i = 0; i < floats_.size(); ++i) {
      // 16 bits, the high byte first: 65535 = 255 * 257.
      floats_[i] = bit_depth_ == 8 ? static_cast<float>(row[i])
                                   : static_cast<float>(row[2 * i] * 256 + row[2 * i + 1]) / 257;
    }
    if (HasAlpha()) ComposeOverWhite(floats_.data(), width_, channels_ - 1, floats_.data());
    sink_.AddRow(floats_.data());
  }

 private:
  bool HasAlpha() const { return channels_ % 2 == 0; }
  bool IsPlain() const { return bit_depth_ == 8 && !HasAlpha(); }

  int width_, channels_, bit_depth_;
  RowSink& sink_;
  std::vector<float> floats_;
};

int OrientationOf(PngDecoder& decoder) {
  png_uint_32 size = 0;
  png_bytep data = nullptr;
  decoder.Call([&] { png_get_eXIf_1(decoder.png, decoder.info, &size, &data); });
  return data == nullptr ? 1 : ExifOrientation({reinterpret_cast<const char*>(data), size});
}

}  // namespace

Image ReadPng(const ImageSource& source) {
  if (IsCutOff(source.bytes)) ThrowUndecodable(source, "PNG", "it is truncated");
  PngDecoder decoder(source);
  png_structp png = decoder.png;
  png_infop info = decoder.info;
  decoder.ReadHeader();
  const ImageSize target =
      CheckSize(source, png_get_image_width(png, info), png_get_image_height(png, info));
  const int width = static_cast<int>(png_get_image_width(png, info));
  const int height = static_cast<int>(png_get_image_height(png, info));

  int passes = 1;
  decoder.Call([&] {
    // Palettes to colours, 1 to 4 bits to 8, a transparent colour to alpha.
    png_set_expand(png);
    passes = png_set_interlace_handling(png);
  });
  // libpng holds a few rows, of at most 8 bytes a pixel; an interlaced image is held whole.
  const bool color = (png_get_color_type(png, info) & PNG_COLOR_MASK_COLOR) != 0;
  const double pixel_bytes = (color ? 4.0 : 2.0) * (png_get_bit_depth(png, info) == 16 ? 2 : 1);
  const double held_rows = passes > 1 ? height : 1;
  CheckMemory(source, width, color ? 3 : 1, target,
              width * (4 * 8.0 + pixel_bytes * held_rows) + sizeof(png_bytep) * held_rows);

  decoder.Call([&] { png_read_update_info(png, info); });
  const std::size_t stride = png_get_rowbytes(png, info);
  RowSink sink(width, height, color ? 3 : 1, target);
  RowConverter converter(width, png_get_channels(png, info), png_get_bit_depth(png, info), sink);
  if (passes == 1) {
    std::vector<png_byte> row(stride);
    for (int y = 0; y < height; ++y) {
      decoder.Call([&] { png_read_row(png, row.data(), nullptr); });
      converter.Add(row.data());
    }
  } else {
    std::vector<png_byte> samples(stride * height);
    std::vector<png_bytep> rows(height);
    for (int y = 0; y < height; ++y) rows[y] = samples.data() + y * stride;
    decoder.Call([&] { png_read_image(png, rows.data()); });
    for (const png_bytep row : rows) converter.Add(row);
  }
  // Also what follows the pixels, to the end: orientation may be there.
  decoder.Call([&] { png_read_end(png, info); });
  Image image = std::move(sink).Finish(width, height);
  TurnUpright(OrientationOf(decoder), image);
  return image;
}

}  // namespace alcedo::internal
