#include "alcedo/cli/weights_regions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

#include "alcedo/base/error.h"
#include "alcedo/cli/text.h"
#include "alcedo/image/read_image.h"
#include "alcedo/io/file_bytes.h"

namespace alcedo::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxBoxesBytes = std::size_t{256} << 20;
constexpr std::array<std::string_view, 5> kColumns{"image", "x", "y", "width", "height"};

double Number(const std::string& text, const std::string& where) {
  double value = 0;
  try {
    value = ParseDouble(where, text);
  } catch (const Error&) {
    throw FormatError(fmt::format("{}: '{}' is not a number", where, text));
  }
  if (!std::isfinite(value)) throw FormatError(fmt::format("{}: '{}' is not finite", where, text));
  return value;
}

// Where the columns are: tables of boxes often have others too.
std::array<std::size_t, kColumns.size()> FindColumns(const std::vector<std::string>& header,
                                                     const std::string& file) {
  std::array<std::size_t, kColumns.size()> places{};
  for (std::size_t c = 0; c < kColumns.size(); ++c) {
    const auto found = std::ranges::find(header, kColumns[c]);
    if (found == header.end() || std::ranges::count(header, kColumns[c]) > 1) {
      throw FormatError(fmt::format(
          "{}: the first line must name the columns {}, in any order; it has {} '{}'", file,
          fmt::join(kColumns, ", "), found == header.end() ? "no" : "more than one", kColumns[c]));
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
  if (quoted) throw FormatError(fmt::format("{}: a quoted field does not end", name));
  if (begun) records.push_back(record);
  return records;
}

WeightsRegions::WeightsRegions(const WeightsJob& job) : job_(job) {
  if (!job.mask.empty()) {
    ImageOptions whole = job.config.encode.describe.image;
    whole.max_pixels = 0;
    mask_ = RegionOfMask(ReadImage(job.mask, whole));
  }
  if (job.boxes.empty()) return;
  std::string text = ReadFileBytes(job.boxes, kMaxBoxesBytes);
  if (text.starts_with("\xef\xbb\xbf")) text.erase(0, 3);  // as spreadsheets write it
  const auto records = ParseCsv(text, job.boxes);
  const std::vector<std::string> header = records.empty() ? std::vector<std::string>{} : records[0];
  const auto [image, x, y, width, height] = FindColumns(header, job.boxes);
  for (std::size_t r = 1; r < records.size(); ++r) {
    const std::vector<std::string>& record = records[r];
    const std::string where = fmt::format("{}: record {}", job.boxes, r + 1);
    if (record.size() != header.size()) {
      throw FormatError(
          fmt::format("{} has {} fields, not {}", where, record.size(), header.size()));
    }
    const Box box{Number(record[x], where), Number(record[y], where), Number(record[width], where),
                  Number(record[height], where)};
    if (!(box.width > 0) || !(box.height > 0)) {
      throw FormatError(fmt::format("{}: a box must be wider and taller than 0", where));
    }
    boxes_[record[image]].push_back(box);
  }
}

WeightsRegions::WeightsRegions(const WeightsJob& job, const Dataset& dataset) : job_(job) {
  for (const DatasetImage& image : dataset.images) boxes_[image.name] = image.boxes;
}

std::vector<Box> WeightsRegions::BoxesOf(const std::string& name) const {
  if (job_.box) return {*job_.box};
  auto found = boxes_.find(name);
  // A table is more often about names than about paths.
  if (found == boxes_.end()) found = boxes_.find(fs::path(name).filename().string());
  return found == boxes_.end() ? std::vector<Box>{} : found->second;
}

std::optional<Region> WeightsRegions::Of(const std::string& name, int width, int height) const {
  if (mask_) {
    if (mask_->width != width || mask_->height != height) {
      throw InvalidArgument(fmt::format("the picture has {} x {} pixels, the mask {} x {}", width,
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
        fmt::format("the box {:g},{:g},{:g},{:g} lies outside of the picture of {} x {} pixels",
                    box.x, box.y, box.width, box.height, width, height));
  }
  return RegionOfBoxes(boxes, width, height);
}

void WeightsRegions::CheckNames(const std::vector<EncodeInput>& images) const {
  if (job_.boxes.empty()) return;
  const bool any = std::ranges::any_of(
      images, [&](const EncodeInput& image) { return !BoxesOf(image.name).empty(); });
  if (any) return;
  throw InvalidArgument(fmt::format("{} has no box of any of the {} pictures, such as {}",
                                    job_.boxes, images.size(), images[0].name));
}

}  // namespace alcedo::cli
