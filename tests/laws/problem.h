// Random encodings, twice: as the library takes them, and as a plain table that the test's own
// loops fill from the same entries.
#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "alcedo/base/types.h"
#include "alcedo/encoding/encodings.h"
#include "law.h"
#include "oracle.h"

namespace alcedo::laws {

enum class Layout { kDense, kOneBlockPerRow, kSeveralBlocksPerRow };

struct Problem {
  Layout layout = Layout::kDense;
  Index num_blocks = 1;
  Index block_size = 1;
  Rows values;                       // one row per entry
  Matrix doubles;                    // in place of values, if it is not empty
  std::vector<std::int32_t> blocks;  // the block of every entry
  std::vector<Index> offsets = {0};  // the entries of every row
  std::string kind;                  // how values were drawn

  Index num_rows() const { return static_cast<Index>(offsets.size()) - 1; }
  Index dimension() const { return num_blocks * block_size; }

  Encodings Build() const;
  Table Dense() const;
  // The given rows in the given order, repeats allowed.
  Problem Select(const std::vector<Index>& rows) const;
  // The same rows as doubles, with digits that float does not have: every value times 1 and a
  // normal number times `digits`.
  Problem WithDigits(Random& random, double digits) const;
  // Every value times a factor.
  Problem Scaled(float factor) const;
  // The same rows in another layout; kSeveralBlocksPerRow takes any, kDense drops the blocks.
  Problem As(Layout other) const;
  // The row numbers of every block, where every row has one entry.
  std::vector<std::vector<Index>> RowsOfBlocks() const;
};
std::ostream& operator<<(std::ostream& out, const Problem& problem);

struct ProblemLimits {
  Index max_rows = 60;
  Index max_dimension = 60;
  bool large = false;  // now and then several times those
  bool scales = true;  // 1e-18 to 1e18, otherwise 1
};
// Any layout, rank and scale.
Problem AnyProblem(Random& random, const ProblemLimits& limits = {});

// Small integers times a power of two, of any rank, exact in float. Every singular value is either
// zero or at least 1e-3 of the largest, so that no threshold matters between them.
struct GapProblem {
  Problem problem;
  Svd svd;  // of the dense rows
  // The most that a relative residual of Eq. 6 is amplified in phi: the squared condition number.
  double amplification = 1;
};
GapProblem AnyGapProblem(Random& random, Index max_size);

// lambda in 1e-3 to 1e6 times the mean squared row norm (times 1 where that is 0).
double AnyLambda(Random& random, const Table& rows, double smallest = 1e-3, double largest = 1e6);
double MeanSquaredNorm(const Table& rows);

// How far rounding in double may move phi where the rows cancel: 1e-12 of the sum of magnitudes.
Real RidgeFloor(const Table& rows, double lambda);

std::vector<double> ToDoubles(const Reals& values);
Matrix ToMatrix(const Table& table);

}  // namespace alcedo::laws
