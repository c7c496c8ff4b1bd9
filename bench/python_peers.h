// The code people copy today, run by Debian's Python where it is installed.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "alcedo/base/types.h"
#include "alcedo/encoding/encodings.h"

namespace alcedo::bench {

// An array that peers.py loads under this name.
struct PythonArray {
  std::string name;
  std::string npy;  // the bytes of a file

  PythonArray(std::string n, const Rows& rows);
  PythonArray(std::string n, const Eigen::VectorXf& vector);
  PythonArray(std::string n, const std::vector<std::int32_t>& values);
};

// What a script of this folder prints with these arguments, on one thread; errors go to stderr.
std::string OutputOfPython(const std::string& script_and_arguments);

// What peers.py prints for a command ("ridge", "numpy": milliseconds of one thread), given these
// numbers and arrays; empty, with the reason in `why`, where Python or a package is missing.
std::map<std::string, double> RunPython(const std::string& command,
                                        const std::vector<double>& numbers,
                                        const std::vector<PythonArray>& arrays, std::string& why);

// GMP of these encodings: "ridge" and "numpy".
std::map<std::string, double> RunPythonPeers(const Encodings& encodings, double lambda,
                                             std::string& why);

}  // namespace alcedo::bench
