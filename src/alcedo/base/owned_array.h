// Arrays that cross the border between the library and a program compiled with other flags.
//
// Eigen's own matrices cannot: how they allocate and free depends on the instruction set and the
// sanitizers of the file that uses them. These are Eigen maps, so that every Eigen expression takes
// them, over memory that they allocate themselves, always in the same way. No name of Eigen is part
// of theirs, and hence of no function that takes or returns them.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <limits>
#include <new>
#include <type_traits>
#include <utility>

#include "alcedo/base/index.h"

namespace alcedo {

static_assert(std::is_same_v<Index, Eigen::Index>);

namespace array_internal {

// Widest vectors of any processor so far. Part of the binary interface.
inline constexpr std::size_t kAlignment = 64;

// Row-major with two dimensions, a column with one.
template <class Scalar, int Rank>
using Plain = Eigen::Matrix<Scalar, Eigen::Dynamic, Rank == 1 ? 1 : Eigen::Dynamic,
                            Rank == 1 ? Eigen::ColMajor : Eigen::RowMajor>;
template <int Rank>
using Stride = std::conditional_t<Rank == 1, Eigen::Stride<0, 0>, Eigen::OuterStride<>>;

// Uninitialized. Null if there is nothing to hold.
template <class Scalar>
Scalar* Allocate(Index rows, Index cols) {
  static_assert(std::is_trivially_copyable_v<Scalar> && std::is_trivially_destructible_v<Scalar>);
  if (rows == 0 || cols == 0) return nullptr;
  constexpr Index kMost = std::numeric_limits<Index>::max() / static_cast<Index>(sizeof(Scalar));
  if (rows < 0 || cols < 0 || rows > kMost / cols) throw std::bad_array_new_length();
  // Not by aligned allocation: glibc seldom finds such memory again that was just freed, and then
  // every image pays for new pages. The block's own address stands before the first value.
  void* block = std::malloc(static_cast<std::size_t>(rows * cols) * sizeof(Scalar) + kAlignment);
  if (block == nullptr) throw std::bad_alloc();
  const auto begin = reinterpret_cast<std::uintptr_t>(block);
  void** values = reinterpret_cast<void**>((begin / kAlignment + 1) * kAlignment);
  values[-1] = block;
  return reinterpret_cast<Scalar*>(values);
}
inline void Free(void* memory) {
  if (memory != nullptr) std::free(static_cast<void**>(memory)[-1]);
}
static_assert(alignof(std::max_align_t) >= sizeof(void*), "there must be room for the address");

// Expressions that Eigen can assign to an array of Scalar.
template <class Derived, class Scalar>
concept ExpressionOf = std::is_same_v<typename Eigen::internal::traits<Derived>::Scalar, Scalar>;

// The shape of an array that holds the expression: a row assigned to a vector becomes a column.
template <int Rank, class Derived>
std::pair<Index, Index> ShapeOf(const Eigen::EigenBase<Derived>& x) {
  if constexpr (Rank == 1) return {x.rows() * x.cols(), 1};
  return {x.rows(), x.cols()};
}

// Whether a view can point to the values of the expression, as Eigen::Ref decides it.
template <class Derived, class Scalar, int Rank>
inline constexpr bool kDirect =
    Eigen::internal::traits<Eigen::Ref<const Plain<Scalar, Rank>>>::template match<
        Derived>::MatchAtCompileTime != 0;

// The distance between rows, for those who may point to the values of the expression.
template <class Derived>
Index RowStride(const Derived& x) {
  if constexpr (Derived::IsVectorAtCompileTime) return x.cols() == 1 ? 1 : x.cols();
  return x.outerStride();
}

}  // namespace array_internal

// Owns its values. Like an Eigen matrix: new values are not initialized, and assignment resizes. An
// expression that refers to the array itself may be assigned even if its size is another one.
template <class Scalar_, int Rank>
class OwnedArray : public Eigen::Map<array_internal::Plain<Scalar_, Rank>, Eigen::Aligned16> {
  static_assert(Rank == 1 || Rank == 2);

