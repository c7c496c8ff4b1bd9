#include "alcedo/image/image_testing.h"

#include <fmt/format.h>
#include <gif_lib.h>
#include <webp/encode.h>

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

namespace {

std::string LittleEndian(unsigned value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> 8 * i & 255);
  return text;
}

std::string RiffChunk(const std::string& type, const std::string& data) {
  return type + LittleEndian(static_cast<unsigned>(data.size()), 4) + data +
         std::string(data.size() % 2, '\0');
}

std::string Vp8x(int flags, int width, int height) {
  return RiffChunk("VP8X", LittleEndian(static_cast<unsigned>(flags), 4) +
                               LittleEndian(static_cast<unsigned>(width - 1), 3) +
                               LittleEndian(static_cast<unsigned>(height - 1), 3));
}

// The chunks of pixels: all but the header, and the VP8X that libwebp writes for lossy alpha.
std::string PixelChunks(const std::string& webp) {
  const std::string chunks = webp.substr(12);
  return chunks.starts_with("VP8X") ? chunks.substr(18) : chunks;
}

std::string Pnm(const std::string& header, const Pixels& pixels, bool plain, int bytes) {
  std::string text = header;
  for (const int value : pixels.values) {
    if (plain) {
      text += fmt::format("{}\n", value);
    } else {
      for (int b = bytes - 1; b >= 0; --b) text += static_cast<char>(value >> 8 * b & 255);
    }
  }
  return text;
}

}  // namespace

std::string Webp(const Pixels& pixels, bool lossless) {
  const std::vector<std::uint8_t> samples(pixels.values.begin(), pixels.values.end());
  const int stride = pixels.width * pixels.channels;
  std::uint8_t* data = nullptr;
  std::size_t size = 0;
  const int w = pixels.width, h = pixels.height;
  if (pixels.channels == 3) {
    size = lossless ? WebPEncodeLosslessRGB(samples.data(), w, h, stride, &data)
                    : WebPEncodeRGB(samples.data(), w, h, stride, 90, &data);
  } else {
    size = lossless ? WebPEncodeLosslessRGBA(samples.data(), w, h, stride, &data)
                    : WebPEncodeRGBA(samples.data(), w, h, stride, 90, &data);
  }
  std::string bytes(reinterpret_cast<const char*>(data), size);
  WebPFree(data);
  return bytes;
}

std::string WebpWithExif(const std::string& webp, int width, int height, bool alpha,
                         const std::string& exif) {
  return RiffChunk("RIFF", "WEBP" + Vp8x(8 + (alpha ? 16 : 0), width, height) + PixelChunks(webp) +
                               RiffChunk("EXIF", exif));
}

std::string WebpAnimation(const std::vector<std::string>& frames, int frame_width, int frame_height,
                          int x, int y, int canvas_width, int canvas_height) {
  std::string body = "WEBP" + Vp8x(2 + 16, canvas_width, canvas_height) +
                     RiffChunk("ANIM", LittleEndian(0xFF0000FF, 4) + LittleEndian(0, 2));
  for (const std::string& frame : frames) {
    body += RiffChunk("ANMF", LittleEndian(static_cast<unsigned>(x / 2), 3) +
                                  LittleEndian(static_cast<unsigned>(y / 2), 3) +
                                  LittleEndian(static_cast<unsigned>(frame_width - 1), 3) +
                                  LittleEndian(static_cast<unsigned>(frame_height - 1), 3) +
                                  LittleEndian(100, 3) + LittleEndian(0, 1) + PixelChunks(frame));
  }
  return RiffChunk("RIFF", body);
}

std::vector<int> GifColor(int number) {
  return {number * 37 % 256, 255 - number * 11 % 256, number * number % 256};
}

std::string Gif(const Pixels& numbers, const GifSpec& spec) {
  std::string bytes;
  int error = 0;
  GifFileType* gif = EGifOpen(
      &bytes,
      [](GifFileType* file, const GifByteType* data, int count) {
        static_cast<std::string*>(file->UserData)
            ->append(reinterpret_cast<const char*>(data), static_cast<std::size_t>(count));
        return count;
      },
      &error);
  EGifSetGifVersion(gif, true);
  ColorMapObject* map = GifMakeMapObject(spec.colors, nullptr);
  for (int i = 0; i < spec.colors; ++i) {
    const std::vector<int> color = GifColor(i);
    map->Colors[i] = {static_cast<GifByteType>(color[0]), static_cast<GifByteType>(color[1]),
                      static_cast<GifByteType>(color[2])};
  }
  EGifPutScreenDesc(gif, spec.canvas_width != 0 ? spec.canvas_width : numbers.width,
                    spec.canvas_height != 0 ? spec.canvas_height : numbers.height, 8, 1, map);
  for (int f = 0; f < spec.frames; ++f) {
    if (spec.transparent >= 0 || spec.frames > 1) {
      const GraphicsControlBlock control{DISPOSAL_UNSPECIFIED, false, 10, spec.transparent};
      GifByteType block[4];
      EGifGCBToExtension(&control, block);
      EGifPutExtension(gif, GRAPHICS_EXT_FUNC_CODE, 4, block);
    }
    EGifPutImageDesc(gif, spec.x, spec.y, numbers.width, numbers.height, spec.interlaced, nullptr);
    const int first[] = {0, 4, 2, 1}, step[] = {8, 8, 4, 2};
    for (int pass = 0; pass < (spec.interlaced ? 4 : 1); ++pass) {
      for (int y = spec.interlaced ? first[pass] : 0; y < numbers.height;
           y += spec.interlaced ? step[pass] : 1) {
        std::vector<GifPixelType> row;
        // Later frames differ from the first.
        for (int x = 0; x < numbers.width; ++x) {
          row.push_back(static_cast<GifPixelType>((numbers.At(y, x, 0) + f) % spec.colors));
        }
        EGifPutLine(gif, row.data(), numbers.width);
      }
    }
  }
  EGifCloseFile(gif, &error);
  GifFreeMapObject(map);
  return bytes;
}

