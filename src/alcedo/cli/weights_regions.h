// Where in a picture weights are to be counted: boxes and masks for `alcedo weights`.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "alcedo/cli/weights_arguments.h"
#include "alcedo/weights/region.h"
#include "alcedo/encode/encode_batch.h"

namespace alcedo::cli {

class WeightsRegions {
 public:
  // Reads --boxes and --mask. Throws where they cannot be read.
  explicit WeightsRegions(const WeightsJob& job);
  // The boxes of a dataset's images.
  WeightsRegions(const WeightsJob& job, const Dataset& dataset);

  // Of the image's own size. None where the image has no box, or none was asked for.
  std::optional<Region> Of(const std::string& name, int width, int height) const;
  // To be outlined; none for a mask.
  std::vector<Box> BoxesOf(const std::string& name) const;
  // InvalidArgument where --boxes has lines and none of them is about these images.
  void CheckNames(const std::vector<EncodeInput>& images) const;

 private:
  const WeightsJob& job_;
  std::map<std::string, std::vector<Box>, std::less<>> boxes_;
  std::optional<Region> mask_;
};

// Records of comma-separated values (RFC 4180; lines may end in LF alone). FormatError where a
// quoted field does not end.
std::vector<std::vector<std::string>> ParseCsv(std::string_view text, const std::string& name);

}  // namespace alcedo::cli
