#include "python_peers.h"

#include <fmt/format.h>

#include <unistd.h>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "alcedo/io/array_writer.h"
#include "alcedo/io/atomic_file.h"

namespace alcedo::bench {
namespace {

template <class T>
void WriteArray(const std::filesystem::path& path, std::vector<Index> shape, ElementType type,
                const T* data, Index count) {
  WriteWholeFile(
      path,
      NpyBytes(
          {"", std::move(shape), type, {reinterpret_cast<const char*>(data), count * sizeof(T)}}));
}

}  // namespace

std::map<std::string, double> RunPythonPeers(const Encodings& encodings, double lambda,
                                             std::string& why) {
  const auto folder =
      std::filesystem::temp_directory_path() / fmt::format("alcedo-bench-{}", ::getpid());
  std::filesystem::create_directories(folder);
  const Index n = encodings.num_rows(), width = encodings.block_size();
  WriteArray(folder / "values.npy", {n, width}, ElementType::kFloat32, encodings.Values(0),
             n * width);
  WriteArray(folder / "blocks.npy", {n}, ElementType::kInt32, encodings.blocks().data(), n);
  const std::string command = fmt::format(
      "OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 /usr/bin/python3 {}/peers.py {} {} {} 2>&1",
      ALCEDO_BENCH_DIR, folder.string(), encodings.num_blocks(), lambda);
  std::string output;
  if (FILE* pipe = ::popen(command.c_str(), "r")) {
    char buffer[4096];
    while (const std::size_t got = std::fread(buffer, 1, sizeof(buffer), pipe))
      output.append(buffer, got);
    ::pclose(pipe);
  }
  std::filesystem::remove_all(folder);
  const auto result = nlohmann::json::parse(output, nullptr, false);
  if (result.is_discarded()) {
    why = "no answer from /usr/bin/python3 with NumPy and scikit-learn: " + output.substr(0, 200);
    return {};
  }
  return result.get<std::map<std::string, double>>();
}

}  // namespace alcedo::bench
