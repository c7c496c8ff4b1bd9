#include "alcedo/bags/open_arrays.h"

#include <algorithm>

namespace alcedo {

std::shared_ptr<OpenArrays::File> OpenArrays::Find(const std::string& path) {
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find_if(
      files_, [&](const std::shared_ptr<File>& file) { return file->path == path; });
  if (found != files_.end()) {
    files_.splice(files_.begin(), files_, found);
  } else {
    files_.push_front(std::make_shared<File>());
    files_.front()->path = path;
    if (files_.size() > most_) files_.pop_back();
  }
  return files_.front();
}

std::shared_ptr<const ArrayReader> OpenArrays::Open(const std::string& path) {
  const std::shared_ptr<File> file = Find(path);
  // Files are opened side by side: only those who want the same one wait.
  const std::lock_guard lock(file->mutex);
  if (file->error) std::rethrow_exception(file->error);
  if (!file->reader) {
    try {
      file->reader = std::make_shared<const ArrayReader>(ArrayReader::Open(path));
    } catch (...) {
      file->error = std::current_exception();
      throw;
    }
  }
  return file->reader;
}

}  // namespace alcedo
