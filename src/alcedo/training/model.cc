#include "alcedo/training/model.h"

#include "alcedo/io/file_bytes.h"
#include "alcedo/training/model_bytes.h"

namespace alcedo {

std::string ModelBytes(const Model& model) { return internal::WriteModelBytes(model); }

Model ReadModel(const std::filesystem::path& path) {
  return internal::ParseModel(ReadFileBytes(path, kMaxModelBytes), path.string());
}

Model ReadModelBytes(std::string bytes, const std::string& name) {
  return internal::ParseModel(std::move(bytes), name);
}

}  // namespace alcedo
