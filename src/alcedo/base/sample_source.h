// Training data that need not fit into memory: rows that can be read again and again, chunk by
// chunk, from any thread.
#pragma once

#include <functional>
#include <utility>

#include "alcedo/base/types.h"

namespace alcedo {

class SampleSource {
 public:
  // Rows in memory, which must outlive the source.
  explicit SampleSource(const Rows& rows)
      : rows_(rows.rows()), dimension_(rows.cols()), memory_(rows.data()) {}
  explicit SampleSource(const Rows&& rows) = delete;

  // Rows from elsewhere: read(begin, count, out) fills out with count x dimension values. It is
  // called from several threads at once, and must give the same values every time.
  using Reader = std::function<void(Index begin, Index count, float* out)>;
  SampleSource(Index rows, Index dimension, Reader read)
      : rows_(rows), dimension_(dimension), read_(std::move(read)) {}

  Index rows() const { return rows_; }
  Index dimension() const { return dimension_; }

  // The rows begin <= n < begin + count: in place if they are in memory, else read into
  // `scratch`. Valid as long as the source and `scratch` are, and `scratch` is not changed.
  const float* Chunk(Index begin, Index count, Rows& scratch) const {
    if (memory_ != nullptr) return memory_ + begin * dimension_;
    scratch.resize(count, dimension_);
    read_(begin, count, scratch.data());
    return scratch.data();
  }

 private:
  Index rows_;
  Index dimension_;
  const float* memory_ = nullptr;
  Reader read_;
};

}  // namespace alcedo
