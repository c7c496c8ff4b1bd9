#include "alcedo/dataset/annotation_boxes.h"

#include <fmt/format.h>

#include <algorithm>
#include <pugixml.hpp>
#include <string>
#include <string_view>

#include "alcedo/base/error.h"
#include "alcedo/dataset/list_file.h"

namespace alcedo::internal {
namespace {

class Annotation {
 public:
  explicit Annotation(const std::filesystem::path& path) : path_(path), text_(ReadTextFile(path)) {
    const pugi::xml_parse_result result = document_.load_buffer(text_.data(), text_.size());
    if (!result) Fail(result.offset, std::string("it is not XML: ") + result.description());
    if (!document_.child("annotation")) Fail(0, "there is no <annotation>");
  }

  std::vector<Box> Boxes() const {
    std::vector<Box> boxes;
    for (const pugi::xml_node object : document_.child("annotation").children("object")) {
      // The parts of a person have boxes of their own, further inside.
      const pugi::xml_node box = object.child("bndbox");
      if (!box) Fail(object.offset_debug(), "an <object> has no <bndbox>");
      const double left = Number(box, "xmin"), top = Number(box, "ymin");
      const double right = Number(box, "xmax"), bottom = Number(box, "ymax");
      if (right < left || bottom < top) {
        Fail(box.offset_debug(), "a <bndbox> must end right of and below its beginning");
      }
      boxes.push_back({left - 1, top - 1, right - left + 1, bottom - top + 1});
    }
    return boxes;
  }

 private:
  double Number(const pugi::xml_node& box, const char* name) const {
    double number = 0;
    if (!ParseNumber(box.child(name).text().get(), number)) {
      Fail(box.offset_debug(), fmt::format("<{}> must be a number", name));
    }
    return number;
  }

  [[noreturn]] void Fail(std::ptrdiff_t offset, const std::string& what) const {
    const auto end = text_.begin() + std::clamp<std::ptrdiff_t>(offset, 0, std::ssize(text_));
    const std::ptrdiff_t line = 1 + std::count(text_.begin(), end, '\n');
    throw FormatError(path_.string(), fmt::format("line {}: {}", line, what));
  }

  std::filesystem::path path_;
  std::string text_;
  pugi::xml_document document_;
};

}  // namespace

std::vector<Box> ReadBoxesIfThere(const std::filesystem::path& path) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return {};
  return Annotation(path).Boxes();
}

}  // namespace alcedo::internal