 public:
  using Plain = array_internal::Plain<Scalar_, Rank>;
  using Base = Eigen::Map<Plain, Eigen::Aligned16>;
  using Scalar = Scalar_;

  OwnedArray() : Base(nullptr, 0, Rank == 1 ? 1 : 0) {}
  explicit OwnedArray(Index size)
    requires(Rank == 1)
      : Base(array_internal::Allocate<Scalar>(size, 1), size, 1) {}
  OwnedArray(Index rows, Index cols)
    requires(Rank == 2)
      : Base(array_internal::Allocate<Scalar>(rows, cols), rows, cols) {}
  // Rows of values; a vector is given as one row: Vector{{1, 2, 3}}.
  OwnedArray(std::initializer_list<std::initializer_list<Scalar>> values)
      : OwnedArray(Plain(values)) {}
  template <class Derived>
    requires array_internal::ExpressionOf<Derived, Scalar>
  OwnedArray(const Eigen::EigenBase<Derived>& x) : OwnedArray() {  // NOLINT: as Eigen's
    const auto [rows, cols] = array_internal::ShapeOf<Rank>(x);
    resize(rows, cols);
    AssignToOther(x);
  }
  OwnedArray(const OwnedArray& other)
      : OwnedArray(static_cast<const Eigen::EigenBase<Base>&>(other)) {}
  OwnedArray(OwnedArray&& other) noexcept : OwnedArray() { swap(other); }
  ~OwnedArray() { array_internal::Free(this->data()); }

  OwnedArray& operator=(const OwnedArray& other) {
    return *this = static_cast<const Eigen::EigenBase<Base>&>(other);
  }
  OwnedArray& operator=(OwnedArray&& other) noexcept {
    OwnedArray moved(std::move(other));
    swap(moved);
    return *this;
  }
  template <class Derived>
    requires array_internal::ExpressionOf<Derived, Scalar>
  OwnedArray& operator=(const Eigen::EigenBase<Derived>& x) {
    if (array_internal::ShapeOf<Rank>(x) == std::pair(this->rows(), this->cols())) {
      Base::operator=(x.derived());
    } else {
      OwnedArray result(x);
      swap(result);
    }
    return *this;
  }

  void resize(Index size)
    requires(Rank == 1)
  {
    resize(size, 1);
  }
  void resize(Index rows, Index cols) {
    if (rows * cols == this->size() && rows >= 0 && cols >= 0) {
      Point(this->data(), rows, cols);
      return;
    }
    Scalar* memory = array_internal::Allocate<Scalar>(rows, cols);
    array_internal::Free(this->data());
    Point(memory, rows, cols);
  }
  // Keeps what is in both.
  void conservativeResize(Index size)
    requires(Rank == 1)
  {
    conservativeResize(size, 1);
  }
  void conservativeResize(Index rows, Eigen::NoChange_t) { conservativeResize(rows, this->cols()); }
  void conservativeResize(Index rows, Index cols) {
    if (rows == this->rows() && cols == this->cols()) return;
    OwnedArray result;
    result.resize(rows, cols);
    const Index common_rows = rows < this->rows() ? rows : this->rows();
    const Index common_cols = cols < this->cols() ? cols : this->cols();
    result.topLeftCorner(common_rows, common_cols) = this->topLeftCorner(common_rows, common_cols);
    swap(result);
  }
  template <class Derived>
  void resizeLike(const Eigen::EigenBase<Derived>& x) {
    const auto [rows, cols] = array_internal::ShapeOf<Rank>(x);
    resize(rows, cols);
  }

  // Exchanges the memory, not the values.
  void swap(OwnedArray& other) noexcept {
    Scalar* const data = this->data();
    const Index rows = this->rows();
    const Index cols = this->cols();
    Point(other.data(), other.rows(), other.cols());
    other.Point(data, rows, cols);
  }
  friend void swap(OwnedArray& a, OwnedArray& b) noexcept { a.swap(b); }

