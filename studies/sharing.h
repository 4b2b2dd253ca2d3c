#pragma once

#include "studies/study.h"

namespace tapehead {

/// What sharing keys and values between heads (multi-query, grouped-query attention) and sharing
/// projections saves in a decoder, and what it costs.
///
/// Quality: decoders of equal parameters (sharing_variants()) on the translation task, after
/// equally many steps. Decoding: decode_ms_per_token() of a wider decoder with fresh weights.
StudyResult run_sharing(const StudyRequest& request);

}  // namespace tapehead