const std::vector<Variant>& Variants() {
  static const std::vector<Variant> variants = [] {
    constexpr int kWidth = 37, kHeight = 26;
    const auto pixels = [&](int channels, int max = 255) {
      return MakePixels(kWidth, kHeight, channels, max);
    };
    const auto palette = [&] {
      std::vector<std::uint8_t> colors;
      for (int i = 0; i < 16; ++i) {
        for (const int c : GifColor(i)) colors.push_back(static_cast<std::uint8_t>(c));
      }
      return colors;
    }();
    std::vector<Variant> list = {
        {"jpeg", Jpeg(pixels(3))},
        {"jpeg grey", Jpeg(pixels(1))},
        {"jpeg progressive", Jpeg(pixels(3), {.progressive = true})},
        {"jpeg restarts", Jpeg(pixels(3), {.restart_rows = 1})},
        {"jpeg separate scans", Jpeg(pixels(3), {.separate_scans = true})},
        {"jpeg arithmetic", Jpeg(pixels(3), {.arithmetic = true})},
        {"jpeg rgb", Jpeg(pixels(3), {.stored_space = JCS_RGB, .sampling = 1})},
        {"jpeg cmyk", Jpeg(pixels(4), {.sampling = 1})},
        {"jpeg ycck", Jpeg(pixels(4), {.stored_space = JCS_YCCK})},
        {"jpeg exif", Jpeg(pixels(3), {.exif = Exif(6)})},
        {"webp", Webp(pixels(3), false)},
        {"webp lossless", Webp(pixels(3), true)},
        {"webp alpha", Webp(pixels(4), false)},
        {"webp lossless alpha", Webp(pixels(4), true)},
        {"webp exif", WebpWithExif(Webp(pixels(3), false), kWidth, kHeight, false, Exif(8))},
        {"webp animation", WebpAnimation({Webp(pixels(4), true), Webp(pixels(3), false)}, kWidth,
                                         kHeight, 4, 2, kWidth + 5, kHeight + 3)},
        {"gif", Gif(pixels(1, 15), {})},
        {"gif transparent interlaced",
         Gif(pixels(1, 15), {.transparent = 3, .interlaced = true, .frames = 2})},
        {"gif frame",
         Gif(pixels(1, 15), {.x = 3, .y = 2, .canvas_width = 50, .canvas_height = 31})},
    };
    list.push_back({"gif 87a", Gif(pixels(1, 15), {})});
    list.back().bytes[4] = '7';
    for (const bool interlaced : {false, true}) {
      const std::string suffix = interlaced ? " interlaced" : "";
      for (const int depth : {1, 2, 4, 8, 16}) {
        const std::string name = fmt::format("png{} {} bit ", suffix, depth);
        const auto add = [&](const char* kind, int channels, int type, std::string exif = "") {
          list.push_back(
              {name + kind, Png(pixels(channels, (1 << depth) - 1), {.color_type = type,
                                                                     .bit_depth = depth,
                                                                     .interlaced = interlaced,
                                                                     .exif = std::move(exif),
                                                                     .exif_last = interlaced})});
        };
        add("grey", 1, PNG_COLOR_TYPE_GRAY);
        if (depth <= 4) {
          list.push_back(
              {name + "palette", Png(pixels(1, (1 << depth) - 1),
                                     {.color_type = PNG_COLOR_TYPE_PALETTE,
                                      .bit_depth = depth,
                                      .interlaced = interlaced,
                                      .palette = {palette.begin(), palette.begin() + (3 << depth)},
                                      .transparency = {128, 0}})});
        } else {
          add("grey alpha", 2, PNG_COLOR_TYPE_GRAY_ALPHA);
          add("rgb", 3, PNG_COLOR_TYPE_RGB, Exif(5));
          add("rgb alpha", 4, PNG_COLOR_TYPE_RGB_ALPHA);
        }
      }
    }
    const std::string size = fmt::format("{} {}\n", kWidth, kHeight);
    const std::string comment = "#x\n";
    list.push_back({"pbm plain", Pnm("P1\n" + comment + size, pixels(1, 1), true, 1), true});
    list.push_back({"pgm plain", Pnm("P2 " + size + "255\n", pixels(1), true, 1), true});
    list.push_back({"ppm plain", Pnm("P3 " + size + "999\n", pixels(3, 999), true, 1), true});
    list.push_back({"pbm", "P4 " + size + std::string((kWidth + 7) / 8 * kHeight, '\x5A')});
    list.push_back({"pgm", Pnm("P5 " + size + comment + "255\n", pixels(1), false, 1)});
    list.push_back({"pgm 16 bit", Pnm("P5 " + size + "65535\n", pixels(1, 65535), false, 2)});
    list.push_back({"ppm", Pnm("P6 " + size + "255\n", pixels(3), false, 1)});
    list.push_back({"ppm 10 bit", Pnm("P6 " + size + "1023\n", pixels(3, 1023), false, 2)});
    return list;
  }();
  return variants;
}

}  // namespace alcedo::testing
