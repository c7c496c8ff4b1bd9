#include "alcedo/cli/pool_bag.h"

#include <utility>

#include "alcedo/base/error.h"
#include "alcedo/base/types.h"
#include "alcedo/cli/flag_names.h"
#include "alcedo/normalization/normalize.h"

namespace alcedo::cli {
namespace {

// The overloads are the members of PoolingOptions that need more than Pool().
struct Pooler {
  const Encodings& encodings;
  const PoolJob& job;
  const Vector& input_weights;
  int threads;

  bool wants_weights() const { return !job.weights.empty(); }

  PooledBag operator()(GmpOptions options) const {
    options.threads = threads;
    if (job.nonnegative) return FromWeights(options, GmpWeightsNonNegativeOf);
    GmpPath path = PoolGmpPath(encodings, job.lambdas, options);
    PooledBag bag{std::move(path.phi), {}, std::move(path.reports), {}};
    if (wants_weights()) {
      // phi stays the one from the primal: asking for weights changes nothing else.
      PooledBag dual = FromWeights(options, GmpWeightsOf);
      bag.weights = std::move(dual.weights);
      bag.weights_reports = std::move(dual.reports);
    }
    return bag;
  }

  PooledBag operator()(DemocraticOptions options) const {
    options.threads = threads;
    return FromWeights(options, DemocraticWeightsOf);
  }

  PooledBag operator()(WeightedOptions options) const {
    options.weights = input_weights;
    return OneVector(options);
  }

  template <class Options>
  PooledBag operator()(const Options& options) const {
    return OneVector(options);
  }

 private:
  PooledBag OneVector(const PoolingOptions& options) const {
    return {Pool(encodings, options).phi.transpose(), {}, {}, {}};
  }

  static WeightsResult GmpWeightsOf(const Encodings& e, GmpOptions o, double lambda) {
    o.lambda = lambda;
    return GmpWeights(e, o);
  }
  static WeightsResult GmpWeightsNonNegativeOf(const Encodings& e, GmpOptions o, double lambda) {
    o.lambda = lambda;
    return GmpWeightsNonNegative(e, o);
  }
  static WeightsResult DemocraticWeightsOf(const Encodings& e, DemocraticOptions o, double) {
    return DemocraticWeights(e, o);
  }

  // phi = Phi alpha (Eq. 7), for every lambda.
  template <class Options>
  PooledBag FromWeights(const Options& options,
                        WeightsResult (*solve)(const Encodings&, Options, double)) const {
    const Index count = static_cast<Index>(job.lambdas.size());
    PooledBag bag{Matrix(count, encodings.dimension()), {}, {}, {}};
    if (wants_weights()) bag.weights.resize(count, encodings.num_rows());
    for (Index l = 0; l < count; ++l) {
      WeightsResult result = solve(encodings, options, job.lambdas[l]);
      bag.phi.row(l) = WeightedSum(encodings, result.weights, threads);
      if (wants_weights()) bag.weights.row(l) = result.weights;
      bag.reports.push_back(std::move(result.report));
    }
    return bag;
  }
};

void Normalize(const PoolJob& job, Index block_size, Matrix& phi) {
  for (Index l = 0; l < phi.rows(); ++l) {
    Vector v = phi.row(l);
    if (job.power) PowerNormalize(v, *job.power);
    if (job.block_l2) BlockL2Normalize(v, block_size);
    if (job.l2) L2Normalize(v);
    phi.row(l) = v;
  }
}

}  // namespace

PooledBag PoolBag(const Encodings& encodings, const PoolJob& job, const Vector& input_weights,
                  int threads) {
  // The library speaks of option fields, the program of flags.
  try {
    PooledBag bag = std::visit(Pooler{encodings, job, input_weights, threads}, job.pooling);
    for (std::vector<SolveReport>* reports : {&bag.reports, &bag.weights_reports}) {
      for (SolveReport& report : *reports) {
        report.reason = WithFlagNames(job.pooling, std::move(report.reason));
      }
    }
    Normalize(job, encodings.block_size(), bag.phi);
    return bag;
  } catch (const InvalidArgument& error) {
    std::string message = WithFlagNames(job.pooling, error.what());
    constexpr std::string_view kExponent = "power exponent ";
    if (message.starts_with(kExponent)) message.replace(0, kExponent.size(), "--power ");
    throw InvalidArgument(message);
  }
}

void CheckPoolable(const PoolJob& job) {
  PoolBag(Encodings::Dense(Rows::Ones(1, 1)), job, Vector::Ones(1), 1);
}

}  // namespace alcedo::cli
