// Encodings as a linear operator.
#pragma once

#include "alcedo/encoding/encodings.h"
#include "alcedo/linalg/row_operator.h"

namespace alcedo {

// All rows as one operator on the full space, whatever their layout. Borrows the encodings.
RowOperator AsOperator(const Encodings& encodings, int threads);

}  // namespace alcedo
