// A mixture made ready for Fisher Vectors. Private to this module.
#pragma once

#include <cstdint>
#include <vector>

#include "alcedo/base/types.h"
#include "alcedo/encoding/encode_internal.h"
#include "alcedo/encoding/encoding_kernels.h"
#include "alcedo/encoding/fisher.h"

namespace alcedo::encoding {

// Borrows the mixture's means.
class FisherTables {
 public:
  explicit FisherTables(const GaussianMixture& mixture);

  FisherView View() const;
  // Before rounding to float, for sums.
  const Vector& u_scales() const { return u_scales_; }
  const Vector& v_scales() const { return v_scales_; }

 private:
  const Rows& means_;
  Rows inverse_sigmas_;
  Vector u_scales_, v_scales_;
  std::vector<float> float_u_scales_, float_v_scales_;
};

// Rows are scored in chunks of this size, whatever the number of threads.
inline constexpr Index kRowsPerFisherChunk = 1024;

}  // namespace alcedo::encoding
