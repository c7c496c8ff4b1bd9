#include "problem.h"

#include <algorithm>
#include <utility>

#include "alcedo/base/types.h"

namespace alcedo::laws {
namespace {

// Draws the values of one entry, all of one kind per problem.
class ValueSource {
 public:
  ValueSource(Random& random, Index num_blocks, Index size) : random_(random), size_(size) {
    kind_ = random.Pick<const char*>(
        {"normal", "low rank", "decaying", "integers", "positive", "nearly identical", "sparse"});
    rank_ = random.Integer(1, std::max<Index>(1, size / 2));
    decades_ = random.Uniform(1, 6);
    // Per block: a basis for low ranks and for what rows have in common, and a mirror so that a
    // decaying spectrum does not lie along the axes.
    for (Index i = 0; i < num_blocks * (rank_ + 1) * size; ++i) basis_.push_back(random.Normal());
  }

  const std::string& kind() const { return kind_; }

  void Draw(Index block, std::vector<double>& out) {
    const double* basis = basis_.data() + block * (rank_ + 1) * size_;
    out.assign(size_, 0.0);
    for (double& x : out) x = random_.Normal();
    if (kind_ == "low rank") {
      out.assign(size_, 0.0);
      for (Index r = 0; r < rank_; ++r) {
        const double c = random_.Normal();
        for (Index j = 0; j < size_; ++j) out[j] += c * basis[r * size_ + j];
      }
    } else if (kind_ == "decaying") {
      double dot = 0, length = 0;
      for (Index j = 0; j < size_; ++j) {
        out[j] *= std::pow(10, -decades_ * j / std::max<Index>(1, size_ - 1));
        dot += out[j] * basis[j];
        length += basis[j] * basis[j];
      }
      for (Index j = 0; j < size_; ++j) out[j] -= 2 * dot / length * basis[j];
    } else if (kind_ == "integers") {
      for (double& x : out) x = static_cast<double>(random_.Integer(-3, 3));
    } else if (kind_ == "positive") {
      for (double& x : out) x = random_.Uniform();
    } else if (kind_ == "nearly identical") {
      for (Index j = 0; j < size_; ++j) out[j] = basis[j] + 1e-3 * out[j];
    } else if (kind_ == "sparse") {
      for (double& x : out) x = random_.Chance(0.7) ? 0 : x;
    }
  }

