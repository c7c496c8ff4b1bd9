#include "alcedo/bags/pool_bags.h"

#include <fmt/format.h>

#include <map>
#include <mutex>
#include <new>
#include <span>

#include "alcedo/base/parallel.h"
#include "alcedo/base/text.h"
#include "alcedo/base/types.h"
#include "alcedo/base/version.h"
#include "alcedo/config/field_json.h"
#include "alcedo/store/value_bytes.h"

namespace alcedo {
namespace {

// What became of one bag.
struct Outcome {
  Index dimension = 0;
  BagReport report;
  std::string failure;  // why it was left out; empty: it was not
};

std::string Worded(const BagRun& run, const Error& error) {
  return run.word ? run.word(error) : error.what();
}

// Reads and pools a bag; its report goes to `outcome`.
BagValues PoolOne(const BagJob& job, const BagRun& run, const Bag& bag, int threads,
                  Outcome& outcome) {
  const std::shared_ptr<const LoadedArray> array = bag.source->Take();
  try {
    const Index count = bag.end - bag.begin;
    const Encodings encodings = array->Encode(bag.begin, bag.end, job.inputs.num_blocks);
    const bool weighted = array->weights.size() > 0;
    const Vector weights = weighted ? Vector(array->weights.segment(bag.begin, count)) : Vector();
    PooledBag pooled = PoolBag(encodings, job.pooling, weights,
                               {.weights = !job.destination.weights.empty(), .threads = threads});
    outcome.dimension = pooled.phi.cols();
    outcome.report = {bag.name, count, std::move(pooled.reports),
                      std::move(pooled.weights_reports)};
    return {pooled.phi.cols(), ValueBytes(pooled.phi, job.destination.type), pooled.weights};
  } catch (const InvalidArgument& error) {
    // Errors of the readers name their file; the mathematics does not know it.
    throw FormatError(bag.label, Worded(run, error));
  }
}

std::vector<Outcome> PoolAll(const BagJob& job, const BagRun& run, const BagPlan& plan,
                             Index resumed, BagOutput& output) {
  const Index count = static_cast<Index>(plan.bags.size());
  std::vector<Outcome> outcomes(plan.bags.size());
  std::mutex mutex;
  Progress progress{"pooling", resumed, resumed + count, resumed, "bags"};
  Report(run, progress);
  // Over the bags if there are several, inside the solver if there is one.
  const int solver_threads = count == 1 ? run.threads : 1;
  ParallelFor(count, run.threads, [&](Index i) {
    const Bag& bag = plan.bags[i];
    BagValues pooled;
    try {
      if (const std::string why = output.Problem(bag); !why.empty()) {
        bag.source->Take();  // counted off: the array is let go after its last bag
        throw IoError(bag.label, why);
      }
      pooled = PoolOne(job, run, bag, solver_threads, outcomes[i]);
    } catch (const Error& error) {
      if (!plan.skip_bad) throw;
      outcomes[i].failure = error.what();
    } catch (const std::bad_alloc&) {
      if (!plan.skip_bad) throw;
      outcomes[i].failure = bag.label + ": there is not enough memory for this bag";
    }
    // Outside of the try: a full disk is not the fault of the bag. Counted while it is being
    // written, so that an interruption reports exactly what is there.
    Write(run, [&] {
      if (outcomes[i].failure.empty()) output.Put(i, bag, std::move(pooled));
      const std::lock_guard lock(mutex);
      ++progress.done;
      Report(run, progress);
    });
  });
  return outcomes;
}

// The first good bag of those with the most common dimension; nothing if no bag is good.
const Outcome* Typical(const std::vector<Outcome>& outcomes) {
  std::map<Index, Index> counts;
  for (const Outcome& outcome : outcomes) {
    if (outcome.failure.empty()) ++counts[outcome.dimension];
  }
  const Outcome* typical = nullptr;
  for (const Outcome& outcome : outcomes) {
    if (!outcome.failure.empty()) continue;
    if (!typical || counts[outcome.dimension] > counts[typical->dimension]) typical = &outcome;
  }
  return typical;
}

// Vectors of one table have one length: that of most bags, whatever file comes first. Files of
// their own may differ, but hardly on purpose.
void CheckDimensions(const BagJob& job, const BagPlan& plan, std::vector<Outcome>& outcomes,
                     std::vector<std::string>& warnings) {
  const Outcome* typical = Typical(outcomes);
  const bool folder = job.destination.form == BagForm::kFolder;
  std::vector<std::string> odd;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    Outcome& outcome = outcomes[i];
    if (!outcome.failure.empty() || outcome.dimension == typical->dimension) continue;
    odd.push_back(fmt::format("{} has {} dimensions, unlike '{}' with {}", plan.bags[i].label,
                              outcome.dimension, typical->report.name, typical->dimension));
    if (!folder) outcome.failure = odd.back();
  }
  if (!folder || odd.empty()) return;
  const std::string more =
      odd.size() > 1 ? fmt::format(" (and {} more such bags)", odd.size() - 1) : "";
  warnings.push_back(odd[0] + more);
}

// No patches pool to zeros, which is seldom what somebody wants.
void WarnOfEmptyBags(const BagPlan& plan, const std::vector<Outcome>& outcomes,
                     std::vector<std::string>& warnings) {
  std::vector<std::string> empty;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    if (outcomes[i].failure.empty() && outcomes[i].report.num_rows == 0) {
      empty.push_back(plan.bags[i].label);
    }
  }
  if (empty.empty()) return;
  warnings.push_back(
      empty.size() == 1 ? fmt::format("{} has no patches: its vector is zero", empty[0])
                        : fmt::format("{} of the bags have no patches: their vectors are zero ({})",
                                      empty.size(), FirstOf(empty)));
}