  // Arrays of other shapes differ.
  friend bool operator==(const OwnedArray& a, const OwnedArray& b) {
    return a.rows() == b.rows() && a.cols() == b.cols() &&
           static_cast<const Base&>(a).cwiseEqual(static_cast<const Base&>(b)).all();
  }
  using Base::operator==;
  using Base::operator!=;

  // For products into this array, none of whose operands is this array.
  class NoAlias {
   public:
    explicit NoAlias(OwnedArray& to) : to_(to) {}
    template <class Derived>
    OwnedArray& operator=(const Eigen::EigenBase<Derived>& x) {
      to_.resizeLike(x);
      to_.AssignToOther(x);
      return to_;
    }
    template <class Derived>
    OwnedArray& operator+=(const Eigen::MatrixBase<Derived>& x) {
      static_cast<Base&>(to_).noalias() += x;
      return to_;
    }
    template <class Derived>
    OwnedArray& operator-=(const Eigen::MatrixBase<Derived>& x) {
      static_cast<Base&>(to_).noalias() -= x;
      return to_;
    }

   private:
    OwnedArray& to_;
  };
  NoAlias noalias() { return NoAlias(*this); }

  // Those of a map cannot resize: with sizes, they would write beyond its end.
  OwnedArray& setConstant(const Scalar& value) { return Filled(value); }
  OwnedArray& setZero() { return Filled(Scalar(0)); }
  OwnedArray& setOnes() { return Filled(Scalar(1)); }
  OwnedArray& setConstant(Index size, const Scalar& value)
    requires(Rank == 1)
  {
    resize(size);
    return Filled(value);
  }
  OwnedArray& setZero(Index size)
    requires(Rank == 1)
  {
    return setConstant(size, Scalar(0));
  }
  OwnedArray& setOnes(Index size)
    requires(Rank == 1)
  {
    return setConstant(size, Scalar(1));
  }
  OwnedArray& setConstant(Index rows, Index cols, const Scalar& value) {
    resize(rows, cols);
    return Filled(value);
  }
  OwnedArray& setZero(Index rows, Index cols) { return setConstant(rows, cols, Scalar(0)); }
  OwnedArray& setOnes(Index rows, Index cols) { return setConstant(rows, cols, Scalar(1)); }
  OwnedArray& setIdentity() { return *this = Plain::Identity(this->rows(), this->cols()); }
  OwnedArray& setIdentity(Index rows, Index cols) { return *this = Plain::Identity(rows, cols); }
  OwnedArray& setLinSpaced(const Scalar& low, const Scalar& high) {
    return *this = Plain::LinSpaced(this->size(), low, high);
  }
  OwnedArray& setLinSpaced(Index size, const Scalar& low, const Scalar& high) {
    return *this = Plain::LinSpaced(size, low, high);
  }
  void setUnit(Index) = delete;
  void setUnit(Index, Index) = delete;
  void transposeInPlace() = delete;

