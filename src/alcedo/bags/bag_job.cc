#include "alcedo/bags/bag_job.h"

#include <algorithm>

#include "alcedo/config/field_json.h"

namespace alcedo {
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
