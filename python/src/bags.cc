#include "bags.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "alcedo/base/error.h"
#include "alcedo/base/parallel.h"

namespace alcedo::python {
namespace {

constexpr std::string_view kWhatTheyAre[] = {"encodings: ", "descriptors: ", "rows to project: "};

bool IsList(const py::handle& object) {
  return py::isinstance<py::list>(object) || py::isinstance<py::tuple>(object);
}

// A list of bags, and not the rows of one. An empty list has no bags.
bool IsListOfBags(const py::handle& object) {
  if (!IsList(object)) return false;
  if (py::len(object) == 0) return true;
  const py::object first = py::reinterpret_borrow<py::sequence>(object)[0];
  return py::isinstance<Encodings>(first) || DimensionsOf(first) == 2;
}

Bag OneBag(const py::object& object, const std::string& name) {
  Bag bag;
  if (py::isinstance<Encodings>(object)) {
    bag.encodings = object.cast<const Encodings*>();
    bag.rows.owner = object;
  } else {
    bag.rows = RowsFrom(object, name);
  }
  return bag;
}

// Throws unless they go from 0 to count without a step back.
void CheckOffsets(const std::vector<Index>& offsets, Index count) {
  if (offsets.empty() || offsets.front() != 0 || offsets.back() != count ||
      !std::ranges::is_sorted(offsets)) {
    throw InvalidArgument(
        "offsets", fmt::format("must go from 0 to the number of rows, {}, in order", count), "");
  }
}

Index DimensionOf(const Bag& bag, Index num_blocks) {
  if (bag.encodings != nullptr) return bag.encodings->dimension();
  return bag.rows.columns * std::max<Index>(1, num_blocks);
}

// "rows" of one bag, "rows[3]" of one of several.
std::string NameOf(const char* list, std::size_t bag, bool single) {
  return single ? list : fmt::format("{}[{}]", list, bag);
}

void CheckBags(Bags& bags) {
  for (std::size_t i = 0; i < bags.bags.size(); ++i) {
    const Bag& bag = bags.bags[i];
    const Index dimension = DimensionOf(bag, bags.num_blocks);
    if (i == 0) bags.dimension = dimension;
    if (dimension != bags.dimension) {
      throw InvalidArgument(fmt::format("rows[{}] has {} dimensions, and rows[0] has {}", i,
                                        dimension, bags.dimension));
    }
    bags.any_double |= bag.encodings != nullptr ? bag.encodings->is_double() : bag.rows.is_double();
  }
}

// The rows are descriptors from here on, and what is pooled has the dimension of their encodings.
void SetEncoder(Bags& bags, const py::object& encoder) {
  bags.encoder = encoder.cast<const BagEncoder*>();
  for (const Bag& bag : bags.bags) {
    if (bag.encodings != nullptr || bag.blocks) {
      throw InvalidArgument("encoder", "goes with descriptors, and these rows are encoded already",
                            "");
    }
  }
  const Index expected = bags.encoder->descriptor_dimension();
  if (bags.dimension != expected && bags.dimension != 0) {
    throw InvalidArgument(
        fmt::format("rows have {} dimensions, and the encoder takes {}", bags.dimension, expected));
  }
  bags.dimension = bags.encoder->encoder.dimension();
}

// Splits what has one entry per row of all bags, or takes a list with an entry per bag.
template <class List, class Read>
std::vector<List> PerBag(const py::object& object, const Bags& bags, const char* name,
                         const Read& read) {
  std::vector<List> lists;
  if (IsList(object) && !bags.single && py::len(object) == bags.bags.size() &&
      bags.bags.size() > 0 && DimensionsOf(py::reinterpret_borrow<py::sequence>(object)[0]) == 1) {
    for (std::size_t i = 0; i < bags.bags.size(); ++i) {
      lists.push_back(
          read(py::reinterpret_borrow<py::sequence>(object)[i], NameOf(name, i, false)));
    }
  } else {
    // Also bags x rows.
    const py::object flat =
        DimensionsOf(object) == 2 ? py::array::ensure(object).attr("reshape")(-1) : object;
    const List all = read(flat, name);
    Index rows = 0;
    for (const Bag& bag : bags.bags) rows += bag.num_rows();
    if (static_cast<Index>(std::size(all)) != rows) {
      throw InvalidArgument(fmt::format("{} must have one entry for each of the {} rows, got {}",
                                        name, rows, std::size(all)));
    }
    auto begin = std::begin(all);
    for (const Bag& bag : bags.bags) {
      List& list = lists.emplace_back();
      list.resize(bag.num_rows());
      std::copy_n(begin, bag.num_rows(), std::begin(list));
      begin += bag.num_rows();
    }
  }
  for (std::size_t i = 0; i < lists.size(); ++i) {
    if (static_cast<Index>(std::size(lists[i])) != bags.bags[i].num_rows()) {
      throw InvalidArgument(fmt::format("{} must have one entry for each of the {} rows, got {}",
                                        NameOf(name, i, bags.single), bags.bags[i].num_rows(),
                                        std::size(lists[i])));
    }
  }
  return lists;
}

}  // namespace

Encodings Bags::EncodingsOf(std::size_t number, int threads) const {
  const Bag& bag = bags[number];
  if (bag.encodings != nullptr) return *bag.encodings;
  try {
    if (encoder != nullptr) {
      return bag.rows.AsFloats(
          [&](const RowsView& rows) { return encoder->Encode(rows, threads); });
    }
    if (!bag.blocks) return bag.rows.Dense();
    const auto own = [&](auto values, const auto* from) {
      std::copy_n(from, bag.rows.rows * bag.rows.columns, values.data());
      return Encodings::OneBlockPerRow(std::move(values), *bag.blocks, num_blocks);
    };
    if (bag.rows.is_double()) {
      return own(Matrix(bag.rows.rows, bag.rows.columns), bag.rows.doubles);
    }
    return own(Rows(bag.rows.rows, bag.rows.columns), bag.rows.floats);
  } catch (const InvalidArgument& error) {
    // "encodings: row 3, column 5 is NaN"
    std::string_view reason = error.what();
    for (const std::string_view what : kWhatTheyAre) {
      if (reason.starts_with(what)) reason.remove_prefix(what.size());
    }
    throw InvalidArgument(fmt::format("{}: {}", NameOf("rows", number, single), reason),
                          error.hint());
  }
}

Bags BagsOf(const py::object& rows, const py::object& offsets, const py::object& blocks,
            Index num_blocks, const py::object& encoder) {
  Bags bags;
  if (!offsets.is_none()) {
    const BagRows all = RowsFrom(rows, "rows");
    const std::vector<Index> limits = IndicesFrom(offsets, "offsets");
    CheckOffsets(limits, all.rows);
    for (std::size_t i = 0; i + 1 < limits.size(); ++i) {
      bags.bags.push_back({all.Slice(limits[i], limits[i + 1]), std::nullopt, nullptr});
    }
    bags.dimension = all.columns * std::max<Index>(1, num_blocks);
  } else if (IsListOfBags(rows)) {
    std::size_t i = 0;
    for (const py::handle item : rows) {
      bags.bags.push_back(
          OneBag(py::reinterpret_borrow<py::object>(item), fmt::format("rows[{}]", i++)));
    }
  } else if (!py::isinstance<Encodings>(rows) && DimensionsOf(rows) == 3) {
    Index count = 0;
    const BagRows all = BagsFrom(rows, "rows", &count);
    const Index size = count == 0 ? 0 : all.rows / count;
    for (Index i = 0; i < count; ++i) {
      bags.bags.push_back({all.Slice(i * size, (i + 1) * size), std::nullopt, nullptr});
    }
    bags.dimension = all.columns * std::max<Index>(1, num_blocks);
  } else {
    bags.bags.push_back(OneBag(rows, "rows"));
    bags.single = true;
  }
  if (blocks.is_none()) {
    if (num_blocks != 0) throw InvalidArgument("num_blocks", "goes with blocks", "");
  } else {
    if (num_blocks < 1) {
      throw InvalidArgument("num_blocks", "must be given with blocks, at least 1", "");
    }
    for (const Bag& bag : bags.bags) {
      if (bag.encodings != nullptr) {
        throw InvalidArgument("blocks", "goes with arrays: Encodings have blocks of their own", "");
      }
    }
    std::vector<std::vector<std::int32_t>> all =
        PerBag<std::vector<std::int32_t>>(blocks, bags, "blocks", BlocksFrom);
    for (std::size_t i = 0; i < all.size(); ++i) bags.bags[i].blocks = std::move(all[i]);
    bags.num_blocks = num_blocks;
  }
  CheckBags(bags);
  if (!encoder.is_none()) SetEncoder(bags, encoder);
  return bags;
}

std::vector<Vector> NumbersOf(const py::object& numbers, const Bags& bags,
                              const std::string& name) {
  return PerBag<Vector>(numbers, bags, name.c_str(), VectorFrom);
}

void ForEachItem(std::size_t items, int threads, const py::object& progress,
                 const std::function<void(std::size_t item, int threads)>& work) {
  const auto count = static_cast<Index>(items);
  const bool together = count >= threads;  // otherwise one after the other, each on all threads
  Index done = 0, batch = threads;
  while (done < count) {
    const Index size = std::min(batch, count - done);
    const auto begin = std::chrono::steady_clock::now();
    {
      const py::gil_scoped_release release;
      ParallelFor(size, together ? threads : 1, [&](Index i) {
        work(static_cast<std::size_t>(done + i), together ? 1 : threads);
      });
    }
    done += size;
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    if (took.count() < 0.02) batch = std::min<Index>(2 * batch, 1 << 16);
    if (took.count() > 0.2) batch = std::max<Index>(batch / 2, threads);
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    if (!progress.is_none()) progress(done, count);
  }
}

int ThreadsOf(const py::object& threads) {
  if (threads.is_none()) return HardwareThreads();
  if (py::isinstance<py::bool_>(threads) || PyIndex_Check(threads.ptr()) == 0) {
    throw py::type_error("threads must be a whole number, got " + std::string(py::repr(threads)));
  }
  const auto whole = py::reinterpret_steal<py::object>(PyNumber_Index(threads.ptr()));
  if (!whole) throw py::error_already_set();
  int overflow = 0;
  const long long number = PyLong_AsLongLongAndOverflow(whole.ptr(), &overflow);
  if (overflow < 0 || (overflow == 0 && number < 1)) {
    throw InvalidArgument("threads", "must be >= 1", py::str(whole));
  }
  // More than that no computer has; the system would be asked for each.
  constexpr long long kMost = 1024;
  return static_cast<int>(overflow > 0 ? kMost : std::min(number, kMost));
}

}  // namespace alcedo::python
