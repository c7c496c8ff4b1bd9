#include "alcedo/image/image_testing.h"

// clang-format off
#include <cstddef>
#include <cstdio>
#include <jpeglib.h>
// clang-format on
#include <png.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace alcedo::testing {

Pixels MakePixels(int width, int height, int channels, int max_value) {
  Pixels pixels{width, height, channels, {}};
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      for (int c = 0; c < channels; ++c) {
        double value = 0.1 + 0.5 * x / width + 0.3 * y / height;
        if (x > width / 3 && y < height / 2) value = 0.9 - 0.3 * c;
        if ((x - width / 4) * (x - width / 4) + (y - height / 2) * (y - height / 2) < height) {
          value = 0.35 * c;
        }
        pixels.values.push_back(static_cast<int>(std::lround(std::min(value, 1.0) * max_value)));
      }
    }
  }
  return pixels;
}

Image ImageOf(const Pixels& pixels) {
  return ImageOf(pixels.width, pixels.height, pixels.channels,
                 [&](int y, int x, int c) { return pixels.At(y, x, c); });
}

double Difference(const Image& a, const Image& b) {
  if (a.width != b.width || a.height != b.height || a.channels != b.channels ||
      a.original_width != b.original_width || a.original_height != b.original_height ||
      a.samples.size() != b.samples.size()) {
    return std::numeric_limits<double>::infinity();
  }
  double difference = 0;
  for (std::size_t i = 0; i < a.samples.size(); ++i) {
    const double d = std::abs(static_cast<double>(a.samples[i]) - b.samples[i]);
    difference = std::max(difference, std::isnan(d) ? 1e300 : d);
  }
  return difference;
}

std::string Exif(int orientation, bool big_endian) {
  std::string exif = big_endian ? "MM" : "II";
  const auto put = [&](unsigned value, int bytes) {
    for (int i = 0; i < bytes; ++i) {
      exif += static_cast<char>(value >> 8 * (big_endian ? bytes - 1 - i : i) & 255);
    }
  };
  put(42, 2);
  put(8, 4);  // where the directory is
  put(3, 2);  // entries: tag, type, count, value; a SHORT lies in the first two bytes of its four
  const auto put_short = [&](unsigned tag, unsigned value) {
    put(tag, 2), put(3, 2), put(1, 4), put(value, 2), put(0, 2);
  };
  put_short(0x0103, 6);  // compression
  put_short(0x0112, static_cast<unsigned>(orientation));
  put_short(0x0128, 2);  // unit of the resolution
  put(0, 4);             // no further directory
  return exif;
}

std::string Jpeg(const Pixels& pixels, const JpegSpec& spec) {
  jpeg_compress_struct cinfo = {};
  jpeg_error_mgr errors;
  cinfo.err = jpeg_std_error(&errors);
  jpeg_create_compress(&cinfo);
  unsigned char* data = nullptr;
  unsigned long size = 0;
  jpeg_mem_dest(&cinfo, &data, &size);
  cinfo.image_width = static_cast<JDIMENSION>(pixels.width);
  cinfo.image_height = static_cast<JDIMENSION>(pixels.height);
  cinfo.input_components = pixels.channels;
  cinfo.in_color_space = pixels.channels == 1   ? JCS_GRAYSCALE
                         : pixels.channels == 3 ? JCS_RGB
                                                : JCS_CMYK;
  jpeg_set_defaults(&cinfo);
  if (spec.stored_space != 0) {
    jpeg_set_colorspace(&cinfo, static_cast<J_COLOR_SPACE>(spec.stored_space));
  }
  jpeg_set_quality(&cinfo, spec.quality, TRUE);
  for (int c = 0; c < pixels.channels; c += 3) {  // luminance and black
    cinfo.comp_info[c].h_samp_factor = cinfo.comp_info[c].v_samp_factor = spec.sampling;
  }
  cinfo.restart_in_rows = spec.restart_rows;
  cinfo.arith_code = spec.arithmetic ? TRUE : FALSE;
  if (spec.progressive) jpeg_simple_progression(&cinfo);
  std::vector<jpeg_scan_info> scans;
  if (spec.separate_scans) {
    for (int c = 0; c < pixels.channels; ++c) scans.push_back({1, {c}, 0, 63, 0, 0});
  }
  if (spec.ac_scans > 0) {
    for (int c = 0; c < pixels.channels; ++c) scans.push_back({1, {c}, 0, 0, 0, 0});
    for (int s = 0; s < spec.ac_scans; ++s) {
      const int coefficient = 1 + s % 63;
      scans.push_back({1, {s / 63}, coefficient, coefficient, 0, 0});
    }
  }
  if (!scans.empty()) {
    cinfo.scan_info = scans.data();
    cinfo.num_scans = static_cast<int>(scans.size());
  }
  jpeg_start_compress(&cinfo, TRUE);
  if (!spec.exif.empty()) {
    const std::string app1 = std::string("Exif\0\0", 6) + spec.exif;
    jpeg_write_marker(&cinfo, JPEG_APP0 + 1, reinterpret_cast<const JOCTET*>(app1.data()),
                      static_cast<unsigned>(app1.size()));
  }
  const std::vector<JSAMPLE> samples(pixels.values.begin(), pixels.values.end());
  while (cinfo.next_scanline < cinfo.image_height) {
    JSAMPROW row = const_cast<JSAMPROW>(samples.data()) +
                   static_cast<std::size_t>(cinfo.next_scanline) * pixels.width * pixels.channels;
    jpeg_write_scanlines(&cinfo, &row, 1);
  }
  jpeg_finish_compress(&cinfo);
  jpeg_destroy_compress(&cinfo);
  std::string bytes(reinterpret_cast<const char*>(data), size);
  free(data);
  return bytes;
}

