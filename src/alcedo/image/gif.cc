#include <gif_lib.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "alcedo/image/decoders.h"
#include "alcedo/image/row_sink.h"

namespace alcedo::internal {
namespace {

int OnRead(GifFileType* gif, GifByteType* out, int count) {
  std::string_view& rest = *static_cast<std::string_view*>(gif->UserData);
  const std::size_t take = std::min(rest.size(), static_cast<std::size_t>(std::max(count, 0)));
  std::memcpy(out, rest.data(), take);
  rest.remove_prefix(take);
  return static_cast<int>(take);
}

class GifDecoder {
 public:
  explicit GifDecoder(const ImageSource& source) : source_(source), rest_(source.bytes) {
    int error = 0;
    gif_.reset(DGifOpen(&rest_, &OnRead, &error));
    if (!gif_) Fail(error);
  }

  GifFileType* get() const { return gif_.get(); }

  // The next thing in the file.
  GifRecordType NextRecord() {
    GifRecordType type = UNDEFINED_RECORD_TYPE;
    Check(DGifGetRecordType(get(), &type));
    if (type == UNDEFINED_RECORD_TYPE) Fail(D_GIF_ERR_WRONG_RECORD);
    return type;
  }

  // Reads an extension; one with the transparent colour of the next image sets it.
  void ReadExtension() {
    int code = 0;
    GifByteType* block = nullptr;
    Check(DGifGetExtension(get(), &code, &block));
    GraphicsControlBlock control;
    if (code == GRAPHICS_EXT_FUNC_CODE && block != nullptr &&
        DGifExtensionToGCB(block[0], block + 1, &control) == GIF_OK) {
      transparent_color_ = control.TransparentColor;
    }
    while (block != nullptr) Check(DGifGetExtensionNext(get(), &block));
  }

  // Goes over an image without decoding it.
  void SkipImage() {
    Check(DGifGetImageHeader(get()));  // which, unlike DGifGetImageDesc, keeps no record of it
    int code_size = 0;
    GifByteType* block = nullptr;
    Check(DGifGetCode(get(), &code_size, &block));
    while (block != nullptr) Check(DGifGetCodeNext(get(), &block));
  }

  void Check(int status) const {
    if (status != GIF_OK) Fail(get()->Error);
  }

  // -1: none.
  int transparent_color() const { return transparent_color_; }

 private:
  [[noreturn]] void Fail(int error) const {
    const char* reason = GifErrorString(error);
    if (error == D_GIF_ERR_READ_FAILED || error == D_GIF_ERR_EOF_TOO_SOON) {
      reason = "it is truncated";
    }
    ThrowUndecodable(source_, "GIF", reason == nullptr ? "it is corrupted" : reason);
  }

  struct Close {
    void operator()(GifFileType* gif) const { DGifCloseFile(gif, nullptr); }
  };

  const ImageSource& source_;
  std::string_view rest_;
  std::unique_ptr<GifFileType, Close> gif_;
  int transparent_color_ = NO_TRANSPARENT_COLOR;
};

// The colours of the first image on a white canvas.
class Canvas {
 public:
  Canvas(const ImageSource& source, const GifDecoder& decoder, int width)
      : source_(source),
        frame_(decoder.get()->Image),
        map_(frame_.ColorMap != nullptr ? frame_.ColorMap : decoder.get()->SColorMap),
        transparent_(decoder.transparent_color()),
        white_(3 * static_cast<std::size_t>(width), 255),
        row_(white_) {
    if (map_ == nullptr) ThrowUndecodable(source, "GIF", "it has no colour table");
  }

  const std::uint8_t* white() const { return white_.data(); }

  // The row of the canvas with these colour numbers of the frame on it.
  const std::uint8_t* Row(const GifPixelType* numbers) {
    std::uint8_t* out = row_.data() + 3 * static_cast<std::ptrdiff_t>(frame_.Left);
    for (int x = 0; x < frame_.Width; ++x, out += 3) {
      if (numbers[x] == transparent_) {
        std::fill(out, out + 3, std::uint8_t{255});
        continue;
      }
      if (numbers[x] >= map_->ColorCount) {
        ThrowUndecodable(source_, "GIF", "it has a colour that is not in its table");
      }
      const GifColorType& color = map_->Colors[numbers[x]];
      out[0] = color.Red;
      out[1] = color.Green;
      out[2] = color.Blue;
    }
    return row_.data();
  }

 private:
  const ImageSource& source_;
  const GifImageDesc& frame_;
  const ColorMapObject* map_;
  int transparent_;
  std::vector<std::uint8_t> white_, row_;
};

// The rows of an interlaced frame come in four passes.
std::vector<GifPixelType> ReadInterlaced(const GifDecoder& decoder, int width, int height) {
  std::vector<GifPixelType> numbers(static_cast<std::size_t>(width) * height);
  constexpr std::array<std::array<int, 2>, 4> kPasses = {{{0, 8}, {4, 8}, {2, 4}, {1, 2}}};
  for (const auto& [first, step] : kPasses) {
    for (int y = first; y < height; y += step) {
      decoder.Check(DGifGetLine(decoder.get(),
                                numbers.data() + static_cast<std::ptrdiff_t>(y) * width, width));
    }
  }
  return numbers;
}

}  // namespace

Image ReadGif(const ImageSource& source) {
  GifDecoder decoder(source);
  GifRecordType type = decoder.NextRecord();
  for (; type != IMAGE_DESC_RECORD_TYPE; type = decoder.NextRecord()) {
    if (type == TERMINATE_RECORD_TYPE) ThrowUndecodable(source, "GIF", "it has no image");
    decoder.ReadExtension();
  }
  GifFileType* gif = decoder.get();
  decoder.Check(DGifGetImageDesc(gif));
  const GifImageDesc& frame = gif->Image;
  if (frame.Width < 1 || frame.Height < 1) {
    ThrowUndecodable(source, "GIF", "its first image is empty");
  }
  // Some files give no canvas, or too small a one.
  const int width = std::max(gif->SWidth, frame.Left + frame.Width);
  const int height = std::max(gif->SHeight, frame.Top + frame.Height);
  const ImageSize target = CheckSize(source, width, height);
  const double frame_bytes = frame.Interlace ? 1.0 * frame.Width * frame.Height : frame.Width;
  CheckMemory(source, width, 3, target, frame_bytes + 6.0 * width + 100000);

  Canvas canvas(source, decoder, width);
  RowSink sink(width, height, 3, target);
  std::vector<GifPixelType> numbers(frame.Width);
  if (frame.Interlace) numbers = ReadInterlaced(decoder, frame.Width, frame.Height);
  for (int y = 0; y < height; ++y) {
    const int frame_y = y - frame.Top;
    if (frame_y < 0 || frame_y >= frame.Height) {
      sink.AddRow(canvas.white());
    } else if (frame.Interlace) {
      sink.AddRow(canvas.Row(numbers.data() + static_cast<std::ptrdiff_t>(frame_y) * frame.Width));
    } else {
      decoder.Check(DGifGetLine(gif, numbers.data(), frame.Width));
      sink.AddRow(canvas.Row(numbers.data()));
    }
  }
  Image image = std::move(sink).Finish(width, height);
  // To the end: if that is missing, so may be some of what was read.
  for (type = decoder.NextRecord(); type != TERMINATE_RECORD_TYPE; type = decoder.NextRecord()) {
    if (type == IMAGE_DESC_RECORD_TYPE) {
      decoder.SkipImage();
    } else {
      decoder.ReadExtension();
    }
  }
  return image;
}

}  // namespace alcedo::internal
