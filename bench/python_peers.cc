#include "python_peers.h"

#include <fmt/format.h>

#include <unistd.h>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "alcedo/base/types.h"
#include "alcedo/io/array_writer.h"
#include "alcedo/io/atomic_file.h"

namespace alcedo::bench {
namespace {

template <class T>
std::string Npy(std::vector<Index> shape, ElementType type, const T* data, Index count) {
  return NpyBytes(
      {"", std::move(shape), type, {reinterpret_cast<const char*>(data), count * sizeof(T)}});
}

}  // namespace

PythonArray::PythonArray(std::string n, const Rows& rows)
    : name(std::move(n)),
      npy(Npy({rows.rows(), rows.cols()}, ElementType::kFloat32, rows.data(), rows.size())) {}

PythonArray::PythonArray(std::string n, const Eigen::VectorXf& vector)
    : name(std::move(n)),
      npy(Npy({vector.size()}, ElementType::kFloat32, vector.data(), vector.size())) {}

PythonArray::PythonArray(std::string n, const std::vector<std::int32_t>& values)
    : name(std::move(n)),
      npy(Npy({static_cast<Index>(values.size())}, ElementType::kInt32, values.data(),
              static_cast<Index>(values.size()))) {}

std::string OutputOfPython(const std::string& script_and_arguments) {
  const std::string line =
      fmt::format("OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 /usr/bin/python3 -B {}/{}",
                  ALCEDO_BENCH_DIR, script_and_arguments);
  std::string output;
  if (FILE* pipe = ::popen(line.c_str(), "r")) {
    char buffer[4096];
    while (const std::size_t got = std::fread(buffer, 1, sizeof(buffer), pipe))
      output.append(buffer, got);
    ::pclose(pipe);
  }
  return output;
}

std::map<std::string, double> RunPython(const std::string& command,
                                        const std::vector<double>& numbers,
                                        const std::vector<PythonArray>& arrays, std::string& why) {
  const auto folder =
      std::filesystem::temp_directory_path() / fmt::format("alcedo-bench-{}", ::getpid());
  std::filesystem::create_directories(folder);
  for (const PythonArray& array : arrays) {
    WriteWholeFile(folder / (array.name + ".npy"), array.npy);
  }
  const std::string output = OutputOfPython(
      fmt::format("peers.py {} {} {} 2>&1", command, folder.string(), fmt::join(numbers, " ")));
  std::filesystem::remove_all(folder);
  const auto result = nlohmann::json::parse(output, nullptr, false);
  if (result.is_discarded()) {
    why = "no answer from /usr/bin/python3 with NumPy and scikit-learn: " + output.substr(0, 200);
    return {};
  }
  return result.get<std::map<std::string, double>>();
}

std::map<std::string, double> RunPythonPeers(const Encodings& encodings, double lambda,
                                             std::string& why) {
  const Rows values = Eigen::Map<const EigenRows>(encodings.Values(0), encodings.num_rows(),
                                                  encodings.block_size());
  const std::vector<std::int32_t> blocks(encodings.blocks().begin(), encodings.blocks().end());
  return RunPython("gmp", {static_cast<double>(encodings.num_blocks()), lambda},
                   {{"values", values}, {"blocks", blocks}}, why);
}

}  // namespace alcedo::bench
