// Everything that a vocabulary or a representation depends on, the inputs aside. A config is a set
// of sections, each an options struct of a stage; flags, TOML, JSON and the headers of all outputs
// are made from these lists.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "alcedo/config/options.h"
#include "alcedo/normalization/normalize.h"

namespace alcedo {

using Json = nlohmann::ordered_json;

// `alcedo learn`.
struct LearnConfig {
  DescribeOptions describe;
  PcaOptions pca;
  VocabularyOptions kind;
  bool vlad_rotations = false;  // with kmeans: also a rotation per cluster
  int samples = 500000;
  std::uint64_t seed = 0;
};

// Sections in order; a name and an options struct each. `section("", general)` holds the fields
// that have no section.
template <class Visitor>
void VisitSections(LearnConfig& c, Visitor&& section) {
  section("", [&](auto&& visit) {
    visit("descriptor", c.describe.descriptor, "what is computed of every patch");
    visit("kind", c.kind, "what is learned");
    visit("samples", c.samples, "descriptors to learn from, drawn evenly from all images");
    visit("vlad_rotations", c.vlad_rotations, "with kmeans: learn a rotation per cluster for VLAD");
    visit("seed", c.seed, "of all that is drawn at random");
  });
  section("image", [&](auto&& visit) { VisitFields(c.describe.image, visit); });
  section("grid", [&](auto&& visit) { VisitFields(c.describe.grid, visit); });
  c.describe.descriptor.VisitSections(section);
  section("pca", [&](auto&& visit) { VisitFields(c.pca, visit); });
  c.kind.VisitSections(section);
}

// `alcedo encode`.
struct EncodeConfig {
  DescribeOptions describe;         // by default that of the vocabulary
  std::string vocabulary = "sift";  // a file, or the name of one that comes with the program
  EncoderOptions encoder;
  int gaussians = 0;
  PoolingChoice pooling = GmpOptions{};
  // Of GMP; several give one vector each. Empty: 1, relative to the mean squared norm of the
  // encodings, since that has a meaning for every encoder.
  std::vector<double> lambdas;
  std::string pyramid = "1";
  NormalizationOptions normalization;
  ValueType dtype = ValueType::kFloat32;
  std::uint64_t seed = 0;
};

template <class Visitor>
void VisitSections(EncodeConfig& c, Visitor&& section) {
  section("", [&](auto&& visit) {
    visit("vocabulary", c.vocabulary, "a vocabulary file, or sift or color: those that come along");
    visit("descriptor", c.describe.descriptor, "what is computed of every patch");
    visit("encoder", c.encoder, "auto: fv for gmm, vlad for kmeans, sparse, emk for fourier");
    visit("gaussians", c.gaussians, "the number the vocabulary must have; 0: any");
    visit("pooling", c.pooling, "how the encodings become one vector");
    visit("lambda", c.lambdas,
          "regularisation of gmp, >= 0; several give one vector each; none: 1, relative");
    visit("pyramid", c.pyramid, "cells to pool, such as 1,3x1 (also called paper)");
    VisitFields(c.normalization, visit);
    visit("dtype", c.dtype, "type of the values");
    visit("seed", c.seed, "of the random projections of emk");
  });
  section("image", [&](auto&& visit) { VisitFields(c.describe.image, visit); });
  section("grid", [&](auto&& visit) { VisitFields(c.describe.grid, visit); });
  c.describe.descriptor.VisitSections(section);
  c.encoder.VisitSections(section);
  c.pooling.VisitSections(section);
}

// A section as an object in its name, the fields without a section at the top. Numbers that JSON
// does not have are the strings "inf", "-inf" and "nan".
Json ToJson(LearnConfig config);
Json ToJson(EncodeConfig config);

// Sets the fields that `json` names and leaves the others as they are. An unknown section or name,
// or a value of the wrong type, is an InvalidArgument that names it ("config.toml: grid.stepp is
// not an option of grid; did you mean 'step'?").
void UpdateFromJson(LearnConfig& config, const Json& json, const std::string& where);
void UpdateFromJson(EncodeConfig& config, const Json& json, const std::string& where);

// A config file: TOML, or JSON if the name ends in .json. FormatError naming file, line and what
// is wrong.
Json ReadConfigFile(const std::filesystem::path& path);

// The same as TOML text, with a comment per field from its help.
std::string ToToml(const LearnConfig& config);
std::string ToToml(const EncodeConfig& config);

}  // namespace alcedo
