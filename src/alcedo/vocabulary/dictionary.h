// A dictionary for sparse coding: atoms of unit norm.
#pragma once

#include <vector>

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

struct Dictionary {
  Rows atoms;  // K x d, unit norm
  Index size() const { return atoms.rows(); }
  Index dimension() const { return atoms.cols(); }
};

// Minimises the mean of 1/2 |x - sum_k c_k a_k|^2 + l1 |c|_1 over codes and atoms, in turns: codes
// by coordinate descent, atoms one by one from the sufficient statistics sum c c^T and sum c x^T
// (Mairal et al. 2010), both in double over fixed chunks. Atoms that no sample uses are replaced by
// samples, which changes no code. The atoms start from samples, and from random directions where
// there are too few that are not zero. Same bytes for any number of threads. No rows is an
// InvalidArgument, as is a value that is not finite (named by row and column).
//
// The objective that observer and report see is that of the atoms with their best codes, and never
// rises (but for rounding). It has converged when, with the codes as they are, the best new atoms
// would lower it by `tolerance` of itself at most; these are then not taken. All of an iteration
// follows from the atoms before it, its number and one number drawn from `rng`: going on from a
// stored dictionary (`start`, after `start_iteration` iterations) with an equal `rng` ends at the
// same bytes.
Dictionary FitDictionary(const SampleSource& samples, const DictionaryOptions& options, Rng& rng,
                         int threads = 1, TrainingReport* report = nullptr,
                         const TrainingObserver<Dictionary>& observer = nullptr,
                         const Dictionary* start = nullptr, int start_iteration = 0);

// atoms atoms^T, as LassoCode takes it.
Rows AtomGram(const Dictionary& dictionary);

// The code of one row, by coordinate descent on an active set, to `tolerance` in the largest change
// of a coefficient (relative to the largest coefficient) or for `max_sweeps` sweeps over the active
// set. gram = atoms atoms^T; atoms of another norm than 1, also 0, are coded as they are. `code`
// has size K and is also where it starts from; coefficients that are not used are exactly zero.
// Requires a finite row and l1 >= 0.
struct LassoWork {
  std::vector<float> correlation;
  std::vector<float> row;
  std::vector<Index> active;
};
void LassoCode(const Dictionary& dictionary, const Rows& gram, const float* row, double l1,
               double tolerance, int max_sweeps, LassoWork& work, float* code);

}  // namespace alcedo
