// The code people copy today, run by Debian's Python where it is installed.
#pragma once

#include <map>
#include <string>

#include "alcedo/encoding/encodings.h"

namespace alcedo::bench {

// Milliseconds by name ("ridge", "numpy"), from peers.py on these encodings; empty, with the reason
// in `why`, where Python or a package is missing.
std::map<std::string, double> RunPythonPeers(const Encodings& encodings, double lambda,
                                             std::string& why);

}  // namespace alcedo::bench