Json SolveJson(const SolveReport& report) {
  return {{"solver", report.solver},
          {"lambda", JsonNumber(report.lambda)},
          {"lambda_relative", JsonNumber(report.lambda_relative)},
          {"iterations", report.iterations},
          {"residual", JsonNumber(report.residual)},
          {"error_bound", JsonNumber(report.error_bound)},
          {"converged", report.converged},
          {"reason", report.reason}};
}

Json SolveJson(std::span<const SolveReport> reports) {
  Json json = Json::array();
  for (const SolveReport& report : reports) json.push_back(SolveJson(report));
  return json;
}

Json ReportJson(const BagJob& job, std::span<const BagReport> bags,
                std::span<const Failure> failures) {
  Json json{{"alcedo", Version()},
            {"config", ConfigOf(job)},
            {"bags", Json::array()},
            {"skipped", Json::array()}};
  for (const BagReport& bag : bags) {
    Json entry{{"name", bag.name}, {"patches", bag.num_rows}, {"solves", SolveJson(bag.solves)}};
    if (!bag.weights.empty()) entry["weights"] = SolveJson(bag.weights);
    json["bags"].push_back(std::move(entry));
  }
  for (const Failure& failure : failures) {
    json["skipped"].push_back({{"bag", failure.name}, {"reason", failure.reason}});
  }
  return json;
}

}  // namespace

BagResults PoolBags(const BagJob& job, const BagRun& run) {
  Check(job);
  BagPlan plan = PlanBags(job);
  BagResults results;
  results.planned = static_cast<Index>(plan.bags.size() + plan.failures.size());
  const std::unique_ptr<BagOutput> output = OpenBagOutput(job);
  const auto resumed = static_cast<Index>(
      std::erase_if(plan.bags, [&](const Bag& bag) { return output->Has(bag); }));
  if (run.check_paths) run.check_paths(PathsRead(job, plan), output->PathsWritten(plan));
  for (const Bag& bag : plan.bags) bag.source->Expect();

  std::vector<Outcome> outcomes = PoolAll(job, run, plan, resumed, *output);
  results.warnings = std::move(plan.warnings);
  CheckDimensions(job, plan, outcomes, results.warnings);
  WarnOfEmptyBags(plan, outcomes, results.warnings);
  results.failures = plan.failures;
  std::vector<Index> good;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    if (outcomes[i].failure.empty()) {
      good.push_back(static_cast<Index>(i));
      results.bags.push_back(std::move(outcomes[i].report));
      results.dimensions.insert(outcomes[i].dimension);
    } else {
      results.failures.push_back({plan.bags[i].label, outcomes[i].failure});
    }
  }
  const std::string report = Dump(ReportJson(job, results.bags, results.failures), 2) + "\n";
  Write(run, [&] { results.bytes = output->Finish(good, plan, report); });
  return results;
}

}  // namespace alcedo
