#pragma once

#include "studies/study.h"

namespace tapehead {

/// What each head of a trained run attends to, and what the run loses without it.
///
/// Looks at the run in `request.run`, a decoder, an encoder or an encoder-decoder: per head the
/// most attended token, the shares of attention on previous, duplicate and induction keys
/// (PatternShares, on held-out rows, and on repeated random tokens), first-token share, entropy and
/// distance; the rise of the held-out loss and the fall of token accuracy after zero-ablation
/// (ablate_head()); the attention maps of the first held-out row. Errors are over held-out rows: it
/// is one run, and says nothing about another seed. Throws ValueError for a kind without attention,
/// IoError if there is no such run.
StudyResult run_heads(const StudyRequest& request);

}  // namespace tapehead
