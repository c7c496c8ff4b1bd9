// The machine's own limits, measured in the same run, and how near our inner loops come to them.
#include <cblas.h>
#include <fmt/format.h>

#include <algorithm>

#include "alcedo/base/types.h"
#include "alcedo/linalg/blas.h"
#include "alcedo/linalg/kernels.h"
#include "data.h"
#include "harness.h"
#include "peers.h"

namespace alcedo::bench {
namespace {

Row Rate(const std::string& kernel, const std::string& peer, const char* unit, double ours,
         double limit, std::string note) {
  Row row;
  row.kernel = kernel;
  row.peer = peer;
  row.unit = unit;
  row.ours_ms = ours;
  row.peer_ms = limit;
  row.ratio = limit > 0 ? ours / limit : 0;
  row.note = std::move(note);
  return row;
}

void Limits(std::vector<Row>& rows_out) {
  const Index n = 10000, d = 2048, k = 1024;
  const Rows rows = EmkLikeRows(n, d);
  Vector p = Vector::Random(d), y = Vector::Zero(d), dots(n);
  std::vector<float> c(k * k);
  const auto sgemm = [&] {
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, k, k, k, 1, rows.data(), d,
                rows.data() + k, d, 0, c.data(), k);
  };
  double sink = 0;
  const auto read = [&] { sink += kernels::SquaredNorm(rows.data(), n * d); };
  const auto fused = [&] {
    kernels::AddGramProduct(rows.data(), n, d, p.data(), dots.data(), y.data());
  };
  const Medians big = Compare(fused, read, 21);
  const double gigabytes = n * d * 4e-9;
  rows_out.push_back(
      Rate("limit/fused pass, from memory", "stream read", "GB/s", gigabytes / big.ours * 1e3,
           gigabytes / big.peer * 1e3,
           "ratio: share of the limit; double arithmetic, " + kernels::InstructionSet()));
  const Index small = 40, width = 128, repeat = 2000;
  const auto in_cache = [&] {
    for (Index i = 0; i < repeat; ++i) {
      kernels::AddGramProduct(rows.data(), small, width, p.data(), dots.data(), y.data());
    }
  };
  const Medians cached = Compare(in_cache, sgemm, 21);
  rows_out.push_back(
      Rate("limit/fused pass, 40 x 128 in cache", "sgemm (float)", "GFLOP/s",
           4.0 * small * width * repeat / cached.ours * 1e-6, 2.0 * k * k * k / cached.peer * 1e-6,
           fmt::format("ratio: share of the limit; double has half of it; BLAS core {}",
                       blas::CoreName())));
  if (sink < 0) fmt::print("{}", sink);  // keeps the reads
}

}  // namespace

std::vector<Group> LimitGroups() { return {{"limit", Limits}}; }

}  // namespace alcedo::bench
