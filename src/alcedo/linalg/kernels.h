// The inner loops of pooling: rows of float or double, arithmetic in double, and in float if that
// pays.
//
// A pass over rows that do not fit a cache is bound by memory, and there double arithmetic on float
// data costs little. In cache it takes two and a half times as long as float (0.69 against 0.28 us
// for 40 x 128), so that there a solver may iterate in float and correct itself in double: hence
// both. Compiled once per instruction set and chosen at run time.
//
// Rows are contiguous: row i starts at rows + i * width. Outputs never alias inputs.
#pragma once

#include <cstdint>
#include <string>

#include "alcedo/base/index.h"

namespace alcedo::kernels {

// One fused pass for y += Phi Phi^T p: dots[i] = row_i . p and y += sum_i dots[i] row_i. Every row
// is read from memory once.
void AddGramProduct(const float* rows, Index count, Index width, const double* p, double* dots,
                    double* y);
void AddGramProduct(const float* rows, Index count, Index width, const float* p, float* dots,
                    float* y);

// dots[i] = row_i . p
void Dots(const float* rows, Index count, Index width, const double* p, double* dots);
void Dots(const float* rows, Index count, Index width, const float* p, float* dots);

// y += sum_i weights[i] row_i
void AddWeightedRows(const float* rows, Index count, Index width, const double* weights, double* y);
void AddWeightedRows(const float* rows, Index count, Index width, const float* weights, float* y);

// Rows of blocks: row i holds the entries offsets[i] <= e < offsets[i + 1] (without offsets, the
// one entry i), entry e the `width` values at values + e * width for the coordinates from blocks[e]
// * width on.
template <class T>
struct SparseRowsOf {
  const T* values;
  const std::int32_t* blocks;  // null: all in block 0
  const Index* offsets;        // null: one entry per row
  Index count;
  Index width;

  Index Block(Index entry) const { return blocks == nullptr ? 0 : blocks[entry]; }
  Index Begin(Index row) const { return offsets == nullptr ? row : offsets[row]; }
  // The rows begin <= i < end. Entries keep their numbers, so `values` and `blocks` stay.
  SparseRowsOf Part(Index begin, Index end) const {
    if (offsets != nullptr) return {values, blocks, offsets + begin, end - begin, width};
    return {values + begin * width, blocks == nullptr ? nullptr : blocks + begin, nullptr,
            end - begin, width};
  }
};
using SparseRows = SparseRowsOf<float>;
void AddGramProduct(const SparseRows& rows, const double* p, double* dots, double* y);
void Dots(const SparseRows& rows, const double* p, double* dots);
void AddWeightedRows(const SparseRows& rows, const double* weights, double* y);

// The same for rows of double: what somebody else computed in double is not rounded.
void AddGramProduct(const double* rows, Index count, Index width, const double* p, double* dots,
                    double* y);
void Dots(const double* rows, Index count, Index width, const double* p, double* dots);
void AddWeightedRows(const double* rows, Index count, Index width, const double* weights,
                     double* y);
void AddGramProduct(const SparseRowsOf<double>& rows, const double* p, double* dots, double* y);
void Dots(const SparseRowsOf<double>& rows, const double* p, double* dots);
void AddWeightedRows(const SparseRowsOf<double>& rows, const double* weights, double* y);

// kernel = rows rows^T, count x count, both triangles, for few rows: no packing, so that it is
// faster than BLAS up to about a hundred rows.
void SmallKernelMatrix(const double* rows, Index count, Index width, double* kernel);

// The three steps of a conjugate gradient iteration on vectors of `n` floats, which for small
// blocks take as long as the product with the rows.
struct Curvature {
  float pp, pq;  // p . p and p . q
};
Curvature FloatCurvature(Index n, const float* p, const float* q);
// x += step p and r -= step (q + shift p); returns r . r.
float FloatStep(Index n, float step, float shift, const float* p, const float* q, float* x,
                float* r);
// p = r + beta p.
void FloatDirection(Index n, float beta, const float* r, float* p);

// The sum of squares of `count` values. Not finite if and only if one of the values is not: the
// square of the largest float is far inside the range of double.
double SquaredNorm(const float* values, Index count);
// The same for doubles, whose squares may leave the range of double.
double SquaredNorm(const double* values, Index count);

// The instruction set that was chosen, e.g. "AVX3" or "AVX2".
std::string InstructionSet();

}  // namespace alcedo::kernels
