#include <webp/decode.h>
#include <webp/demux.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "alcedo/image/decoders.h"
#include "alcedo/image/row_sink.h"

namespace alcedo::internal {
namespace {

using Demuxer = std::unique_ptr<WebPDemuxer, decltype(&WebPDemuxDelete)>;

// The first frame, the only one of a still image. It lies somewhere on the canvas.
struct Frame {
  explicit Frame(const WebPDemuxer* demuxer) { found = WebPDemuxGetFrame(demuxer, 1, &it) != 0; }
  Frame(const Frame&) = delete;
  Frame& operator=(const Frame&) = delete;
  ~Frame() { WebPDemuxReleaseIterator(&it); }

  WebPIterator it = {};
  bool found = false;
};

struct Decoded {
  Decoded() { WebPInitDecoderConfig(&config); }
  Decoded(const Decoded&) = delete;
  Decoded& operator=(const Decoded&) = delete;
  ~Decoded() { WebPFreeDecBuffer(&config.output); }

  WebPDecoderConfig config;
};

const char* Reason(VP8StatusCode status) {
  switch (status) {
    case VP8_STATUS_OUT_OF_MEMORY:
      return "there is not enough memory";
    case VP8_STATUS_UNSUPPORTED_FEATURE:
      return "it uses a feature that libwebp does not know";
    case VP8_STATUS_SUSPENDED:
    case VP8_STATUS_NOT_ENOUGH_DATA:
      return "it is truncated";
    default:
      return "its pixels are corrupted";
  }
}

// Memory of libwebp per pixel. Lossy: the image it returns. Lossless: that, the image before
// its colours are restored, and tables of up to a sixteenth of the size. Alpha is a plane and a
// lossless image of its own.
double BytesPerPixel(const WebPBitstreamFeatures& features) {
  const bool lossy_opaque = features.format == 1 && features.has_alpha == 0;
  return lossy_opaque ? 4 : 10;
}

int OrientationOf(const WebPDemuxer* demuxer) {
  WebPChunkIterator chunk = {};
  int orientation = 1;
  if (WebPDemuxGetChunk(demuxer, "EXIF", 1, &chunk) != 0) {
    orientation =
        ExifOrientation({reinterpret_cast<const char*>(chunk.chunk.bytes), chunk.chunk.size});
  }
  WebPDemuxReleaseChunkIterator(&chunk);
  return orientation;
}

// The rows of the canvas, white where the frame is not.
void AddCanvas(const WebPIterator& frame, const WebPRGBABuffer& pixels, int width, int height,
               RowSink& sink) {
  const int depth = frame.has_alpha != 0 ? 4 : 3;
  const bool whole = frame.width == width && frame.height == height;
  if (whole && depth == 3) {
    for (int y = 0; y < height; ++y) {
      sink.AddRow(pixels.rgba + static_cast<std::ptrdiff_t>(y) * pixels.stride);
    }
    return;
  }
  const std::vector<float> white(3 * static_cast<std::size_t>(width), 255.0f);
  std::vector<float> row = white, colors(static_cast<std::size_t>(depth) * frame.width);
  for (int y = 0; y < height; ++y) {
    const int frame_y = y - frame.y_offset;
    if (frame_y < 0 || frame_y >= frame.height) {
      sink.AddRow(white.data());
      continue;
    }
    const std::uint8_t* from = pixels.rgba + static_cast<std::ptrdiff_t>(frame_y) * pixels.stride;
    std::copy(from, from + colors.size(), colors.begin());
    float* to = row.data() + 3 * static_cast<std::ptrdiff_t>(frame.x_offset);
    if (depth == 4) {
      ComposeOverWhite(colors.data(), frame.width, 3, to);
    } else {
      std::copy(colors.begin(), colors.end(), to);
    }
    sink.AddRow(row.data());
  }
}

}  // namespace

Image ReadWebp(const ImageSource& source) {
  const WebPData data = {reinterpret_cast<const std::uint8_t*>(source.bytes.data()),
                         source.bytes.size()};
  const Demuxer demuxer(WebPDemux(&data), &WebPDemuxDelete);
  if (!demuxer) ThrowUndecodable(source, "WebP", "it is truncated or corrupted");
  const std::int64_t canvas_width = WebPDemuxGetI(demuxer.get(), WEBP_FF_CANVAS_WIDTH);
  const std::int64_t canvas_height = WebPDemuxGetI(demuxer.get(), WEBP_FF_CANVAS_HEIGHT);
  const ImageSize target = CheckSize(source, canvas_width, canvas_height);
  const int width = static_cast<int>(canvas_width), height = static_cast<int>(canvas_height);

  const Frame frame(demuxer.get());
  if (!frame.found) ThrowUndecodable(source, "WebP", "it has no image");
  const WebPData& bits = frame.it.fragment;
  Decoded decoded;
  WebPDecoderConfig& config = decoded.config;
  VP8StatusCode status = WebPGetFeatures(bits.bytes, bits.size, &config.input);
  if (status != VP8_STATUS_OK) ThrowUndecodable(source, "WebP", Reason(status));
  if (config.input.width != frame.it.width || config.input.height != frame.it.height ||
      frame.it.x_offset + frame.it.width > width || frame.it.y_offset + frame.it.height > height) {
    ThrowUndecodable(source, "WebP", "its first frame has another size than its header says");
  }
  CheckMemory(source, width, 3, target,
              BytesPerPixel(config.input) * frame.it.width * frame.it.height);

  config.output.colorspace = frame.it.has_alpha != 0 ? MODE_RGBA : MODE_RGB;
  status = WebPDecode(bits.bytes, bits.size, &config);
  if (status != VP8_STATUS_OK) ThrowUndecodable(source, "WebP", Reason(status));
  RowSink sink(width, height, 3, target);
  AddCanvas(frame.it, config.output.u.RGBA, width, height, sink);
  Image image = std::move(sink).Finish(width, height);
  TurnUpright(OrientationOf(demuxer.get()), image);
  return image;
}

}  // namespace alcedo::internal
