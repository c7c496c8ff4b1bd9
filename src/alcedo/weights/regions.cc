#include "alcedo/weights/regions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>

#include "alcedo/base/error.h"
#include "alcedo/io/file_bytes.h"
#include "alcedo/io/plain_text.h"

namespace alcedo {
namespace {

// The share of each pixel of a line that [begin, end) covers.
std::vector<float> Cover(double begin, double end, int count) {
  std::vector<float> cover(count);
  for (int i = 0; i < count; ++i) {
    const double length = std::min(end, i + 1.0) - std::max(begin, static_cast<double>(i));
    cover[i] = static_cast<float>(std::clamp(length, 0.0, 1.0));
  }
  return cover;
}

}  // namespace

Region RegionOfBoxes(std::span<const Box> boxes, int width, int height) {
  Require(width >= 1, "the image's width", ">= 1", width);
  Require(height >= 1, "the image's height", ">= 1", height);
  Region region{width, height, std::vector<float>(static_cast<std::size_t>(width) * height)};
  for (const Box& box : boxes) {
    Require(std::isfinite(box.x) && std::isfinite(box.y), "a box's corner", "finite", box.x);
    Require(box.width > 0 && std::isfinite(box.width), "a box's width", "> 0", box.width);
    Require(box.height > 0 && std::isfinite(box.height), "a box's height", "> 0", box.height);
    const std::vector<float> across = Cover(box.x, box.x + box.width, width);
    const std::vector<float> down = Cover(box.y, box.y + box.height, height);
    float* inside = region.inside.data();
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x, ++inside) *inside = std::max(*inside, across[x] * down[y]);
    }
  }
  return region;
}

Region RegionOfMask(const Image& mask) {
  const Image gray = ToGray(mask);
  Region region{gray.width, gray.height, {}};
  region.inside.reserve(gray.samples.size());
  for (const float value : gray.samples) region.inside.push_back(value >= 128 ? 1.0f : 0.0f);
  return region;
}

std::optional<double> ShareInside(const WeightMap& map, const Region& region, MapPart part) {
  if (map.width != region.width || map.height != region.height) {
    throw InvalidArgument(fmt::format("the map has {} x {} pixels, the region {} x {}", map.width,
                                      map.height, region.width, region.height));
  }
  double inside = 0, all = 0;
  for (std::size_t i = 0; i < map.values.size(); ++i) {
    const double value = map.values[i];
    const double counted = part == MapPart::kPositive ? std::max(0.0, value) : std::abs(value);
    inside += region.inside[i] * counted;
    all += counted;
  }
  if (!(all > 0)) return std::nullopt;
  return inside / all;
}

double AreaShare(const Region& region) {
  double sum = 0;
  for (const float inside : region.inside) sum += inside;
  return sum / static_cast<double>(region.inside.size());
}

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxBoxesBytes = std::size_t{256} << 20;
constexpr std::array<std::string_view, 5> kColumns{"image", "x", "y", "width", "height"};

// `where` is the record in the file.
double Number(const std::string& text, const std::string& file, const std::string& where) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stopped != end) {
    throw FormatError(file, fmt::format("{}: '{}' is not a number", where, text));
  }
  if (!std::isfinite(value)) {
    throw FormatError(file, fmt::format("{}: '{}' is not finite", where, text));
  }
  return value;
}

// The places of the columns: tables of boxes often have others too.
std::array<std::size_t, kColumns.size()> FindColumns(const std::vector<std::string>& header,
                                                     const std::string& file) {
  std::array<std::size_t, kColumns.size()> places{};
  for (std::size_t c = 0; c < kColumns.size(); ++c) {
    const auto found = std::ranges::find(header, kColumns[c]);
    if (found == header.end() || std::ranges::count(header, kColumns[c]) > 1) {
      throw FormatError(
          file, fmt::format("the first line must name the columns {}, in any order; it has {} '{}'",
                            fmt::join(kColumns, ", "),
                            found == header.end() ? "no" : "more than one", kColumns[c]));
    }
    places[c] = static_cast<std::size_t>(found - header.begin());
  }
  return places;
}

}  // namespace

