// Array files that are open. A file of many arrays is opened once, and its table is read once.
#pragma once

#include <cstddef>
#include <exception>
#include <list>
#include <memory>
#include <mutex>
#include <string>

#include "alcedo/io/array_reader.h"

namespace alcedo {

// From any thread. Of the files that were used last, `most` stay open.
class OpenArrays {
 public:
  explicit OpenArrays(std::size_t most = 16) : most_(most) {}

  // The reader of the file, which may be that of an earlier call. What cannot be opened fails in
  // the same way when it is asked for again, without another look.
  std::shared_ptr<const ArrayReader> Open(const std::string& path);

 private:
  struct File {
    std::string path;
    std::mutex mutex;
    std::shared_ptr<const ArrayReader> reader;
    std::exception_ptr error;
  };
  // The entry of the file, new if there is none.
  std::shared_ptr<File> Find(const std::string& path);

  const std::size_t most_;
  std::mutex mutex_;
  std::list<std::shared_ptr<File>> files_;  // used last first; few enough to look at them in turn
};

}  // namespace alcedo
