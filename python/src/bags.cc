#include "bags.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <utility>

#include "alcedo/base/error.h"
#include "alcedo/base/parallel.h"

namespace alcedo::python {
namespace {

constexpr std::string_view kWhatTheyAre[] = {"encodings: ", "descriptors: ", "rows to project: "};

// Bags, as far as one can tell without a conversion.
bool HasTwoDimensions(const py::handle& object) {
  if (py::isinstance<Encodings>(object)) return true;
  if (py::isinstance<py::array>(object)) {
    return py::reinterpret_borrow<py::array>(object).ndim() >= 2;
  }
  if (!IsList(object) || py::len(object) == 0) return false;
  const py::object first = py::reinterpret_borrow<py::sequence>(object)[0];
  return IsList(first) ||
         (py::isinstance<py::array>(first) && py::reinterpret_borrow<py::array>(first).ndim() > 0);
}

// Whether they are several bags, and not the rows of one. An empty list has no bags. What becomes
// an array for that is kept in the list.
bool AreBags(py::list& items) {
  if (items.empty()) return true;
  for (const py::handle item : items) {
    if (HasTwoDimensions(item)) return true;
  }
  const py::array first = ArrayFrom(items[0], "rows[0]");
  if (HasArray(items[0])) items[0] = first;
  return first.ndim() == 2;
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
  py::object given = object;
  bool one_each = false;
  if (IsList(object) && !bags.single && !bags.bags.empty() && py::len(object) == bags.bags.size()) {
    py::list items(object);
    const py::array first = ArrayFrom(items[0], NameOf(name, 0, false));
    one_each = first.ndim() == 1;
    if (one_each || HasArray(items[0])) items[0] = first;
    given = items;
  }
  if (one_each) {
    for (const py::handle item : given) {
      lists.push_back(read(item, NameOf(name, lists.size(), false)));
    }
  } else {
    const py::array array = ArrayFrom(given, name);
    // Also bags x rows.
    const py::object flat = array.ndim() == 2 ? array.attr("reshape")(-1) : py::object(array);
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

// Consecutive rows of one array: bag i has those from limits[i] to limits[i + 1].
void Split(const BagRows& all, const std::vector<Index>& limits, Bags& bags) {
  for (std::size_t i = 0; i + 1 < limits.size(); ++i) {
    bags.bags.push_back({all.Slice(limits[i], limits[i + 1]), std::nullopt, nullptr});
  }
  bags.dimension = all.columns;
}

// Bags without blocks and encoder. Every array is asked for once.
Bags BagsOfRows(const py::object& rows, const py::object& offsets) {
  Bags bags;
  if (!offsets.is_none()) {
    if (py::isinstance<Encodings>(rows)) {
      throw InvalidArgument("offsets",
                            "goes with an array of the rows of all bags, not with Encodings", "");
    }
    const BagRows all = RowsFrom(rows, "rows");
    const std::vector<Index> limits = IndicesFrom(offsets, "offsets");
    CheckOffsets(limits, all.rows);
    Split(all, limits, bags);
    return bags;
  }
  if (py::isinstance<Encodings>(rows)) {
    bags.bags.push_back(OneBag(rows, "rows"));
    bags.single = true;
    return bags;
  }
  py::object one = rows;
  if (IsList(rows)) {
    py::list items(rows);
    if (AreBags(items)) {
      for (std::size_t i = 0; i < items.size(); ++i) {
        bags.bags.push_back(OneBag(items[i], NameOf("rows", i, false)));
      }
      return bags;
    }
    one = items;
  }
  const py::array array = ArrayFrom(one, "rows");
  if (array.ndim() == 3) {
    Index count = 0;
    const BagRows all = BagsFrom(array, "rows", &count);
    std::vector<Index> limits;
    for (Index i = 0; i <= count; ++i) limits.push_back(i * array.shape(1));
    Split(all, limits, bags);
    return bags;
  }
  bags.bags.push_back(OneBag(array, "rows"));
  bags.single = true;
  return bags;
}

// The vectors of all blocks of a row must have a dimension that memory can have.
void CheckBlockCount(Index num_blocks, const Bags& bags) {
  if (num_blocks < 1) {
    throw InvalidArgument("num_blocks", "must be given with blocks, at least 1", "");
  }
  Index columns = std::max<Index>(1, bags.dimension);
  for (const Bag& bag : bags.bags) columns = std::max(columns, bag.rows.columns);
  if (num_blocks > std::numeric_limits<Index>::max() / 64 / columns) {
    throw InvalidArgument(
        "num_blocks",
        fmt::format("times the {} columns of a block is more than a vector can have", columns),
        fmt::format("{}", num_blocks));
  }
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
  Bags bags = BagsOfRows(rows, offsets);
  if (blocks.is_none()) {
    if (num_blocks != 0) throw InvalidArgument("num_blocks", "goes with blocks", "");
  } else {
    CheckBlockCount(num_blocks, bags);
    for (const Bag& bag : bags.bags) {
      if (bag.encodings != nullptr) {
        throw InvalidArgument("blocks", "goes with arrays: Encodings have blocks of their own", "");
      }
    }
    std::vector<std::vector<std::int32_t>> all =
        PerBag<std::vector<std::int32_t>>(blocks, bags, "blocks", BlocksFrom);
    for (std::size_t i = 0; i < all.size(); ++i) bags.bags[i].blocks = std::move(all[i]);
    bags.num_blocks = num_blocks;
    bags.dimension *= num_blocks;
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

}  // namespace alcedo::python
