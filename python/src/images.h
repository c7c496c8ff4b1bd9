// Images as they are given: files by their names, or bytes of files.
#pragma once

#include <pybind11/pybind11.h>

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "alcedo/descriptors/describe.h"
#include "alcedo/pooling/report.h"

namespace alcedo::python {

// The options of a descriptor that is computed, of its grid and of reading images, from one set of
// keywords.
DescribeOptions DescribeOptionsFrom(const std::string& descriptor, const pybind11::dict& keywords);

struct ImageInput {
  std::string name;  // a path, or what stands for the bytes in messages
  // Of a whole file, in Python's memory; none: the file is read.
  std::optional<std::string_view> bytes;

  // use(bytes) with the bytes of the file.
  void WithBytes(double max_mib, const std::function<void(std::string_view)>& use) const;
};

// From a list of (name, bytes or None), which must outlive them. Names are bytes, too.
std::vector<ImageInput> InputsFrom(const pybind11::list& list);

// Calls work(image, threads) for all, as ForEachItem() does. What is wrong with an image is thrown,
// or with `collect` kept: by number, a sentence without the name.
std::map<std::size_t, std::string> ForEachImage(
    const std::vector<ImageInput>& images, int threads, const pybind11::object& progress,
    bool collect, const std::function<void(std::size_t image, int threads)>& work);

// How many solves there were, how many stopped early, and why the first of those did.
struct Solves {
  Index all = 0, stopped = 0;
  std::string reason;

  void Add(std::span<const SolveReport> reports);
};
// The same of all images, in their order: (all, stopped, reason).
pybind11::tuple SumOf(const std::vector<Solves>& solves);

// {number: sentence}
pybind11::dict FailuresByNumber(const std::map<std::size_t, std::string>& failures);

}  // namespace alcedo::python
