// A dictionary for sparse coding: atoms of unit norm.
#pragma once

#include <span>

#include "alcedo/base/choice.h"
#include "alcedo/base/random.h"
#include "alcedo/base/sample_source.h"
#include "alcedo/base/training.h"
#include "alcedo/base/types.h"

namespace alcedo {

// l1 is the weight in the objective as it stands, so that it has the unit of the descriptors: those
// times s with l1 times s have the same codes, times s. The default is the usual 1.2 / sqrt(64) for
// descriptors of about unit norm (Mairal et al. 2010); SIFT after PCA to 64 dimensions then uses
// about 5 of 256 atoms.
struct DictionaryOptions {
  static constexpr Label kLabel{.name = "dictionary", .title = "dictionary"};

  int atoms = 256;
  double l1 = 0.15;         // >= 0, in the unit of the descriptors
  int max_iterations = 20;  // each is one pass over the samples; one more is at the start
  double tolerance = 1e-4;  // >= 0
};
template <class Visitor>
void VisitFields(DictionaryOptions& o, Visitor&& visit) {
  visit("atoms", o.atoms, "number of atoms, >= 1");
  visit("l1", o.l1, "weight of the l1 norm, as in coding; scales with the descriptors");
  visit("max_iterations", o.max_iterations, "passes over the samples at most");
  visit("tolerance", o.tolerance,
        "stop when new atoms lower the objective by less than this part of it");
}

void Check(const DictionaryOptions& options);

struct Dictionary {
  Rows atoms;  // K x d, unit norm
  Index size() const { return atoms.rows(); }
  Index dimension() const { return atoms.cols(); }
};

// Minimises the mean of 1/2 |x - sum_k c_k a_k|^2 + l1 |c|_1 over codes and atoms, in turns: codes
// by coordinate descent, atoms one by one from the sufficient statistics sum c c^T and sum c x^T
// (Mairal et al. 2010), both in double over fixed chunks. Atoms that no sample uses are replaced by
// samples, which changes no code. The atoms start from samples, and from random directions if there
// are too few that are not zero. Same bytes for any number of threads. No rows is an
// InvalidArgument, as is a value that is not finite (named by row and column).
//
// The objective that observer and report see is that of the atoms with their best codes, and never
// rises (but for rounding). It has converged when, with the codes as they are, the best new atoms
// would lower it by `tolerance` of itself at most; these are then not taken. All of an iteration
// follows from the atoms before it, its number and one number drawn from `rng`.
//
// Ranks: each has its own samples. They get the bytes that one process would get from all samples
// if each but the last has a multiple of 4096 and the sums of 4096 samples each, K (K + d) values,
// take 256 MiB at most; otherwise sums differ in their rounding.
Dictionary FitDictionary(const SampleSource& samples, const DictionaryOptions& options, Rng& rng,
                         const FitContext<Dictionary>& context = {});

// The sufficient statistics of learning: what the atoms need to know of the codes.
struct CodeSums {
  double objective = 0;  // summed over samples
  Matrix codes;          // sum c c^T, both triangles
  Matrix products;       // sum c x^T

  CodeSums() = default;
  CodeSums(Index atoms, Index d)
      : codes(Matrix::Zero(atoms, atoms)), products(Matrix::Zero(atoms, d)) {}

  void Add(const CodeSums& other);
  template <class Visit>
  void VisitValues(Visit&& visit) {
    visit(std::span(&objective, 1));
    visit(std::span(codes.data(), static_cast<std::size_t>(codes.size())));
    visit(std::span(products.data(), static_cast<std::size_t>(products.size())));
  }
};
// Collective: the codes of all samples for these atoms, each from zero (a code depends on nothing
// but its sample and the atoms), and what they sum to. The same bytes for any number of threads.
CodeSums SumCodes(const Dictionary& dictionary, const RankedSamples& samples, double l1,
                  int threads);

}  // namespace alcedo