std::string PngChunk(const std::string& type, const std::string& data) {
  const std::string body = type + data;
  std::uint32_t crc = 0xFFFFFFFF;
  for (const char c : body) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320 : 0);
  }
  const auto word = [](std::uint32_t value) {
    std::string text;
    for (int shift = 24; shift >= 0; shift -= 8) text += static_cast<char>(value >> shift & 255);
    return text;
  };
  return word(static_cast<std::uint32_t>(data.size())) + body + word(~crc);
}

std::string Png(const Pixels& pixels, const PngSpec& spec) {
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png_create_info_struct(png);
  std::string bytes;
  png_set_write_fn(
      png, &bytes,
      [](png_structp p, png_bytep data, std::size_t count) {
        static_cast<std::string*>(png_get_io_ptr(p))
            ->append(reinterpret_cast<const char*>(data), count);
      },
      nullptr);
  png_set_IHDR(png, info, static_cast<png_uint_32>(pixels.width),
               static_cast<png_uint_32>(pixels.height), spec.bit_depth, spec.color_type,
               spec.interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  if (!spec.palette.empty()) {
    std::vector<png_color> palette;
    for (std::size_t i = 0; i + 2 < spec.palette.size(); i += 3) {
      palette.push_back({spec.palette[i], spec.palette[i + 1], spec.palette[i + 2]});
    }
    png_set_PLTE(png, info, palette.data(), static_cast<int>(palette.size()));
  }
  png_write_info(png, info);
  png_set_packing(png);  // one sample of less than 8 bits per byte
  std::vector<std::vector<png_byte>> rows(pixels.height);
  std::vector<png_bytep> pointers;
  for (int y = 0; y < pixels.height; ++y) {
    for (int i = 0; i < pixels.width * pixels.channels; ++i) {
      const int value = pixels.values[y * pixels.width * pixels.channels + i];
      if (spec.bit_depth == 16) rows[y].push_back(static_cast<png_byte>(value >> 8));
      rows[y].push_back(static_cast<png_byte>(value & 255));
    }
    pointers.push_back(rows[y].data());
  }
  png_write_image(png, pointers.data());
  png_write_end(png, nullptr);
  png_destroy_write_struct(&png, &info);

  // By hand, to have them where they are wanted: before the pixels, or before the end.
  const std::size_t first_data = bytes.find("IDAT") - 4;
  if (!spec.exif.empty()) {
    bytes.insert(spec.exif_last ? bytes.size() - 12 : first_data, PngChunk("eXIf", spec.exif));
  }
  if (!spec.transparency.empty()) {
    bytes.insert(first_data,
                 PngChunk("tRNS", {spec.transparency.begin(), spec.transparency.end()}));
  }
  return bytes;
}

}  // namespace alcedo::testing
