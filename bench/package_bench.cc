// The Python package against the C++ that it calls, and against what people write in Python
// instead.
#include <fmt/format.h>
#include <malloc.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "alcedo/base/error.h"
#include "alcedo/io/atomic_file.h"
#include "alcedo/pooling/gmp.h"
#include "alcedo/pooling/gmp_weights.h"
#include "data.h"
#include "harness.h"
#include "natural.h"
#include "python_peers.h"

namespace alcedo::bench {
namespace {

constexpr Index kRows = 10000;
constexpr double kLambda = 10;  // as in python_bench.py

// One process of python_bench.py, which is asked and answers, so that both sides take turns.
class PythonPackage {
 public:
  explicit PythonPackage(const std::vector<PythonArray>& arrays)
      : folder_(std::filesystem::temp_directory_path() /
                fmt::format("alcedo-package-{}", ::getpid())) {
    std::filesystem::create_directories(folder_);
    for (const PythonArray& array : arrays) {
      WriteWholeFile(folder_ / (array.name + ".npy"), array.npy);
    }
    const std::string fifo = folder_ / "questions";
    if (::mkfifo(fifo.c_str(), 0600) != 0) throw IoError(fifo, "cannot be made");
    const std::string line = fmt::format(
        "OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 PYTHONPATH={} /usr/bin/python3 "
        "{}/python_bench.py "
        "{} <{} 2>{}",
        ALCEDO_PYTHON_PACKAGE, ALCEDO_BENCH_DIR, folder_.string(), fifo, log());
    answers_ = ::popen(line.c_str(), "r");
    questions_ = std::fopen(fifo.c_str(), "w");
  }
  ~PythonPackage() {
    if (questions_ != nullptr) std::fclose(questions_);
    if (answers_ != nullptr) ::pclose(answers_);
    std::filesystem::remove_all(folder_);
  }
  PythonPackage(const PythonPackage&) = delete;
  PythonPackage& operator=(const PythonPackage&) = delete;

  // The numbers of an answer; empty, and said why, if something is missing.
  std::map<std::string, double> Ask(const std::string& question) {
    std::string answer;
    if (answers_ != nullptr && questions_ != nullptr) {
      fmt::print(questions_, "{}\n", question);
      std::fflush(questions_);
      for (int c; (c = std::fgetc(answers_)) != EOF && c != '\n';) {
        answer.push_back(static_cast<char>(c));
      }
    }
    const auto json = nlohmann::json::parse(answer, nullptr, false);
    if (json.is_object() && !json.contains("missing")) {
      return json.get<std::map<std::string, double>>();
    }
    std::ifstream said(log());
    std::string why = json.is_object() ? json["missing"].get<std::string>() : "", last;
    while (std::getline(said, last)) why = last;
    fmt::print(stderr, "skipped {} of the Python package: {}\n", question, why);
    return {};
  }

 private:
  std::string log() const { return folder_ / "log"; }

  std::filesystem::path folder_;
  FILE* answers_ = nullptr;
  FILE* questions_ = nullptr;
};

GmpOptions Options() {
  GmpOptions options;
  options.lambda = kLambda;
  options.threads = 1;
  return options;
}

// Values where NumPy's allocator puts large arrays: 16 bytes behind a cache line.
class AsNumpyAligns {
 public:
  explicit AsNumpyAligns(const Rows& rows) : memory_(rows.size() + 64) {
    const auto address = reinterpret_cast<std::uintptr_t>(memory_.data());
    const std::size_t to_line = (64 - address % 64) % 64 / sizeof(float);
    values_ = {memory_.data() + to_line + 16 / sizeof(float),
               static_cast<std::size_t>(rows.size())};
    std::copy_n(rows.data(), rows.size(), values_.data());
  }
  std::span<const float> values() const { return values_; }

 private:
  std::vector<float> memory_;
  std::span<float> values_;
};

// The same call from both sides. A median of ratios: what other processes do to the caches differs
// from round to round.
void CallOverhead(PythonPackage& python, const Rows& rows, std::vector<Row>& rows_out) {
  const AsNumpyAligns aligned(rows);
  std::vector<double> ours, theirs, own, ratios;
  for (int round = 0; round < 16; ++round) {
    const auto answer = python.Ask("pool");
    if (answer.empty()) return;
    const double cpp =
        Time([&] { PoolGmp(Encodings::DenseView(aligned.values(), rows.cols()), Options()); });
    const double in_rows = Time([&] { PoolGmp(Encodings::DenseView(rows), Options()); });
    if (round == 0) continue;
    ours.push_back(answer.at("ms"));
    theirs.push_back(cpp);
    own.push_back(in_rows);
    ratios.push_back(cpp / answer.at("ms"));
  }
  const auto median = [](std::vector<double>& v) {
    std::nth_element(v.begin(), v.begin() + v.size() / 2, v.end());
    return v[v.size() / 2];
  };
  Row row = MakeRow("python/pool 10,000 x 2048", "the C++ call, in turns",
                    {median(ours), median(theirs)}, 0, "");
  row.ratio = median(ratios);
  row.goal = ">= 0.95";  // at most 1.05 of the time
  row.reached = row.ratio >= 1 / 1.05;
  row.note = fmt::format(
      "both 16 bytes behind a cache line, as NumPy's arrays; C++ on a line {:.3g} ms", median(own));
  rows_out.push_back(row);
}

double Resident(const char* field) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.rfind(field, 0) == 0) return std::stod(line.substr(6)) * 1024;
  }
  return 0;
}

