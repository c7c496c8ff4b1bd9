#include "alcedo/cli/weights_regions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "alcedo/base/error.h"
#include "alcedo/cli/text.h"
#include "alcedo/image/read_image.h"
#include "alcedo/pipeline/file_bytes.h"

namespace alcedo::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxBoxesBytes = std::size_t{256} << 20;
const std::vector<std::string> kHeader{"image", "x", "y", "width", "height"};

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
  const auto records = ParseCsv(ReadFileBytes(job.boxes, kMaxBoxesBytes), job.boxes);
  if (records.empty() || records[0] != kHeader) {
    throw FormatError(fmt::format("{}: the first line must be image,x,y,width,height", job.boxes));
  }
  for (std::size_t r = 1; r < records.size(); ++r) {
    const std::vector<std::string>& record = records[r];
    const std::string where = fmt::format("{}: record {}", job.boxes, r + 1);
    if (record.size() != kHeader.size()) {
      throw FormatError(fmt::format("{} has {} fields, not 5", where, record.size()));
    }
    const Box box{Number(record[1], where), Number(record[2], where), Number(record[3], where),
                  Number(record[4], where)};
    if (!(box.width > 0) || !(box.height > 0)) {
      throw FormatError(fmt::format("{}: a box must be wider and taller than 0", where));
    }
    boxes_[record[0]].push_back(box);
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
