#include "alcedo/cli/encode_totals.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "alcedo/cli/progress.h"
#include "alcedo/cli/vocabulary_text.h"

namespace alcedo::cli {
namespace {

std::string RangeText(double low, double high) {
  const std::string from = fmt::format("{:.6g}", low), to = fmt::format("{:.6g}", high);
  return from == to ? from : fmt::format("{} to {}", from, to);
}

bool WasScaled(const DescribeReport& picture) {
  return picture.width != picture.original_width || picture.height != picture.original_height;
}

}  // namespace

void EncodeTotals::Extend(Range& range, double value, bool first) {
  range.low = first ? value : std::min(range.low, value);
  range.high = first ? value : std::max(range.high, value);
}

void EncodeTotals::AddSolves(const EncodeInput& input, const EncodedImage& image) {
  const std::size_t count = representer_.config.lambdas.size();
  bool converged = true;
  for (std::size_t i = 0; i < image.solves.size(); ++i) {
    const SolveReport& solve = image.solves[i];
    if (converged && !solve.converged && unconverged_ == 0) {
      first_unconverged_ = fmt::format("{}: {}", input.name, solve.reason);
    }
    converged = converged && solve.converged;
    if (count == 0) continue;
    const bool first = lambdas_.size() < count;
    if (first) lambdas_.emplace_back();
    Lambda& lambda = lambdas_[i % count];
    Extend(lambda.absolute, solve.lambda, first);
    Extend(lambda.relative, solve.lambda_relative, first);
  }
  if (!converged) ++unconverged_;
}

void EncodeTotals::Add(const EncodeInput& input, const EncodedImage& image) {
  if (!image.failure.empty()) return;
  ++good_;
  patches_ += image.patches;
  if (WasScaled(image.picture)) ++scaled_;
  if (image.patches == 0) ++without_patches_;
  dropped_ += image.dropped_posterior * static_cast<double>(image.patches);
  AddSolves(input, image);
  last_name_ = input.name;
  last_picture_ = image.picture;
}

std::string EncodeTotals::PictureText() const {
  const EncodeConfig& config = representer_.config;
  if (config.describe.descriptor == DescriptorKind::kExternal) return "";
  const int max_pixels = config.describe.image.max_pixels;
  if (good_ == 1) {
    const std::string size =
        fmt::format("{} x {}", last_picture_.original_width, last_picture_.original_height);
    if (scaled_ == 0) return size;
    return fmt::format("{} scaled to {} x {} (--max-pixels {})", size, last_picture_.width,
                       last_picture_.height, max_pixels);
  }
  if (max_pixels == 0) return "no picture was scaled down (--max-pixels 0)";
  return fmt::format("{} of them were scaled down to at most {} pixels (--max-pixels)",
                     scaled_ == 0 ? "none" : Thousands(scaled_), Thousands(max_pixels));
}

std::vector<std::string> EncodeTotals::Summary(double seconds) const {
  if (good_ == 0) return {};
  const std::string picture = PictureText();
  std::vector<std::string> lines;
  if (good_ == 1) {
    lines.push_back(fmt::format("{}: {}{}{} patches", last_name_, picture,
                                picture.empty() ? "" : ", ", Thousands(patches_)));
  } else {
    lines.push_back(fmt::format(
        "{} images in {}, {:.1f} images/s, {} patches", Thousands(good_), Duration(seconds),
        static_cast<double>(good_) / std::max(seconds, 1e-9), Thousands(patches_)));
    if (!picture.empty()) lines.push_back(picture);
  }
  const EncodeConfig& config = representer_.config;
  const std::size_t count = config.lambdas.size();
  lines.push_back(fmt::format("{}{} of {} dimensions, encoder {}, pooling {}",
                              count > 1 ? fmt::format("{} vectors", count) : "one vector",
                              good_ > 1 ? " per image" : "", Thousands(representer_.dimension()),
                              Name(config.encoder), Name(config.pooling)));
  for (const Lambda& lambda : lambdas_) {
    lines.push_back(fmt::format("lambda {} (relative {})",
                                RangeText(lambda.absolute.low, lambda.absolute.high),
                                RangeText(lambda.relative.low, lambda.relative.high)));
  }
  if (config.encoder == EncoderKind::kFisher &&
      config.fisher.assignment == FisherAssignment::kSoft && patches_ > 0) {
    lines.push_back(
        fmt::format("{:.3g} of the posterior mass was below --fv-posterior-threshold {}",
                    dropped_ / static_cast<double>(patches_), config.fisher.posterior_threshold));
  }
  return lines;
}

std::vector<std::string> EncodeTotals::Warnings() const {
  std::vector<std::string> lines;
  if (without_patches_ > 0) {
    lines.push_back(
        fmt::format("{} of the images have no patches: their vectors are zero", without_patches_));
  }
  if (unconverged_ > 0) {
    lines.push_back(fmt::format("{} of {} images did not converge, first {}", unconverged_, good_,
                                first_unconverged_));
  }
  return lines;
}

}  // namespace alcedo::cli
