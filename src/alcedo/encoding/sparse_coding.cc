#include "alcedo/encoding/sparse_coding.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

#include "alcedo/base/error.h"
#include "alcedo/base/types.h"
#include "alcedo/encoding/encode_internal.h"
#include "alcedo/linalg/kernels.h"
#include "alcedo/vocabulary/lasso.h"

namespace alcedo {

void Check(const SparseCodingOptions& options) {
  Require(options.l1 > 0 && std::isfinite(options.l1), "sparse.l1", "> 0 and finite", options.l1);
  Require(options.tolerance > 0 && std::isfinite(options.tolerance), "sparse.tolerance",
          "> 0 and finite", options.tolerance);
  Require(options.max_sweeps >= 1, "sparse.max_sweeps", ">= 1", options.max_sweeps);
}

namespace encoding {
namespace {

constexpr Index kRowsPerChunk = 128;

// The entries of some rows, one after the other.
struct Codes {
  std::vector<float> values;
  std::vector<std::int32_t> atoms;
  std::vector<Index> sizes;  // per row
};

class PreparedSparseCoding : public Prepared {
 public:
  explicit PreparedSparseCoding(const SparseCodingEncoder& encoder)
      : encoder_(encoder), gram_(AtomGram(encoder.dictionary)) {}

  Encodings Encode(const InputRows& rows, int threads, EncodeReport&) const override {
    const Dictionary& dictionary = encoder_.dictionary;
    const SparseCodingOptions& options = encoder_.options;
    const Index size = dictionary.size();
    std::vector<Codes> chunks((rows.count() + kRowsPerChunk - 1) / kRowsPerChunk);
    ForEachChunk(rows.count(), kRowsPerChunk, threads, [&](Index begin, Index end) {
      Codes& codes = chunks[begin / kRowsPerChunk];
      LassoWork work;
      std::vector<float> code(static_cast<std::size_t>(size));
      for (Index n = begin; n < end; ++n) {
        std::fill(code.begin(), code.end(), 0.0f);
        LassoCode(dictionary, gram_, rows.Row(n), options.l1, options.tolerance, options.max_sweeps,
                  work, code.data());
        const std::size_t before = codes.values.size();
        for (Index k = 0; k < size; ++k) {
          if (code[k] == 0) continue;
          codes.values.push_back(code[k]);
          codes.atoms.push_back(static_cast<std::int32_t>(k));
        }
        codes.sizes.push_back(static_cast<Index>(codes.values.size() - before));
      }
    });

    std::vector<Index> offsets{0};
    std::vector<std::int32_t> blocks;
    std::vector<float> values;
    for (const Codes& codes : chunks) {
      for (const Index entries : codes.sizes) offsets.push_back(offsets.back() + entries);
      blocks.insert(blocks.end(), codes.atoms.begin(), codes.atoms.end());
      values.insert(values.end(), codes.values.begin(), codes.values.end());
    }
    return Encodings::SeveralBlocksPerRow(
        Eigen::Map<const EigenRows>(values.data(), static_cast<Index>(values.size()), 1),
        std::move(blocks), std::move(offsets), size);
  }

 private:
  const SparseCodingEncoder& encoder_;
  Rows gram_;
};

}  // namespace

void Check(const SparseCodingEncoder& encoder) {
  const Dictionary& dictionary = encoder.dictionary;
  if (dictionary.size() < 1 || dictionary.dimension() < 1) {
    throw InvalidArgument(
        fmt::format("dictionary must have at least one atom of one dimension, got {} x {}",
                    dictionary.size(), dictionary.dimension()));
  }
  RequireFinite("dictionary atoms", dictionary.atoms.data(), dictionary.size(),
                dictionary.dimension());
  for (Index k = 0; k < dictionary.size(); ++k) {
    const double squares =
        kernels::SquaredNorm(dictionary.atoms.row(k).data(), dictionary.dimension());
    if (std::abs(squares - 1) <= 1e-3) continue;
    throw InvalidArgument(fmt::format("dictionary atoms must have norm 1, got {} for atom {}",
                                      std::sqrt(squares), k));
  }
  Check(encoder.options);
}

PreparedPointer Prepare(const SparseCodingEncoder& encoder, int) {
  return std::make_unique<PreparedSparseCoding>(encoder);
}

}  // namespace encoding
}  // namespace alcedo
