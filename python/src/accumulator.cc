// GMP of a stream.
#include "alcedo/pooling/accumulator.h"

#include <fmt/format.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <utility>

#include "alcedo/base/error.h"
#include "arrays.h"
#include "bags.h"
#include "bindings.h"
#include "options.h"

namespace alcedo::python {
namespace {

using Layout = GmpAccumulator::Layout;

// All work is done without the lock of the interpreter, under this lock instead. Nobody takes it
// while holding that of the interpreter, so that no two threads wait for each other.
struct SharedAccumulator {
  explicit SharedAccumulator(GmpAccumulator own) : state(std::move(own)) {}

  template <class Use>
  auto With(const Use& use) const {
    const py::gil_scoped_release release;
    const std::lock_guard lock(mutex);
    return use(state);
  }

  mutable std::mutex mutex;
  GmpAccumulator state;
};

// What the library calls block_size and num_blocks x block_size are the keywords of Python.
std::unique_ptr<SharedAccumulator> Make(Index dimension, Index num_blocks, bool several) {
  try {
    return std::make_unique<SharedAccumulator>(GmpAccumulator(
        num_blocks, dimension, several ? Layout::kSeveralBlocksPerRow : Layout::kOneBlockPerRow));
  } catch (const InvalidArgument& e) {
    const bool product = e.option() != "block_size" && e.option() != "num_blocks";
    if (product) {
      throw InvalidArgument("num_blocks", "times dimension " + e.rule(), e.value());
    }
    throw InvalidArgument(e.option() == "block_size" ? "dimension" : e.option(), e.rule(),
                          e.value());
  }
}

// Throws unless the accumulator takes rows of this form.
void CheckForm(const GmpAccumulator& to, const Encodings& rows, const std::string& name) {
  const auto text = [](Index blocks, Index size) {
    return blocks == 1 ? fmt::format("{} dimensions", size)
                       : fmt::format("{} blocks of {}", blocks, size);
  };
  if (rows.num_blocks() != to.num_blocks() || rows.block_size() != to.block_size()) {
    throw InvalidArgument(fmt::format("{} must have {}, as the accumulator has, got {}", name,
                                      text(to.num_blocks(), to.block_size()),
                                      text(rows.num_blocks(), rows.block_size())));
  }
  if (to.layout() == Layout::kOneBlockPerRow && !rows.one_block_per_row()) {
    throw InvalidArgument(
        name + " with several blocks each need a GmpAccumulator with several_blocks_per_row=True");
  }
}

// Rows that are added in about a tenth of a second. The same for every computer: sums depend on it
// in their rounding.
Index RowsPerChunk(const GmpAccumulator& accumulator, bool dense) {
  const double size = static_cast<double>(accumulator.block_size());
  return std::max<Index>(256, static_cast<Index>((dense ? 4e9 : 4e8) / (size * size)));
}

// The same bags in chunks, each in the same memory.
Bags ChunksOf(const Bags& bags, const GmpAccumulator& accumulator) {
  Bags chunks;
  chunks.num_blocks = bags.num_blocks;
  for (const Bag& bag : bags.bags) {
    if (bag.encodings != nullptr) {
      chunks.bags.push_back(bag);
      continue;
    }
    const Index rows = bag.num_rows(), most = RowsPerChunk(accumulator, !bag.blocks);
    for (Index begin = 0; begin < rows; begin += most) {
      const Index end = std::min(rows, begin + most);
      Bag& chunk = chunks.bags.emplace_back(bag.rows.Slice(begin, end), std::nullopt, nullptr);
      if (bag.blocks) chunk.blocks.emplace(bag.blocks->begin() + begin, bag.blocks->begin() + end);
    }
  }
  return chunks;
}

// All rows are checked before any is added, so that the same call can be made again without those
// that were bad. Ctrl-C ends it between two chunks.
void Add(SharedAccumulator& accumulator, const py::object& rows, const py::object& blocks) {
  const Index num_blocks = accumulator.state.num_blocks();  // never changes, like all of its form
  const Bags bags = BagsOf(rows, py::none(), blocks, blocks.is_none() ? 0 : num_blocks);
  const auto look_for_ctrl_c = [] {
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  };
  for (std::size_t i = 0; i < bags.bags.size(); ++i) {
    {
      const py::gil_scoped_release release;
      CheckForm(accumulator.state, bags.EncodingsOf(i),
                bags.single ? "rows" : fmt::format("rows[{}]", i));
    }
    look_for_ctrl_c();
  }
  const Bags chunks = ChunksOf(bags, accumulator.state);
  for (std::size_t i = 0; i < chunks.bags.size(); ++i) {
    {
      const py::gil_scoped_release release;
      const Encodings encodings = chunks.EncodingsOf(i);
      const std::lock_guard lock(accumulator.mutex);
      accumulator.state.Add(encodings);
    }
    look_for_ctrl_c();
  }
}

void Merge(SharedAccumulator& to, const SharedAccumulator& from) {
  const py::gil_scoped_release release;
  const auto merge = [&] {
    const GmpAccumulator &a = to.state, &b = from.state;
    if (a.num_blocks() != b.num_blocks() || a.block_size() != b.block_size() ||
        a.layout() != b.layout()) {
      const auto text = [](const GmpAccumulator& one) {
        return fmt::format(
            "{} x {}{}", one.num_blocks(), one.block_size(),
            one.layout() == Layout::kOneBlockPerRow ? "" : " with several blocks per row");
      };
      throw InvalidArgument("other", "must have the form of this accumulator, " + text(a), text(b));
    }
    to.state.Merge(b);
  };
  if (&to == &from) {
    const std::lock_guard lock(to.mutex);
    return merge();
  }
  const std::scoped_lock lock(to.mutex, from.mutex);
  merge();
}

py::tuple Result(const SharedAccumulator& accumulator, const std::vector<double>& lambdas,
                 const py::object& threads, const py::dict& keywords) {
  auto options = OptionsFrom<GmpOptions>(keywords, "result");
  options.threads = ThreadsOf(threads);
  const GmpPath path = accumulator.With(
      [&](const GmpAccumulator& state) { return state.Solve(ForLambdas(lambdas, options)); });
  return py::make_tuple(ToNumpy(path.phi), path.reports);
}

// The library's errors speak of its functions.
std::unique_ptr<SharedAccumulator> FromBytes(const py::bytes& bytes) {
  const std::string_view view = bytes;
  const py::gil_scoped_release release;
  try {
    return std::make_unique<SharedAccumulator>(
        GmpAccumulator::FromBytes(std::span(view.data(), view.size())));
  } catch (const FormatError& e) {
    std::string reason = e.reason().substr(0, e.reason().find(';'));
    if (reason.starts_with("accumulator: ")) reason.erase(0, 13);
    throw FormatError(reason);
  }
}

}  // namespace

void BindAccumulator(py::module_& module) {
  using Shared = SharedAccumulator;
  py::class_<Shared>(module, "Accumulator")
      .def(py::init(&Make))
      .def("add", &Add)
      .def("merge", &Merge)
      .def("result", &Result)
      .def(
          "sum",
          [](const Shared& a) {
            return ToNumpy(a.With([](const GmpAccumulator& state) { return Vector(state.sum()); }));
          })
      .def_property_readonly("num_rows",
                             [](const Shared& a) {
                               return a.With([](const auto& state) { return state.num_rows(); });
                             })
      .def_property_readonly("num_blocks", [](const Shared& a) { return a.state.num_blocks(); })
      .def_property_readonly("block_size", [](const Shared& a) { return a.state.block_size(); })
      .def_property_readonly(
          "several_blocks_per_row",
          [](const Shared& a) { return a.state.layout() == Layout::kSeveralBlocksPerRow; })
      .def("to_bytes",
           [](const Shared& a) {
             return py::bytes(a.With([](const GmpAccumulator& state) { return state.ToBytes(); }));
           })
      .def_static("from_bytes", &FromBytes);
}

}  // namespace alcedo::python
