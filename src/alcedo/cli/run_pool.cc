#include "alcedo/cli/run_pool.h"

#include <fmt/format.h>

#include <map>
#include <new>
#include <set>
#include <span>

#include "alcedo/base/parallel.h"
#include "alcedo/base/types.h"
#include "alcedo/cli/bag_plan.h"
#include "alcedo/cli/done_line.h"
#include "alcedo/cli/errors.h"
#include "alcedo/cli/input_files.h"
#include "alcedo/cli/interrupt.h"
#include "alcedo/cli/lambda_range.h"
#include "alcedo/cli/output.h"
#include "alcedo/cli/pool_bag.h"
#include "alcedo/cli/poolings.h"
#include "alcedo/cli/progress.h"
#include "alcedo/cli/solve_reports.h"
#include "alcedo/cli/stdio.h"
#include "alcedo/cli/vocabulary_text.h"

namespace alcedo::cli {
namespace {

// What became of one bag.
struct Outcome {
  Index dimension = 0;
  BagReport report;
  std::string failure;  // why it was left out; empty: it was not
};

// Reads and pools a bag; its report goes to `outcome`.
BagOutput PoolOne(const PoolJob& job, const Bag& bag, int threads, Outcome& outcome) {
  const std::shared_ptr<const LoadedArray> array = bag.source->Take();
  try {
    const Index count = bag.end - bag.begin;
    if (count == 0) throw InvalidArgument("the bag is empty: it has no patches");
    const Encodings encodings = array->Encode(bag.begin, bag.end, job.num_blocks);
    const bool weighted = array->weights.size() > 0;
    const Vector weights = weighted ? Vector(array->weights.segment(bag.begin, count)) : Vector();
    PooledBag pooled = PoolBag(encodings, job, weights, threads);
    outcome.dimension = pooled.phi.cols();
    outcome.report = {bag.name, count, std::move(pooled.reports),
                      std::move(pooled.weights_reports)};
    return MakeOutput(pooled, job.type);
  } catch (const InvalidArgument& error) {
    // Errors of the readers name their file; the mathematics does not know it.
    throw InvalidArgument(fmt::format("{}: {}", bag.label, error.what()));
  }
}

std::vector<Outcome> PoolAll(const PoolJob& job, const BagPlan& plan, Output& output,
                             ProgressMeter& progress, Interrupts& interrupts) {
  const Index count = static_cast<Index>(plan.bags.size());
  std::vector<Outcome> outcomes(plan.bags.size());
  // Over the bags where there are several, inside the solver where there is one.
  const int solver_threads = count == 1 ? job.threads : 1;
  ParallelFor(count, job.threads, [&](Index i) {
    const Bag& bag = plan.bags[i];
    BagOutput pooled;
    try {
      pooled = PoolOne(job, bag, solver_threads, outcomes[i]);
    } catch (const Error& error) {
      if (!plan.skip_bad) throw;
      outcomes[i].failure = error.what();
    } catch (const std::bad_alloc&) {
      if (!plan.skip_bad) throw;
      outcomes[i].failure = bag.label + ": there is not enough memory for this bag";
    }
    // Outside of the try: a full disk is not the fault of the bag. Counted while it is being
    // written, so that an interruption reports exactly what is there.
    const Interrupts::Writing writing(interrupts);
    if (outcomes[i].failure.empty()) output.Put(i, bag, std::move(pooled));
    progress.Advance();
  });
  return outcomes;
}

// The first good bag of those with the most common dimension; nothing where no bag is good.
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
void CheckDimensions(const PoolJob& job, const BagPlan& plan, std::vector<Outcome>& outcomes) {
  const Outcome* typical = Typical(outcomes);
  std::vector<std::string> odd;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    Outcome& outcome = outcomes[i];
    if (!outcome.failure.empty() || outcome.dimension == typical->dimension) continue;
    odd.push_back(fmt::format("{} has {} dimensions, unlike '{}' with {}", plan.bags[i].label,
                              outcome.dimension, typical->report.name, typical->dimension));
    if (job.form != OutputForm::kFolder) outcome.failure = odd.back();
  }
  if (job.form != OutputForm::kFolder || odd.empty() || job.quiet) return;
  const std::string more =
      odd.size() > 1 ? fmt::format(" (and {} more such bags)", odd.size() - 1) : "";
  PrintLine(fmt::format("alcedo: warning: {}{}", odd[0], more));
}

// Bags of one bad array share their reason; it is printed once.
void PrintFailures(const std::vector<Failure>& failures, std::size_t total) {
  PrintLine(fmt::format("alcedo: skipped {} of {} bags:", failures.size(), total));
  for (std::size_t i = 0, next = 0; i < failures.size(); i = next) {
    while (next < failures.size() && failures[next].reason == failures[i].reason) ++next;
    const std::string count = next - i > 1 ? fmt::format(" ({} bags)", next - i) : "";
    PrintLine(fmt::format("  {}{}", failures[i].reason, count));
  }
}

void PrintReports(const PoolJob& job, const std::vector<BagReport>& reports) {
  for (const BagReport& report : reports) {
    if (job.report) {
      for (const std::string& line : ReportLines(report)) PrintLine(line);
    } else if (!job.quiet) {
      for (const std::string& line : WarningLines(report)) PrintLine("alcedo: warning: " + line);
    }
  }
}

std::string Farewell(const PoolJob& job, Index done, Index total) {
  if (job.form != OutputForm::kFolder) return "alcedo: interrupted, nothing was written";
  return fmt::format(
      "alcedo: interrupted after {} of {} bags; run the same command with --resume to go on", done,
      total);
}

// What was done, in one line.
std::string DoneText(const PoolJob& job, std::span<const BagReport> reports,
                     const std::set<Index>& dimensions) {
  const std::size_t lambdas = job.lambdas.size(), vectors = reports.size() * lambdas;
  Index patches = 0;
  LambdaRange lambda;
  for (const BagReport& report : reports) {
    patches += report.num_rows;
    if (std::holds_alternative<GmpOptions>(job.pooling)) lambda.Add(report.solves);
  }
  std::string text = job.form == OutputForm::kStdout ? "" : fmt::format("wrote {}: ", job.output);
  text += fmt::format(
      "{} {}{}{} from {} {}", Thousands(static_cast<std::int64_t>(vectors)),
      vectors == 1 ? "vector" : "vectors", lambdas > 1 ? fmt::format(" ({} lambdas)", lambdas) : "",
      dimensions.size() == 1 ? fmt::format(" of {} dimensions", Thousands(*dimensions.begin()))
                             : "",
      Thousands(patches), patches == 1 ? "patch" : "patches");
  const std::string range = lambda.Text();
  return fmt::format("{}, pooling {}{}{}", text, NameOf(job.pooling), range.empty() ? "" : ", ",
                     range);
}

// A bag that every pooling can do with is pooled: what is refused is the options' fault.
void CheckOptions(const PoolJob& job) {
  try {
    CheckPoolable(job);
  } catch (const InvalidArgument& error) {
    throw UsageError(error.what());
  }
}

}  // namespace

