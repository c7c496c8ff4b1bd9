// The command line of `alcedo weights`.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "alcedo/cli/config_flags.h"
#include "alcedo/dataset/dataset.h"
#include "alcedo/weights/weight_map.h"
#include "alcedo/config/config.h"

namespace alcedo::cli {

// What the maps depend on, the pictures aside: of the options of `encode` those that matter here.
struct WeightsConfig {
  EncodeConfig encode;
  MapRule map = MapRule::kSum;
};

template <class Visitor>
void VisitSections(WeightsConfig& c, Visitor&& section) {
  EncodeConfig& e = c.encode;
  section("", [&](auto&& visit) {
    visit("encoder", e.encoder, "how patches are encoded; auto: fv for a vocabulary of Gaussians");
    visit("descriptor", e.describe.descriptor, "what is computed of every patch");
    visit("vocabulary", e.vocabulary, "a vocabulary file, or sift or color: those that come along");
    visit(
        "lambda", e.lambdas,
        "regularisation of gmp, >= 0, absolute unless --lambda-relative; several give a map each, "
        "in increasing order (default relative, 1000 for emk and 10 for others)");
    visit("map", c.map,
          "the value of a pixel: the sum of the weights of all patches over it (Eq. 11), or their "
          "mean");
    visit("seed", e.seed, "of the random projections of emk");
  });
  section("gmp", [&](auto&& visit) { VisitFields(e.gmp, visit); });
  section("image", [&](auto&& visit) { VisitFields(e.describe.image, visit); });
  section("grid", [&](auto&& visit) { VisitFields(e.describe.grid, visit); });
  section("sift", [&](auto&& visit) { VisitFields(e.describe.sift, visit); });
  section("fv", [&](auto&& visit) { VisitFields(e.fisher, visit); });
  section("emk", [&](auto&& visit) { VisitFields(e.emk, visit); });
}

// What `alcedo weights` was asked to do.
struct WeightsJob {
  WeightsConfig config;
  std::vector<std::string> inputs;
  std::string list;        // a file of inputs; "": none
  std::string dataset;     // a folder with boxes, instead of inputs; "": none
  std::string output;      // a folder, or a .png for one picture; "": no pictures
  std::optional<Box> box;  // of every picture
  std::string boxes;       // a .csv; "": none
  std::string mask;        // a picture; "": none
  std::string json, csv;   // files; "": none
  int threads = 1;
  bool quiet = false;

  bool has_region() const { return box || !boxes.empty() || !mask.empty() || !dataset.empty(); }
  bool one_figure() const { return output.ends_with(".png"); }
};

// Owns the CLI11 app and what its options write to. Defaults are those of `config`.
class WeightsArguments {
 public:
  explicit WeightsArguments(const WeightsConfig& config = Defaults());
  WeightsArguments(const WeightsArguments&) = delete;
  WeightsArguments& operator=(const WeightsArguments&) = delete;

  // As in the paper's figure: EMK of colour.
  static WeightsConfig Defaults();

  CLI::App& app() { return app_; }
  const WeightsJob& job() const { return job_; }

  // False where --help was asked for and given. Throws UsageError.
  bool Parse(const std::vector<std::string>& args);
  bool given(const std::string& option) const { return app_.count(option) > 0; }
  // UsageError where a flag goes with another choice than the one that was made.
  void CheckFlags() const { CheckPlaces(flags_, ToJson(job_.config.encode)); }

 private:
  CLI::App app_;
  WeightsJob job_;
  std::vector<PlacedFlag> flags_;
};

}  // namespace alcedo::cli
