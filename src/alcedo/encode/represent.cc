#include "alcedo/encode/represent.h"

#include <numeric>

#include "alcedo/base/error.h"
#include "alcedo/base/types.h"
#include "alcedo/normalization/normalize.h"
#include "alcedo/encode/encode_descriptors.h"

namespace alcedo {
namespace {

// One vector per lambda, and per pooling without one.
Matrix PoolCell(const Representer& r, const Encodings& encodings, int threads,
                std::vector<SolveReport>& reports) {
  if (const auto* gmp = std::get_if<GmpOptions>(&r.pooling)) {
    GmpOptions options = *gmp;
    options.threads = threads;
    GmpPath path = PoolGmpPath(encodings, r.config.lambdas, options);
    std::ranges::move(path.reports, std::back_inserter(reports));
    return std::move(path.phi);
  }
  PoolingOptions pooling = r.pooling;
  if (auto* democratic = std::get_if<DemocraticOptions>(&pooling)) democratic->threads = threads;
  PoolResult result = Pool(encodings, pooling);
  if (std::holds_alternative<DemocraticOptions>(pooling)) reports.push_back(result.report);
  return result.phi.transpose();
}

void Normalize(const EncodeConfig& config, Index block_size, Eigen::Ref<Vector> v) {
  if (config.power != 1) PowerNormalize(v, config.power);
  if (config.block_l2) BlockL2Normalize(v, block_size);
  if (config.l2) L2Normalize(v);
}

}  // namespace

std::vector<RelativePosition> RelativePositions(const Descriptors& descriptors) {
  std::vector<RelativePosition> positions;
  positions.reserve(descriptors.patches.size());
  for (const Patch& patch : descriptors.patches) {
    // A centre can lie outside by rounding only.
    positions.push_back({std::clamp(patch.x / descriptors.width, 0.0, 1.0),
                         std::clamp(patch.y / descriptors.height, 0.0, 1.0)});
  }
  return positions;
}

Index Representer::dimension() const {
  return EncodedDimension(encoder) * static_cast<Index>(pyramid.cells.size());
}

Representation Represent(const Representer& r, const Descriptors& descriptors, int threads) {
  const EncodeConfig& config = r.config;
  const bool whole = r.pyramid.cells.size() == 1 && config.pyramid == "1";
  if (!whole && descriptors.values.rows() > 0 && descriptors.patches.empty()) {
    throw InvalidArgument("a pyramid needs the positions of the descriptors");
  }
  const Index lambdas = static_cast<Index>(std::max<std::size_t>(1, config.lambdas.size()));
  Representation result;
  result.values = Matrix::Zero(lambdas, r.dimension());
  result.patches = descriptors.values.rows();
  if (result.patches == 0) return result;

  EncodeReport encode_report;
  const Encodings encodings = EncodeDescriptors(r, descriptors, threads, &encode_report);
  result.dropped_posterior = encode_report.dropped_posterior;

  std::vector<std::vector<Index>> cells(1);
  if (!whole) cells = RowsOfCells(r.pyramid, RelativePositions(descriptors));
  const Index dimension = encodings.dimension();
  for (std::size_t c = 0; c < cells.size(); ++c) {
    const Encodings cell = whole ? encodings : encodings.Select(cells[c]);
    result.values.middleCols(static_cast<Index>(c) * dimension, dimension) =
        PoolCell(r, cell, threads, result.reports);
  }
  for (Index l = 0; l < lambdas; ++l) {
    Vector v = result.values.row(l);
    for (std::size_t c = 0; c < cells.size(); ++c) {
      Normalize(config, encodings.block_size(),
                v.segment(static_cast<Index>(c) * dimension, dimension));
    }
    if (config.l2 && cells.size() > 1) L2Normalize(v);
    result.values.row(l) = v;
  }
  return result;
}

}  // namespace alcedo
