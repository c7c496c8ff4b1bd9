#include "alcedo/bags/bag_job.h"

#include <algorithm>
#include <utility>

#include "alcedo/base/error.h"
#include "alcedo/base/types.h"
#include "alcedo/config/field_json.h"
#include "alcedo/normalization/normalize.h"

namespace alcedo {
namespace {

// The overloads are the members of PoolingOptions that need more than Pool().
struct Pooler {
  const Encodings& encodings;
  const BagPooling& job;
  const Vector& input_weights;
  PoolBagRun run;

  PooledBag operator()(GmpOptions options) const {
    options.threads = run.threads;
    if (job.nonnegative) return FromWeights(options, GmpWeightsNonNegativeOf);
    GmpPath path = PoolGmpPath(encodings, ForLambdas(job.lambdas, options));
    PooledBag bag{std::move(path.phi), {}, std::move(path.reports), {}};
    if (run.weights) {
      // phi stays the one from the primal: asking for weights changes nothing else.
      PooledBag dual = FromWeights(options, GmpWeightsOf);
      bag.weights = std::move(dual.weights);
      bag.weights_reports = std::move(dual.reports);
    }
    return bag;
  }

  PooledBag operator()(DemocraticOptions options) const {
    options.threads = run.threads;
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
    if (run.weights) bag.weights.resize(count, encodings.num_rows());
    for (Index l = 0; l < count; ++l) {
      WeightsResult result = solve(encodings, options, job.lambdas[l]);
      bag.phi.row(l) = WeightedSum(encodings, result.weights, run.threads);
      if (run.weights) bag.weights.row(l) = result.weights;
      bag.reports.push_back(std::move(result.report));
    }
    return bag;
  }
};

}  // namespace

std::string_view PoolingName(const PoolingOptions& pooling) {
  return std::visit(
      []<class Options>(const Options&) -> std::string_view {
        // Not a member of the set that needs nothing but the encodings.
        if constexpr (std::is_same_v<Options, WeightedOptions>) {
          return "weighted";
        } else {
          return Options::kLabel.name;
        }
      },
      pooling);
}

std::string_view BagPooling::name() const { return PoolingName(pooling); }

void Check(const BagPooling& pooling) {
  const bool gmp = std::holds_alternative<GmpOptions>(pooling.pooling);
  if (pooling.nonnegative && !gmp) {
    throw InvalidArgument("nonnegative", "goes with pooling gmp", "");
  }
  if (pooling.lambdas.empty()) throw InvalidArgument("gmp.lambda", "must have a value", "");
  if (pooling.power) Check(NormalizationOptions{.power = *pooling.power});
  if (!gmp) return Check(pooling.pooling);
  for (const double lambda : pooling.lambdas) {
    GmpOptions options = std::get<GmpOptions>(pooling.pooling);
    options.lambda = lambda;
    Check(options);
    if (pooling.nonnegative) {
      Require(lambda > 0, "gmp.lambda", "> 0 for non-negative weights", lambda);
    }
  }
}

PooledBag PoolBag(const Encodings& encodings, const BagPooling& pooling,
                  const Vector& input_weights, const PoolBagRun& run) {
  PooledBag bag = std::visit(Pooler{encodings, pooling, input_weights, run}, pooling.pooling);
  // Rows are within bounds (1e70), weights that somebody gives are not.
  if (!bag.phi.allFinite()) {
    throw InvalidArgument("weights",
                          "must be smaller: their sum of rows leaves the range of double", "");
  }
  const NormalizationOptions normalization{pooling.power.value_or(1), pooling.block_l2, pooling.l2};
  for (Index l = 0; l < bag.phi.rows(); ++l) {
    Vector v = bag.phi.row(l);
    Normalize(v, normalization, {.cells = 1, .block_size = encodings.block_size()});
    bag.phi.row(l) = v;
  }
  return bag;
}

namespace {

void Refuse(bool wrong, const std::string& option, const std::string& rule) {
  if (wrong) throw InvalidArgument(option, rule, "");
}

}  // namespace

void Check(const BagJob& job) {
  const BagInputs& inputs = job.inputs;
  Refuse(inputs.paths.empty(), "inputs", "must name at least one file");
  Refuse(std::ranges::count(inputs.paths, "-") > 1, "inputs", "may name standard input only once");
  if (inputs.has_blocks() && inputs.num_blocks < 1) {
    throw InvalidArgument("blocks", "needs the number of blocks", "",
                          Hint{"give it with", "num_blocks", ""});
  }
  Refuse(!inputs.has_blocks() && inputs.num_blocks != 0, "num_blocks", "goes with blocks");
  Refuse(!inputs.offsets.empty() && inputs.paths.size() > 1, "offsets", "goes with one input");
  const bool weighted = std::holds_alternative<WeightedOptions>(job.pooling.pooling);
  Refuse(weighted && inputs.input_weights.empty(), "input_weights",
         "must be given for pooling weighted");
  Refuse(!weighted && !inputs.input_weights.empty(), "input_weights", "goes with pooling weighted");
  Refuse(job.destination.resume && job.destination.form != BagForm::kFolder, "resume",
         "goes with an output folder");
  Check(job.pooling);
}

Json ConfigOf(const BagJob& job) {
  const BagPooling& pooling = job.pooling;
  Json config;
  config["pooling"] = pooling.name();
  if (std::holds_alternative<GmpOptions>(pooling.pooling)) {
    config["lambda"] = Json::array();
    for (const double lambda : pooling.lambdas) config["lambda"].push_back(JsonNumber(lambda));
    config["nonnegative"] = pooling.nonnegative;
  }
  PoolingOptions options = pooling.pooling;
  std::visit(
      [&]<class Options>(Options& chosen) {
        if constexpr (HasFields<Options>) VisitFields(chosen, FieldsToJson{config});
      },
      options);
  config["array"] = job.inputs.array;
  config["offsets"] = job.inputs.offsets;
  config["blocks"] = job.inputs.blocks;
  config["num_blocks"] = job.inputs.num_blocks;
  config["input_weights"] = job.inputs.input_weights;
  config["power"] = pooling.power ? JsonNumber(*pooling.power) : Json("none");
  config["block_l2"] = pooling.block_l2;
  config["l2"] = pooling.l2;
  config["dtype"] = Name(job.destination.type);
  config["seed"] = job.seed;
  return config;
}

}  // namespace alcedo
