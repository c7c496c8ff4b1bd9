// Encoding the descriptors of one image.
#include <fmt/format.h>

#include "alcedo/base/types.h"
#include "alcedo/encoding/encoders.h"
#include "alcedo/pooling/pool.h"
#include "harness.h"
#include "natural.h"
#include "peers.h"
#include "python_peers.h"
#include "vlfeat_peers.h"

namespace alcedo::bench {
namespace {

// What validation on Flowers chose for 256 Gaussians, and a tenth of it: smaller is harder.
constexpr double kFisherLambdas[] = {1e5, 1e4};

// How far our sum is from VLFeat's mean in its order, relative.
double Difference(const Vector& sum, const std::vector<float>& vlfeat, Index rows) {
  const Vector theirs =
      Eigen::Map<const Eigen::VectorXf>(vlfeat.data(), static_cast<Index>(vlfeat.size()))
          .cast<double>();
  const Vector ours = FisherToVlfeatOrder(sum, 256) / static_cast<double>(rows);
  return (ours - theirs).norm() / theirs.norm();
}

void Fisher(std::vector<Row>& rows_out) {
  const NaturalDescriptors& data = Natural();
  const Rows& x = data.image;
  const FisherEncoder hard{data.mixture, {.assignment = FisherAssignment::kHard}};
  const FisherEncoder soft{data.mixture, {.assignment = FisherAssignment::kSoft}};
  Vector sum;
  std::vector<float> peer;
  const auto compare = [&](const char* name, const FisherEncoder& encoder, bool fast, double goal) {
    const Medians medians = Compare([&] { sum = SumFisher(encoder, x); },
                                    [&] { peer = VlfeatFisher(data.mixture, x, fast); }, 7);
    rows_out.push_back(
        MakeRow(fmt::format("fisher/{} sum, 256 Gaussians", name),
                fast ? "vl_fisher_encode, fast (hard)" : "vl_fisher_encode (soft)", medians, goal,
                fmt::format("differ by {:.1e}; {}", Difference(sum, peer, x.rows()), kVlfeatNote)));
    return medians.ours;
  };
  const double soft_ms = compare("soft", soft, true, 9);
  compare("soft", soft, false, 0);
  compare("hard", hard, true, 15);
  std::string why;
  const Eigen::VectorXf weights = data.mixture.weights.cast<float>();
  const auto python = RunPython("fisher", {},
                                {{"data", x},
                                 {"weights", weights},
                                 {"means", data.mixture.means},
                                 {"variances", data.mixture.variances}},
                                why);
  if (const auto it = python.find("numpy"); it != python.end()) {
    rows_out.push_back(MakeRow("fisher/soft sum, 256 Gaussians", "NumPy, three matrix products",
                               {soft_ms, it->second}, 2, ""));
  } else {
    fmt::print(stderr, "skipped NumPy's Fisher Vector: {}\n", why);
  }
}

// What GMP costs where all else is done too: posteriors, encoding, pooling.
void FisherGmp(std::vector<Row>& rows_out) {
  const NaturalDescriptors& data = Natural();
  const Encoder encoder = FisherEncoder{data.mixture, {.assignment = FisherAssignment::kHard}};
  PoolResult result;
  for (const double lambda : kFisherLambdas) {
    GmpOptions gmp;
    gmp.lambda = lambda;
    const Medians medians = Compare([&] { result = Pool(Encode(encoder, data.image), gmp); },
                                    [&] { Pool(Encode(encoder, data.image), SumOptions{}); }, 15);
    Row row = MakeRow(
        fmt::format("fisher/encode and pool by GMP, lambda {:g}", lambda), "encode and pool by sum",
        medians, 0,
        fmt::format("{:.2f} times the time of sum; {}, residual {:.1e}",
                    medians.ours / medians.peer, result.report.solver, result.report.residual));
    row.goal = ">= 0.77";  // at most 1.3 times the time
    row.reached = medians.ours <= 1.3 * medians.peer;
    rows_out.push_back(row);
  }
}

void Emk(std::vector<Row>& rows_out) {
  const Rows& x = Natural().image;
  Rng rng(1);
  const double sigma = MedianDistance(x, 1000, rng);
  const EmkEncoder emk{DrawRandomFourier(2048, x.cols(), sigma, rng)};
  const Encoder encoder = emk;
  Rows ours, theirs;
  const Medians medians =
      Compare([&] { Encode(encoder, x); }, [&] { theirs = EmkWithEigen(emk.fourier, x); }, 7);
  ours = Encode(encoder, x).ToDense();
  rows_out.push_back(MakeRow("emk/10K x 64 to 2048", "Eigen without BLAS", medians, 1.5,
                             fmt::format("sigma {:.3g}, entries differ by {:.1e}", sigma,
                                         (ours - theirs).cwiseAbs().maxCoeff())));
  std::string why;
  const Eigen::VectorXf phases = emk.fourier.phases.cast<float>();
  const auto python = RunPython(
      "emk", {}, {{"data", x}, {"frequencies", emk.fourier.frequencies}, {"phases", phases}}, why);
  if (const auto it = python.find("numpy"); it != python.end()) {
    rows_out.push_back(MakeRow("emk/10K x 64 to 2048", "NumPy", {medians.ours, it->second}, 0, ""));
  } else {
    fmt::print(stderr, "skipped NumPy's EMK: {}\n", why);
  }
}

}  // namespace

std::vector<Group> EncodingGroups() {
  return {{"fisher", Fisher}, {"fisher-gmp", FisherGmp}, {"emk", Emk}};
}

}  // namespace alcedo::bench
