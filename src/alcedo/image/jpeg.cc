// clang-format off
#include <cstddef>
#include <cstdio>
#include <jpeglib.h>
#include <jerror.h>
// clang-format on

#include <cstdint>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

#include "alcedo/image/decoders.h"
#include "alcedo/image/row_sink.h"

namespace alcedo::internal {
namespace {

using namespace std::string_view_literals;

constexpr int kExifMarker = JPEG_APP0 + 1;
// Encoders make about ten scans. A file of a few kilobytes can hold thousands of empty ones, each
// of which goes through the whole image.
constexpr int kMaxScans = 100;
// How many rows are asked for at once; libjpeg hands out one or two.
constexpr int kRows = 4;

// These are about the notes of the file, not about its image.
bool IsHarmless(int warning) {
  return warning == JWRN_ADOBE_XFORM || warning == JWRN_JFIF_MAJOR || warning == JWRN_BOGUS_ICC;
}

long MemoryLimit(const ImageOptions& options) {
  const double bytes = options.max_image_memory * (1 << 20);
  return bytes < 0x1p62 ? static_cast<long>(bytes) : std::numeric_limits<long>::max();
}

class JpegDecoder {
 public:
  explicit JpegDecoder(const ImageSource& source) : source_(source) {
    cinfo.err = jpeg_std_error(&errors_);
    cinfo.client_data = this;
    errors_.error_exit = [](j_common_ptr info) { Of(info).Fail(); };
    errors_.emit_message = [](j_common_ptr info, int level) {
      // libjpeg would go on after a warning, with grey in place of what is missing.
      if (level < 0 && !IsHarmless(info->err->msg_code)) Of(info).Fail();
    };
    errors_.output_message = [](j_common_ptr) {};
    progress_.progress_monitor = [](j_common_ptr info) {
      if (reinterpret_cast<j_decompress_ptr>(info)->input_scan_number > kMaxScans) {
        Of(info).jump_.Jump("it has more than 100 scans");
      }
    };
    Call([this] {
      jpeg_create_decompress(&cinfo);
      cinfo.progress = &progress_;
      // Nothing beyond this is asked for, as CheckMemory looked before; it also keeps libjpeg from
      // reading a limit from the environment.
      cinfo.mem->max_memory_to_use = MemoryLimit(source_.options);
      jpeg_mem_src(&cinfo, reinterpret_cast<const unsigned char*>(source_.bytes.data()),
                   source_.bytes.size());
      jpeg_set_marker_processor(&cinfo, kExifMarker, &OnExifMarker);
    });
  }
  JpegDecoder(const JpegDecoder&) = delete;
  JpegDecoder& operator=(const JpegDecoder&) = delete;
  ~JpegDecoder() { jpeg_destroy_decompress(&cinfo); }

  // Calls into libjpeg; its errors become a FormatError.
  template <class Body>
  void Call(Body body) {
    if (!jump_.Try(body)) ThrowUndecodable(source_, "JPEG", jump_.message());
  }

  int Orientation() const { return exif_.empty() ? 1 : ExifOrientation(exif_); }

  jpeg_decompress_struct cinfo = {};

 private:
  static JpegDecoder& Of(j_common_ptr info) {
    return *static_cast<JpegDecoder*>(info->client_data);
  }
  // Keeps where the EXIF data are. libjpeg would copy all segments of this kind, up to the size of
  // the file.
  static boolean OnExifMarker(j_decompress_ptr info) {
    JpegDecoder& decoder = Of(reinterpret_cast<j_common_ptr>(info));
    jpeg_source_mgr& input = *info->src;
    std::string_view rest(reinterpret_cast<const char*>(input.next_input_byte),
                          input.bytes_in_buffer);
    if (rest.size() < 2) decoder.jump_.Jump("it is truncated");
    const std::size_t size = input.next_input_byte[0] * 256u + input.next_input_byte[1];
    if (size < 2 || size > rest.size()) decoder.jump_.Jump("it is truncated");
    const std::string_view data = rest.substr(2, size - 2);
    if (decoder.exif_.empty() && data.starts_with("Exif\0\0"sv)) decoder.exif_ = data;
    input.next_input_byte += size;
    input.bytes_in_buffer -= size;
    return TRUE;
  }
  [[noreturn]] void Fail() {
    char message[JMSG_LENGTH_MAX];
    errors_.format_message(reinterpret_cast<j_common_ptr>(&cinfo), message);
    jump_.Jump(message);
  }

