// Images as they are given: files by their names, or bytes of files.
#pragma once

#include <pybind11/pybind11.h>

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace alcedo::python {

struct ImageInput {
  std::string name;                  // a path, or what stands for the bytes in messages
  std::optional<std::string> bytes;  // of a whole file; none: the file is read

  // use(bytes) with the bytes of the file.
  void WithBytes(double max_mib, const std::function<void(std::string_view)>& use) const;
};

// From a list of (name, bytes or None).
std::vector<ImageInput> InputsFrom(const pybind11::list& list);

// Calls work(image, threads) for all, as ForEachItem() does. What is wrong with an image is thrown,
// or with `collect` kept: by number, a sentence without the name.
std::map<std::size_t, std::string> ForEachImage(
    const std::vector<ImageInput>& images, int threads, const pybind11::object& progress,
    bool collect, const std::function<void(std::size_t image, int threads)>& work);

}  // namespace alcedo::python
