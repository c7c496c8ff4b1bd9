#include "alcedo/io/input_file.h"

#include <fmt/format.h>

#include "alcedo/base/error.h"
#include "alcedo/io/file_bytes.h"

namespace alcedo {

std::string ReadInputFile(const std::filesystem::path& path, double max_mib) {
  constexpr double kMib = 1 << 20;
  std::error_code error;
  const auto size = static_cast<double>(std::filesystem::file_size(path, error));
  if (!error && size > max_mib * kMib) {
    throw FormatError(fmt::format("the file's {:.1f} MiB are more than image.max_image_memory = {}",
                                  size / kMib, max_mib));
  }
  return ReadFileBytes(path, static_cast<std::int64_t>(max_mib * kMib));
}

std::string WithoutName(const std::string& reason, const std::string& name) {
  for (const std::string& prefix : {name + ": ", name + " "}) {
    if (!name.empty() && reason.starts_with(prefix)) return reason.substr(prefix.size());
  }
  return reason;
}

}  // namespace alcedo
