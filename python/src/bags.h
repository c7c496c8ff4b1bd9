// What a person calls rows: one bag or many, as arrays or encodings.
#pragma once

#include <pybind11/pybind11.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "alcedo/encoding/encodings.h"
#include "arrays.h"
#include "encoder.h"
#include "scalars.h"

namespace alcedo::python {

// One bag: rows in memory, with a block for each if there are blocks; or encodings.
struct Bag {
  BagRows rows;
  std::optional<std::vector<std::int32_t>> blocks;
  const Encodings* encodings = nullptr;  // in place of rows

  Index num_rows() const { return encodings != nullptr ? encodings->num_rows() : rows.rows; }
};

struct Bags {
  std::vector<Bag> bags;
  bool single = false;   // not a list of one
  Index num_blocks = 0;  // 0: no blocks
  Index dimension = 0;   // of every pooled vector; 0 if there is no bag
  bool any_double = false;
  const BagEncoder* encoder = nullptr;  // of descriptors; null: rows are encoded already

  // Checks that every value is finite. Errors name the bag, if there are several.
  Encodings EncodingsOf(std::size_t bag, int threads = 1) const;
};

// rows: an array of rows x dimensions or bags x rows x dimensions, a list of arrays, Encodings, or
// a list of them; with offsets, an array whose bag i has the rows from offsets[i] to offsets[i +
// 1]. blocks: None, or of the same form with one number per row. encoder: None, or what turns rows,
// which are descriptors, into encodings. Different dimensions are refused.
Bags BagsOf(const pybind11::object& rows, const pybind11::object& offsets,
            const pybind11::object& blocks, Index num_blocks,
            const pybind11::object& encoder = pybind11::none());

// One number per row, of the same form as the bags.
std::vector<Vector> NumbersOf(const pybind11::object& numbers, const Bags& bags,
                              const std::string& name);

// Calls work(item, threads) for `count` items, on at most `threads` threads and without the lock of
// the interpreter. Now and then looks for Ctrl-C and calls progress(done, count), if it is not
// None.
void ForEachItem(std::size_t count, int threads, const pybind11::object& progress,
                 const std::function<void(std::size_t item, int threads)>& work);
inline void ForEachBag(const Bags& bags, int threads, const pybind11::object& progress,
                       const std::function<void(std::size_t bag, int threads)>& work) {
  ForEachItem(bags.bags.size(), threads, progress, work);
}

}  // namespace alcedo::python