 private:
  Random& random_;
  Index size_;
  std::string kind_;
  Index rank_;
  double decades_;
  std::vector<double> basis_;
};

// The blocks of one row. Some blocks stay empty: the highest are never drawn when `used` is
// smaller.
std::vector<std::int32_t> DrawBlocks(Random& random, Layout layout, Index used) {
  if (layout == Layout::kDense) return {0};
  if (layout == Layout::kOneBlockPerRow)
    return {static_cast<std::int32_t>(random.Integer(0, used - 1))};
  std::vector<std::int32_t> blocks;
  for (const Index k : random.Permutation(used))
    if (random.Chance(0.4)) blocks.push_back(static_cast<std::int32_t>(k));
  return blocks;
}

struct Shape {
  Layout layout;
  Index rows, blocks, block_size, used_blocks;
};
Shape DrawShape(Random& random, Index max_rows, Index max_dimension) {
  Shape s;
  s.layout = random.Pick({Layout::kDense, Layout::kOneBlockPerRow, Layout::kSeveralBlocksPerRow});
  s.rows = random.Integer(0, max_rows);
  const Index dimension = random.Integer(1, max_dimension);
  s.blocks = s.layout == Layout::kDense ? 1 : random.Integer(1, std::min<Index>(dimension, 9));
  s.block_size = dimension / s.blocks;
  s.used_blocks = random.Chance(0.5) ? s.blocks : random.Integer(1, s.blocks);
  return s;
}

// Rows of the shape, their values from draw(block, out), some repeated and some zero.
template <class Draw>
Problem Assemble(Random& random, const Shape& shape, Draw draw) {
  Problem p;
  p.layout = shape.layout;
  p.num_blocks = shape.blocks;
  p.block_size = shape.block_size;
  const double repeats = random.Pick({0.0, 0.0, 0.3, 0.95});
  const double zeros = random.Pick({0.0, 0.0, 0.0, 0.2, 1.0 / 16});
  std::vector<float> values;
  std::vector<double> entry;
  for (Index n = 0; n < shape.rows; ++n) {
    if (n > 0 && random.Chance(repeats)) {
      const Index source = random.Integer(0, n - 1);
      for (Index e = p.offsets[source]; e < p.offsets[source + 1]; ++e) {
        p.blocks.push_back(p.blocks[e]);
        for (Index j = 0; j < p.block_size; ++j) values.push_back(values[e * p.block_size + j]);
      }
    } else {
      const bool zero = random.Chance(zeros);
      for (const std::int32_t block : DrawBlocks(random, shape.layout, shape.used_blocks)) {
        p.blocks.push_back(block);
        draw(block, entry);
        for (const double x : entry) values.push_back(zero ? 0.0f : static_cast<float>(x));
      }
    }
    p.offsets.push_back(static_cast<Index>(p.blocks.size()));
  }
  p.values = Eigen::Map<const EigenRows>(values.data(), p.offsets.back(), p.block_size);
  return p;
}

}  // namespace

Encodings Problem::Build() const {
  const auto build = [&](const auto& rows) {
    switch (layout) {
      case Layout::kDense:
        return Encodings::Dense(rows);
      case Layout::kOneBlockPerRow:
        return Encodings::OneBlockPerRow(rows, blocks, num_blocks);
      case Layout::kSeveralBlocksPerRow:
        break;
    }
    return Encodings::SeveralBlocksPerRow(rows, blocks, offsets, num_blocks);
  };
  return doubles.size() > 0 ? build(doubles) : build(values);
}

Table Problem::Dense() const {
  Table table(num_rows(), dimension());
  for (Index n = 0; n < num_rows(); ++n)
    for (Index e = offsets[n]; e < offsets[n + 1]; ++e)
      for (Index j = 0; j < block_size; ++j) {
        table(n, blocks[e] * block_size + j) = doubles.size() > 0 ? doubles(e, j) : values(e, j);
      }
  return table;
}

Problem Problem::WithDigits(Random& random, double digits) const {
  Problem p = *this;
  p.doubles = values.cast<double>();
  for (Index e = 0; e < p.doubles.rows(); ++e)
    for (Index j = 0; j < block_size; ++j) p.doubles(e, j) *= 1 + digits * random.Normal();
  return p;
}

Problem Problem::Select(const std::vector<Index>& rows) const {
  Problem p = *this;
  p.blocks.clear();
  p.offsets = {0};
  std::vector<Index> entries;
  for (const Index n : rows) {
    for (Index e = offsets[n]; e < offsets[n + 1]; ++e) {
      p.blocks.push_back(blocks[e]);
      entries.push_back(e);
    }
    p.offsets.push_back(static_cast<Index>(entries.size()));
  }
  p.values.resize(static_cast<Index>(entries.size()), block_size);
  for (Index i = 0; i < p.values.rows(); ++i) p.values.row(i) = values.row(entries[i]);
  return p;
}

Problem Problem::Scaled(float factor) const {
  Problem p = *this;
  p.values *= factor;
  return p;
}

Problem Problem::As(Layout other) const {
  Problem p = *this;
  p.layout = other;
  if (other != Layout::kDense) return p;
  const Table table = Dense();
  p.num_blocks = 1;
  p.block_size = table.cols;
  p.blocks.assign(table.rows, 0);
  p.values.resize(table.rows, table.cols);
  for (Index n = 0; n < table.rows; ++n) {
    p.offsets[n + 1] = n + 1;
    for (Index j = 0; j < table.cols; ++j) p.values(n, j) = static_cast<float>(table(n, j));
  }
  return p;
}

std::vector<std::vector<Index>> Problem::RowsOfBlocks() const {
  std::vector<std::vector<Index>> rows(num_blocks);
  for (Index n = 0; n < num_rows(); ++n) rows[blocks[n]].push_back(n);
  return rows;
}

std::ostream& operator<<(std::ostream& out, const Problem& p) {
  const char* names[] = {"dense", "one block per row", "several blocks per row"};
  out.precision(9);
  out << "\n  " << p.num_rows() << " rows, " << p.num_blocks << " blocks of " << p.block_size
      << ", " << names[static_cast<int>(p.layout)] << ", values " << p.kind
      << (p.doubles.size() > 0 ? " as doubles" : "");
  if (p.values.size() > 0) out << ", largest " << p.values.cwiseAbs().maxCoeff();
  if (p.values.size() > 0 && p.values.size() <= 64) {
    out << "\n  blocks";
    for (const auto block : p.blocks) out << ' ' << block;
    out << "\n  offsets";
    for (const auto offset : p.offsets) out << ' ' << offset;
    out << "\n" << p.values;
  }
  return out;
}

Problem AnyProblem(Random& random, const ProblemLimits& limits) {
  // Half of them small: these find most, and a hundred take as long as one of the largest.
  const double size = random.Chance(0.5) ? 0.2 : limits.large && random.Chance(0.03) ? 3 : 1;
  const Shape shape =
      DrawShape(random, std::max<Index>(3, static_cast<Index>(size * limits.max_rows)),
                std::max<Index>(3, static_cast<Index>(size * limits.max_dimension)));
  const double scale = !limits.scales || random.Chance(0.3) ? 1 : random.LogUniform(1e-18, 1e18);
  ValueSource source(random, shape.blocks, shape.block_size);
  Problem p = Assemble(random, shape, [&](Index block, std::vector<double>& out) {
    source.Draw(block, out);
    for (double& x : out) x *= scale;
  });
  p.kind = source.kind();
  return p;
}

GapProblem AnyGapProblem(Random& random, Index max_size) {
  for (;;) {
    const Index size = random.Chance(0.5) ? 8 : max_size;
    const Shape shape = DrawShape(random, size, size);
    const Index rank = random.Integer(1, shape.block_size);
    std::vector<Index> basis(shape.blocks * rank * shape.block_size);
    for (Index& x : basis) x = random.Integer(-2, 2);
    const double scale = std::ldexp(1.0, static_cast<int>(random.Integer(-60, 60)));
    GapProblem gap;
    gap.problem = Assemble(random, shape, [&](Index block, std::vector<double>& out) {
      out.assign(shape.block_size, 0.0);
      for (Index r = 0; r < rank; ++r) {
        const double c = scale * static_cast<double>(random.Integer(-2, 2));
        for (Index j = 0; j < shape.block_size; ++j)
          out[j] += c * static_cast<double>(basis[(block * rank + r) * shape.block_size + j]);
      }
    });
    gap.problem.kind = "integers of rank " + std::to_string(rank) + " at most";
    gap.svd = JacobiSvd(gap.problem.Dense());
    Real smallest = gap.svd.largest();
    for (const Real s : gap.svd.sigma)
      if (s > 1e-12L * gap.svd.largest()) smallest = std::min(smallest, s);
    if (smallest < 1e-3L * gap.svd.largest()) continue;
    const Real condition = smallest > 0 ? gap.svd.largest() / smallest : 1;
    gap.amplification = static_cast<double>(condition * condition);
    return gap;
  }
}

double MeanSquaredNorm(const Table& rows) {
  return rows.rows == 0 ? 0 : static_cast<double>(Trace(rows) / rows.rows);
}

double AnyLambda(Random& random, const Table& rows, double smallest, double largest) {
  const double relative = random.Chance(0.2) ? smallest : random.LogUniform(smallest, largest);
  const double mean = MeanSquaredNorm(rows);
  return mean > 0 ? relative * mean : relative;
}

Real RidgeFloor(const Table& rows, double lambda) {
  Real sum = 0;
  for (Index n = 0; n < rows.rows; ++n) {
    const Real* row = rows.Row(n);
    sum += std::sqrt(Dot(row, row, rows.cols));
  }
  return 1e-12L * sum / lambda;
}

std::vector<double> ToDoubles(const Reals& values) { return {values.begin(), values.end()}; }

Matrix ToMatrix(const Table& table) {
  Matrix m(table.rows, table.cols);
  for (Index i = 0; i < table.rows; ++i)
    for (Index j = 0; j < table.cols; ++j) m(i, j) = static_cast<double>(table(i, j));
  return m;
}

}  // namespace alcedo::laws
