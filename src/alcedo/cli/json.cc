#include "alcedo/cli/json.h"

#include "alcedo/cli/poolings.h"

namespace alcedo::cli {

Json ConfigOf(const PoolJob& job) {
  Json config;
  config["pooling"] = NameOf(job.pooling);
  if (std::holds_alternative<GmpOptions>(job.pooling)) {
    config["lambda"] = Json::array();
    for (const double lambda : job.lambdas) config["lambda"].push_back(JsonNumber(lambda));
    config["nonnegative"] = job.nonnegative;
  }
  PoolingOptions pooling = job.pooling;
  std::visit(
      [&]<class Options>(Options& options) {
        if constexpr (HasFields<Options>) VisitFields(options, FieldsToJson{config});
      },
      pooling);
  config["array"] = job.array;
  config["offsets"] = job.offsets;
  config["blocks"] = job.blocks;
  config["num_blocks"] = job.num_blocks;
  config["input_weights"] = job.input_weights;
  config["power"] = job.power ? JsonNumber(*job.power) : Json("none");
  config["block_l2"] = job.block_l2;
  config["l2"] = job.l2;
  config["dtype"] = Name(job.type);
  config["seed"] = job.seed;
  return config;
}

std::string Version() { return ALCEDO_VERSION; }

}  // namespace alcedo::cli