int RunPool(const PoolJob& job) {
  const DoneLine done(job.quiet);
  CheckOptions(job);
  BagPlan plan = PlanBags(job);
  const std::size_t planned = plan.bags.size() + plan.failures.size();
  ProgressMeter progress(static_cast<Index>(plan.bags.size()), job.quiet);
  Interrupts interrupts([&] {
    progress.Clear();
    return Farewell(job, progress.done(), progress.total());
  });
  const std::unique_ptr<Output> output = OpenOutput(job, interrupts);
  progress.Skip(std::erase_if(plan.bags, [&](const Bag& bag) { return output->Has(bag); }));
  CheckPaths(PathsRead(job, plan.files), output->PathsWritten(plan));
  for (const Bag& bag : plan.bags) bag.source->Expect();

  std::vector<Outcome> outcomes = PoolAll(job, plan, *output, progress, interrupts);
  progress.Clear();
  if (!job.quiet) {
    for (const std::string& warning : plan.warnings) PrintLine("alcedo: warning: " + warning);
  }
  CheckDimensions(job, plan, outcomes);

  std::vector<Index> good;
  std::vector<BagReport> reports;
  std::set<Index> dimensions;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    if (outcomes[i].failure.empty()) {
      good.push_back(static_cast<Index>(i));
      reports.push_back(std::move(outcomes[i].report));
      dimensions.insert(outcomes[i].dimension);
    } else {
      plan.failures.push_back({plan.bags[i].label, outcomes[i].failure});
    }
  }
  output->Finish(good, plan, Dump(ReportJson(job, reports, plan.failures), 2) + "\n");
  PrintReports(job, reports);
  if (!job.quiet && !good.empty()) PrintLine(DoneText(job, reports, dimensions));
  if (good.size() > 1) done.Print(static_cast<Index>(good.size()), "bags", {});
  if (plan.failures.empty()) return kOk;
  PrintFailures(plan.failures, planned);
  return kSomeSkipped;
}

}  // namespace alcedo::cli