 private:
  // As Eigen gives a map another array.
  void Point(Scalar* data, Index rows, Index cols) noexcept {
    ::new (static_cast<Base*>(this)) Base(data, rows, cols);
  }
  // The shape is right, and the expression refers to other memory.
  template <class Derived>
  void AssignToOther(const Eigen::EigenBase<Derived>& x) {
    Eigen::internal::call_assignment_no_alias(static_cast<Base&>(*this), x.derived());
  }
  OwnedArray& Filled(const Scalar& value) {
    Base::setConstant(value);
    return *this;
  }
};

// Values to read, for arguments: those of an array, of an Eigen matrix or of a block of rows or
// columns of one, where they are; of any other expression a copy.
template <class Scalar_, int Rank>
class ArrayView : public Eigen::Map<const array_internal::Plain<Scalar_, Rank>, Eigen::Unaligned,
                                    array_internal::Stride<Rank>> {
 public:
  using Scalar = Scalar_;
  using Base = Eigen::Map<const array_internal::Plain<Scalar, Rank>, Eigen::Unaligned,
                          array_internal::Stride<Rank>>;

  template <class Derived>
    requires array_internal::ExpressionOf<Derived, Scalar>
  ArrayView(const Eigen::DenseBase<Derived>& x) : ArrayView() {  // NOLINT: for arguments
    const auto [rows, cols] = array_internal::ShapeOf<Rank>(x);
    if constexpr (array_internal::kDirect<Derived, Scalar, Rank>) {
      Point(x.derived().data(), rows, cols, array_internal::RowStride(x.derived()));
    } else {
      copy_ = x;
      Point(copy_.data(), rows, cols, cols);
    }
  }
  // A view of a copy copies it; one of what others own does not.
  ArrayView(const ArrayView& other) : Base(other), copy_(other.copy_) { PointToCopy(other); }
  ArrayView(ArrayView&& other) noexcept : Base(other), copy_(std::move(other.copy_)) {}
  ArrayView& operator=(const ArrayView&) = delete;
  ~ArrayView() = default;

 private:
  ArrayView() : Base(Make(nullptr, 0, Rank == 1 ? 1 : 0, 0)) {}
  static Base Make(const Scalar* data, Index rows, Index cols, Index stride) {
    if constexpr (Rank == 1) {
      return Base(data, rows, cols);
    } else {
      return Base(data, rows, cols, Eigen::OuterStride<>(stride));
    }
  }
  void Point(const Scalar* data, Index rows, Index cols, Index stride) {
    ::new (static_cast<Base*>(this)) Base(Make(data, rows, cols, stride));
  }
  void PointToCopy(const ArrayView& other) {
    if (other.copy_.data() != nullptr)
      Point(copy_.data(), copy_.rows(), copy_.cols(), copy_.cols());
  }

  OwnedArray<Scalar, Rank> copy_;
};

// Values to write, for arguments: those of an array, an Eigen matrix, or of a block of rows or
// columns of one. Of a fixed size. Like a map, it copies as a reference and assigns values.
template <class Scalar_, int Rank>
class ArraySpan : public Eigen::Map<array_internal::Plain<Scalar_, Rank>, Eigen::Unaligned,
                                    array_internal::Stride<Rank>> {
 public:
  using Scalar = Scalar_;
  using Base = Eigen::Map<array_internal::Plain<Scalar, Rank>, Eigen::Unaligned,
                          array_internal::Stride<Rank>>;

  ArraySpan(OwnedArray<Scalar, Rank>& x) : Base(Of(x.derived())) {}  // NOLINT: for arguments
  ArraySpan(const OwnedArray<Scalar, Rank>&) = delete;
  template <class Derived>
    requires(array_internal::kDirect<Derived, Scalar, Rank>)
  ArraySpan(Eigen::PlainObjectBase<Derived>& x) : Base(Of(x.derived())) {}  // NOLINT
  template <class Derived>
    requires(array_internal::kDirect<Derived, Scalar, Rank> &&
             bool(Eigen::internal::is_lvalue<Derived>::value) && !bool(Derived::IsPlainObjectBase))
  ArraySpan(const Eigen::DenseBase<Derived>& x)  // NOLINT
      : Base(Of(x.const_cast_derived())) {}
  ArraySpan(const ArraySpan& other) = default;
  ~ArraySpan() = default;

  ArraySpan& operator=(const ArraySpan& other) {
    Base::operator=(other);
    return *this;
  }
  using Base::operator=;

 private:
  template <class Derived>
  static Base Of(Derived& x) {
    const auto [rows, cols] = array_internal::ShapeOf<Rank>(x);
    if constexpr (Rank == 1) {
      return Base(x.data(), rows, cols);
    } else {
      return Base(x.data(), rows, cols, Eigen::OuterStride<>(array_internal::RowStride(x)));
    }
  }
};

// What a program compiled with another Eigen would have to agree with.
static_assert(sizeof(OwnedArray<float, 2>) == 4 * sizeof(void*));
static_assert(sizeof(OwnedArray<double, 1>) == 3 * sizeof(void*));

}  // namespace alcedo
