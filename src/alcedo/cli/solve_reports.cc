#include "alcedo/cli/solve_reports.h"

#include <fmt/format.h>

namespace alcedo::cli {
namespace {

std::string Lambdas(const SolveReport& report) {
  if (report.lambda == 0 && report.lambda_relative == 0 && report.solver == "sinkhorn") return "";
  return fmt::format("lambda {:.6g} (relative {:.6g}), ", report.lambda, report.lambda_relative);
}

std::string Outcome(const SolveReport& report) {
  if (report.converged) return "converged";
  return fmt::format("did not converge: {}", report.reason);
}

std::string Line(const std::string& name, const SolveReport& report) {
  return fmt::format("{}: {}{}, {} iterations, residual {:.2e}, error bound {:.2e}, {}", name,
                     Lambdas(report), report.solver, report.iterations, report.residual,
                     report.error_bound, Outcome(report));
}

Json ToJson(const SolveReport& report) {
  return {{"solver", report.solver},
          {"lambda", JsonNumber(report.lambda)},
          {"lambda_relative", JsonNumber(report.lambda_relative)},
          {"iterations", report.iterations},
          {"residual", JsonNumber(report.residual)},
          {"error_bound", JsonNumber(report.error_bound)},
          {"converged", report.converged},
          {"reason", report.reason}};
}

Json ToJson(std::span<const SolveReport> reports) {
  Json json = Json::array();
  for (const SolveReport& report : reports) json.push_back(ToJson(report));
  return json;
}

// Calls use(name, report) for the solves of the vector, then for those of the weights.
template <class Use>
void ForEachSolve(const BagReport& bag, Use use) {
  for (const SolveReport& report : bag.solves) use(bag.name, report);
  for (const SolveReport& report : bag.weights) use(bag.name + " (weights)", report);
}

}  // namespace

std::vector<std::string> ReportLines(const BagReport& bag) {
  std::vector<std::string> lines;
  ForEachSolve(bag, [&](const std::string& name, const SolveReport& report) {
    lines.push_back(Line(name, report));
  });
  return lines;
}

std::vector<std::string> WarningLines(const BagReport& bag) {
  std::vector<std::string> lines;
  ForEachSolve(bag, [&](const std::string& name, const SolveReport& report) {
    if (!report.converged) lines.push_back(Line(name, report));
  });
  return lines;
}

Json ReportJson(const PoolJob& job, std::span<const BagReport> bags,
                std::span<const Failure> failures) {
  Json json{{"alcedo", Version()},
            {"config", ConfigOf(job)},
            {"bags", Json::array()},
            {"skipped", Json::array()}};
  for (const BagReport& bag : bags) {
    Json entry{{"name", bag.name}, {"patches", bag.num_rows}, {"solves", ToJson(bag.solves)}};
    if (!bag.weights.empty()) entry["weights"] = ToJson(bag.weights);
    json["bags"].push_back(std::move(entry));
  }
  for (const Failure& failure : failures) {
    json["skipped"].push_back({{"bag", failure.label}, {"reason", failure.reason}});
  }
  return json;
}

}  // namespace alcedo::cli
