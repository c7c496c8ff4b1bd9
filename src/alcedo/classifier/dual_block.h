// Dual coordinate descent within a block of samples: the inner loop of all dual solvers.
//
// A step changes one alpha, and with it the scores of all samples. Within the block they are
// updated at once from the block's products, which stay in the first cache; for the other samples
// the steps of a whole block, and of all classes, are then one matrix product. The steps are those
// of plain descent. 1,020 samples, 102 classes: 9 ms a pass.
#pragma once

#include <cstdint>
#include <vector>

#include "alcedo/base/index.h"
#include "alcedo/classifier/svm_problem.h"

namespace alcedo {

constexpr Index kDualBlock = 64;

// One block's products k_ij + bias^2 of samples in an order of their own.
struct DualBlock {
  Index size = 0;
  double gram[kDualBlock * kDualBlock];  // row stride kDualBlock
  Index order[kDualBlock];               // in which the samples take their steps
};

// Takes products of `size` samples, row stride `stride`.
void FillDualBlock(const float* gram, Index stride, Index size, double bias, DualBlock& block);

// One step for every sample of the block. targets, alpha and scores are the block's; delta gets the
// changes of y alpha. False if nothing changed.
bool DescendBlock(const DualBlock& block, const std::int8_t* targets, const SvmCosts& costs,
                  SvmLoss loss, double* alpha, const double* scores, float* delta);

// What a class's samples from `targets` on add to the two objectives beside the terms of w.
struct DualSums {
  double losses = 0;  // sum_i C_i loss(1 - y_i score_i)
  double duals = 0;   // sum_i alpha_i, less alpha_i^2 / (4 C_i) for the squared hinge
};
void AddDualSums(Index count, const std::int8_t* targets, const SvmCosts& costs, SvmLoss loss,
                 const double* alpha, const double* scores, DualSums& sums);

// The order in which a pass visits its blocks: of chance, but the same in every run.
std::vector<Index> BlockOrder(Index blocks, int pass);
void ShuffleBlock(DualBlock& block, int pass, Index number);

}  // namespace alcedo
