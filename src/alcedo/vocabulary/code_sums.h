// The sufficient statistics of learning a dictionary.
#pragma once

#include "alcedo/base/sample_source.h"
#include "alcedo/base/types.h"
#include "alcedo/vocabulary/dictionary.h"

namespace alcedo {

// What the atoms need to know of the codes.
struct CodeSums {
  double objective = 0;  // summed over samples
  Matrix codes;          // sum c c^T, both triangles
  Matrix products;       // sum c x^T

  CodeSums() = default;
  CodeSums(Index atoms, Index d)
      : codes(Matrix::Zero(atoms, atoms)), products(Matrix::Zero(atoms, d)) {}
};

// The codes of all samples for these atoms, each from zero (a code depends on nothing but its
// sample and the atoms), and what they sum to. The same bytes for any number of threads.
CodeSums SumCodes(const Dictionary& dictionary, const SampleSource& samples, double l1,
                  int threads);

}  // namespace alcedo