  const ImageSource& source_;
  std::string_view exif_;
  jpeg_error_mgr errors_ = {};
  jpeg_progress_mgr progress_ = {};
  ErrorJump jump_;
};

void ChooseColors(const ImageSource& source, jpeg_decompress_struct& cinfo) {
  switch (cinfo.jpeg_color_space) {
    case JCS_GRAYSCALE:
      cinfo.out_color_space = JCS_GRAYSCALE;
      break;
    case JCS_RGB:
    case JCS_YCbCr:
      cinfo.out_color_space = JCS_RGB;
      break;
    case JCS_CMYK:
    case JCS_YCCK:
      cinfo.out_color_space = JCS_CMYK;
      break;
    default:
      ThrowUndecodable(source, "JPEG", "its colours are neither grey, RGB, YCbCr, CMYK nor YCCK");
  }
}

// The smallest fraction of its size at which the image is still at least twice the target. Of a
// photograph of 12 megapixels reduced to 0.1, a quarter (2.7 times the target) differs from the
// whole by 1.2 levels rms at a quarter of the time; an eighth (1.4 times) by 3.9, for 20% less
// time. Only halves, quarters and eighths: the transforms between are no faster than the whole.
void ChooseScale(ImageSize target, jpeg_decompress_struct& cinfo) {
  cinfo.scale_num = cinfo.scale_denom = 8;
  for (const std::int64_t eighths : {1, 2, 4}) {
    if (cinfo.image_width * eighths >= 16 * static_cast<std::int64_t>(target.width) &&
        cinfo.image_height * eighths >= 16 * static_cast<std::int64_t>(target.height)) {
      cinfo.scale_num = static_cast<unsigned>(eighths);
      return;
    }
  }
}

// What libjpeg allocates: images of several scans are held as coefficients until the last one.
double DecoderBytes(jpeg_decompress_struct& cinfo) {
  double bytes = 64.0 * cinfo.image_width * cinfo.num_components;
  if (!jpeg_has_multiple_scans(&cinfo)) return bytes;
  for (int c = 0; c < cinfo.num_components; ++c) {
    const jpeg_component_info& component = cinfo.comp_info[c];
    // Up to a whole number of minimum coded units.
    const double columns = component.width_in_blocks + component.h_samp_factor;
    const double rows = component.height_in_blocks + component.v_samp_factor;
    bytes += columns * rows * sizeof(JBLOCK);
  }
  return bytes;
}

// Adobe's programs, the only ones that write CMYK, store inverted inks: 255 is none.
void RgbFromInvertedCmyk(const JSAMPLE* row, int width, float* out) {
  for (int x = 0; x < width; ++x, row += 4, out += 3) {
    for (int c = 0; c < 3; ++c) out[c] = static_cast<float>(row[c] * row[3]) / 255;
  }
}

}  // namespace

Image ReadJpeg(const ImageSource& source) {
  JpegDecoder decoder(source);
  jpeg_decompress_struct& cinfo = decoder.cinfo;
  decoder.Call([&] { jpeg_read_header(&cinfo, TRUE); });
  const int width = static_cast<int>(cinfo.image_width);
  const int height = static_cast<int>(cinfo.image_height);
  const ImageSize target = CheckSize(source, width, height);
  ChooseColors(source, cinfo);
  ChooseScale(target, cinfo);
  const int channels = cinfo.out_color_space == JCS_GRAYSCALE ? 1 : 3;
  CheckMemory(source, width, channels, target, DecoderBytes(cinfo));

  decoder.Call([&] { jpeg_start_decompress(&cinfo); });
  const int out_width = static_cast<int>(cinfo.output_width);
  const std::size_t stride = static_cast<std::size_t>(out_width) * cinfo.output_components;
  std::vector<JSAMPLE> samples(kRows * stride);
  JSAMPROW rows[kRows];
  for (int r = 0; r < kRows; ++r) rows[r] = samples.data() + r * stride;
  std::vector<float> rgb(cinfo.out_color_space == JCS_CMYK ? 3 * out_width : 0);
  RowSink sink(out_width, static_cast<int>(cinfo.output_height), channels, target);
  while (cinfo.output_scanline < cinfo.output_height) {
    JDIMENSION count = 0;
    decoder.Call([&] { count = jpeg_read_scanlines(&cinfo, rows, kRows); });
    for (JDIMENSION r = 0; r < count; ++r) {
      if (rgb.empty()) {
        sink.AddRow(rows[r]);
      } else {
        RgbFromInvertedCmyk(rows[r], out_width, rgb.data());
        sink.AddRow(rgb.data());
      }
    }
  }
  // Up to the end of the image: a file that lacks it is truncated.
  decoder.Call([&] { jpeg_finish_decompress(&cinfo); });
  Image image = std::move(sink).Finish(width, height);
  TurnUpright(decoder.Orientation(), image);
  return image;
}

}  // namespace alcedo::internal