std::vector<std::vector<std::string>> ParseCsv(std::string_view text, const std::string& name) {
  std::vector<std::vector<std::string>> records;
  std::vector<std::string> record(1);
  bool quoted = false, begun = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c != '"') {
        record.back() += c;
      } else if (i + 1 < text.size() && text[i + 1] == '"') {
        record.back() += text[++i];
      } else {
        quoted = false;
      }
    } else if (c == '"' && record.back().empty()) {
      quoted = begun = true;
    } else if (c == ',') {
      record.emplace_back();
      begun = true;
    } else if (c == '\n') {
      if (begun) records.push_back(record);  // empty lines say nothing
      record.assign(1, "");
      begun = false;
    } else if (c != '\r') {
      record.back() += c;
      begun = true;
    }
  }
  if (quoted) throw FormatError(name, "a quoted field does not end");
  if (begun) records.push_back(record);
  return records;
}

RegionList RegionList::FromMask(const std::string& file, ImageOptions options) {
  options.max_pixels = 0;
  RegionList regions;
  regions.mask_ = RegionOfMask(ReadImage(file, options));
  return regions;
}

RegionList RegionList::FromCsv(const std::string& file) {
  RegionList regions;
  regions.file_ = file;
  const std::string bytes = ReadFileBytes(file, kMaxBoxesBytes);
  const auto records = ParseCsv(PlainText(bytes, file), file);
  const std::vector<std::string> header = records.empty() ? std::vector<std::string>{} : records[0];
  const auto [image, x, y, width, height] = FindColumns(header, file);
  for (std::size_t r = 1; r < records.size(); ++r) {
    const std::vector<std::string>& record = records[r];
    const std::string where = fmt::format("record {}", r + 1);
    if (record.size() != header.size()) {
      throw FormatError(
          file, fmt::format("{} has {} fields, not {}", where, record.size(), header.size()));
    }
    const auto number = [&](std::size_t column) { return Number(record[column], file, where); };
    const Box box{number(x), number(y), number(width), number(height)};
    if (!(box.width > 0) || !(box.height > 0)) {
      throw FormatError(file, fmt::format("{}: a box must be wider and taller than 0", where));
    }
    regions.boxes_[record[image]].push_back(box);
  }
  return regions;
}

RegionList::RegionList(const Dataset& dataset) {
  for (const DatasetImage& image : dataset.images) boxes_[image.name] = image.boxes;
}

std::vector<Box> RegionList::BoxesOf(const std::string& name) const {
  if (box_) return {*box_};
  auto found = boxes_.find(name);
  // A table is more often about names than about paths.
  if (found == boxes_.end()) found = boxes_.find(fs::path(name).filename().string());
  return found == boxes_.end() ? std::vector<Box>{} : found->second;
}

std::optional<Region> RegionList::Of(const std::string& name, int width, int height) const {
  if (mask_) {
    if (mask_->width != width || mask_->height != height) {
      throw InvalidArgument(fmt::format("the image has {} x {} pixels, the mask {} x {}", width,
                                        height, mask_->width, mask_->height));
    }
    return mask_;
  }
  const std::vector<Box> boxes = BoxesOf(name);
  if (boxes.empty()) return std::nullopt;
  for (const Box& box : boxes) {
    if (box.x < width && box.y < height && box.x + box.width > 0 && box.y + box.height > 0)
      continue;
    throw InvalidArgument(
        fmt::format("the box {:g},{:g},{:g},{:g} lies outside of the image of {} x {} pixels",
                    box.x, box.y, box.width, box.height, width, height));
  }
  return RegionOfBoxes(boxes, width, height);
}

void RegionList::CheckNames(std::span<const Input> images) const {
  if (file_.empty() || std::ranges::any_of(images, [&](const Input& image) {
        return !BoxesOf(image.name).empty();
      })) {
    return;
  }
  throw FormatError(file_, fmt::format("has no box of any of the {} images, such as {}",
                                       images.size(), images[0].name));
}

}  // namespace alcedo