// Bytes that a call adds to the resident memory, at most, with its result: as python_bench.py
// measures it.
template <class Call>
double Peak(const Call& call) {
  call();
  malloc_trim(0);
  const double before = Resident("VmRSS:");
  std::ofstream("/proc/self/clear_refs") << "5";
  const auto kept = call();
  return Resident("VmHWM:") - before;
}

void CallMemory(PythonPackage& python, const char* call, double cpp, std::vector<Row>& rows_out) {
  const auto answer = python.Ask(std::string("memory ") + call);
  if (answer.empty()) return;
  Row row;
  row.kernel = fmt::format("python/memory of a call, {}", call);
  row.peer = "the C++ call";
  row.unit = "MB";
  row.ours_ms = answer.at("bytes") / 1e6;
  row.peer_ms = cpp / 1e6;
  row.ratio = row.peer_ms / row.ours_ms;
  row.goal = "+ 1 MB";
  row.reached = cpp > 0 && row.ours_ms <= row.peer_ms + 1;
  row.note = "what a call adds to the resident memory, with its result";
  rows_out.push_back(row);
}

void Package(std::vector<Row>& rows_out) {
  const Rows rows = EmkLikeRows(kRows, 2048);
  const Encodings fisher = FisherLikeEncodings(kRows, 256);
  const Rows values =
      Eigen::Map<const EigenRows>(fisher.Values(0), fisher.num_rows(), fisher.block_size());
  const std::vector<std::int32_t> blocks(fisher.blocks().begin(), fisher.blocks().end());
  const NaturalDescriptors& natural = Natural();
  const Eigen::VectorXf weights = natural.mixture.weights.cast<float>();
  PythonPackage python({{"rows", rows},
                        {"values", values},
                        {"blocks", blocks},
                        {"data", natural.image},
                        {"weights", weights},
                        {"means", natural.mixture.means},
                        {"variances", natural.mixture.variances}});
  CallOverhead(python, rows, rows_out);
  CallMemory(python, "pool", Peak([&] { return PoolGmp(Encodings::DenseView(rows), Options()); }),
             rows_out);
  CallMemory(python, "weights",
             Peak([&] { return GmpWeights(Encodings::DenseView(rows), Options()); }), rows_out);
  CallMemory(python, "blocks", Peak([&] {
               return PoolGmp(Encodings::OneBlockPerRow(Rows(values), blocks, 256), Options());
             }),
             rows_out);
  const Rows many = Rows::Random(1000 * 200, 128);
  CallMemory(python, "bags", Peak([&] {
               Rows pooled(1000, 128);
               for (Index i = 0; i < 1000; ++i) {
                 const std::span<const float> bag(many.data() + i * 200 * 128, 200 * 128);
                 pooled.row(i) =
                     PoolGmp(Encodings::DenseView(bag, 128), Options()).phi.cast<float>();
               }
               return pooled;
             }),
             rows_out);

  if (auto t = python.Ask("bags"); !t.empty()) {
    rows_out.push_back(MakeRow(
        "python/1,000 bags of 200 x 128", "alcedo.pool in a loop, time", {t["one"], t["loop"]}, 5,
        fmt::format("on the clock, on {:g} threads; on one {:.0f} and {:.0f} ms", t["threads"],
                    t["one1"], t["loop1"])));
    rows_out.push_back(MakeRow("python/1,000 bags of 200 x 128", "numpy.linalg.solve in a loop",
                               {t["one1"], t["numpy1"]}, 0, "of one thread"));
  }
  if (auto t = python.Ask("vlad"); !t.empty()) {
    const auto note = [&](const char* peer) {
      return fmt::format("3,000 x 128; {:.1f} and {:.0f} MB; vectors differ by {:.0e}",
                         t["ours_bytes"] / 1e6, t[std::string(peer) + "_bytes"] / 1e6,
                         std::max(t["ours_difference"], t[std::string(peer) + "_difference"]));
    };
    rows_out.push_back(MakeRow("python/VLAD with GMP, K = 256", "sparse_cg ridge per cluster",
                               {t["ours"], t["by_word"]}, 30, note("by_word")));
    rows_out.push_back(MakeRow("python/VLAD with GMP, K = 256", "sparse_cg ridge of dense rows",
                               {t["ours"], t["dense"]}, 30, note("dense")));
    Row row = MakeRow("python/VLAD with GMP, K = 256", "sparse_cg ridge of dense rows",
                      {t["ours_bytes"] / 1e6, t["dense_bytes"] / 1e6}, 50, "peak of the call");
    row.unit = "MB";
    rows_out.push_back(row);
  }
  if (auto t = python.Ask("fisher"); !t.empty()) {
    rows_out.push_back(MakeRow(
        "python/Fisher Vector, 256 Gaussians",
        t["official"] != 0 ? "scikit-image fisher_vector" : "its computation, with scikit-learn",
        {t["ours"], t["peer"]}, 8,
        fmt::format("10,000 x 64, soft, mean; differ by {:.0e}", t["difference"])));
  }
}

}  // namespace

std::vector<Group> PackageGroups() { return {{"python", Package}}; }

}  // namespace alcedo::bench
