// What an experiment searches and how far (section 5 of the paper).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "alcedo/base/options.h"
#include "alcedo/config/options.h"
#include "alcedo/training/train_options.h"

namespace alcedo::reproduce {

// The paper has the tables 1 and 2, and a paragraph on pyramids for VOC-2007.
enum class TableChoice { kOne, kTwo, kPyramid, kPaper, kDemocratic, kBaselines, kBeyond, kAll };

// How lambda, power, sigma and C are searched (selection.h).
enum class CandidateSearch { kScreened, kExhaustive };

}  // namespace alcedo::reproduce

namespace alcedo {

template <>
struct EnumNames<reproduce::TableChoice> {
  static constexpr std::array<std::pair<reproduce::TableChoice, std::string_view>, 8> values{
      {{reproduce::TableChoice::kOne, "1"},
       {reproduce::TableChoice::kTwo, "2"},
       {reproduce::TableChoice::kPyramid, "pyramid"},
       {reproduce::TableChoice::kPaper, "paper"},
       {reproduce::TableChoice::kDemocratic, "democratic"},
       {reproduce::TableChoice::kBaselines, "baselines"},
       {reproduce::TableChoice::kBeyond, "beyond"},
       {reproduce::TableChoice::kAll, "all"}}};
};

template <>
struct EnumNames<reproduce::CandidateSearch> {
  static constexpr std::array<std::pair<reproduce::CandidateSearch, std::string_view>, 2> values{
      {{reproduce::CandidateSearch::kScreened, "screened"},
       {reproduce::CandidateSearch::kExhaustive, "exhaustive"}}};
};

}  // namespace alcedo

namespace alcedo::reproduce {

struct ReproduceOptions : DescribingOptions {
  TableChoice table = TableChoice::kAll;
  bool lite = false;
  std::uint64_t seed = 0;
  int seeds = 1;
  DescriptorSet descriptor;
  std::vector<double> gaussians{16, 256};                          // the paper's
  std::vector<double> lambdas{1e1, 1e2, 1e3, 1e4, 1e5};            // the paper's
  std::vector<double> relative_lambdas{1, 3, 10, 30, 100, 300};    // between and beyond them
  std::vector<double> powers{1, 0.7, 0.5, 0.4, 0.3, 0.2, 0.1, 0};  // the paper's
  std::vector<double> emk_lambdas{1e-2, 1e-1, 1, 10, 100, 1e3, 1e4};
  std::vector<double> sigmas{0.1, 0.15, 0.2, 0.3, 0.45, 0.6, 0.9};
  std::vector<double> c{0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300, 1e3, 3e3, 1e4};
  std::vector<double> gammas{0.1, 0.3, 0.5, 0.7};
  int folds = 5;
  CandidateSearch search = CandidateSearch::kScreened;
  int samples = 500000;
  double accuracy = 1e-3;  // far below what changes a decision
  double max_disk = 0;
};
template <class Visitor>
void VisitFields(ReproduceOptions& o, Visitor&& visit) {
  visit("table", o.table,
        "what to reproduce; paper: what it prints, with the pyramid on VOC-2007; democratic: "
        "Tables 1 and 2, and that pooling of them; baselines: Tables 1 and 2, intra-normalised and "
        "soft "
        "Fisher Vectors, and centred EMK; beyond: democratic, VLAD and others");
  visit("lite", o.lite, "few classes, images and candidates: a quick look in a few minutes");
  visit("seed", o.seed, "of all that is drawn at random");
  visit("seeds", o.seeds, "repeat everything with this many seeds, from seed on");
  visit("descriptor", o.descriptor, "what is computed of every patch; both: and their late fusion");
  visit("gaussians", o.gaussians,
        "of Fisher Vectors without a pyramid, a row of the table for each; with lite only the "
        "fewest");
  visit("lambdas", o.lambdas, "candidates of gmp, absolute; none: only relative ones");
  visit(
      "relative_lambdas", o.relative_lambdas,
      "more candidates of gmp, except of emk: times the mean squared norm of an image's encodings; "
      "none: only absolute ones");
  visit("emk_lambdas", o.emk_lambdas,
        "candidates of gmp of emk, whose rows have a mean squared norm of 1, not of half their "
        "dimension, 1,024: the paper's 10 to 1e5 may be 0.01 to 100 here");
  visit("powers", o.powers, "candidates of the methods with +p, in [0, 1]; 1 is none");
  visit("sigmas", o.sigmas, "candidates of emk, times the median distance between descriptors");
  visit("c", o.c, "candidates of the SVM");
  visit("gammas", o.gammas, "candidates of gamma-democratic pooling, in [0, 1]");
  visit("folds", o.folds, "of cross-validation, if the dataset has no validation split");
  visit("search", o.search,
        "screened: ridge regression ranks the candidates, SVMs decide between the best of every "
        "method; exhaustive: SVMs of every candidate with every C (of EMK, of those that a pilot "
        "leaves)");
  visit("samples", o.samples, "descriptors that vocabularies are learned from");
  VisitFields(static_cast<DescribingOptions&>(o), visit);
  visit("accuracy", o.accuracy, "relative error at which solvers stop");
  visit("max_disk", o.max_disk,
        "GiB that intermediate files may take; more passes if less is given; 0: no limit");
}

// Throws InvalidArgument for options out of range.
void Check(const ReproduceOptions& options);

}  // namespace alcedo::reproduce
