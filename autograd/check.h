#pragma once

#include <string>

#include "base/shape.h"

namespace tapehead {

// Checks that ops call before any work. Each throws ShapeError in the form
// "op: what was found, with names and shapes; what is needed".

void check_same_shape(const char* op, const char* a_name, const Shape& a, const char* b_name,
                      const Shape& b);
void check_rank(const char* op, const char* name, const Shape& shape, int rank);
void check_min_rank(const char* op, const char* name, const Shape& shape, int rank);
/// The last dimension of `shape` must be `size`, which is that of `what`.
void check_last_dim(const char* op, const char* name, const Shape& shape, Index size,
                    const char* what);

/// The position of flat element `i`, as text: "(1, 2, 0)".
std::string position_str(const Shape& shape, Index i);

}  // namespace tapehead
