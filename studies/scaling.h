#pragma once

#include "studies/study.h"

namespace tapehead {

/// "Does attention need the scale 1/sqrt(d_k) to learn?"
///
/// The same model, of one attention head, is trained to copy with each scale, width and
/// initialiser. See docs/studies.md.
StudyResult run_scaling_study(const StudyRequest& request);

}  // namespace tapehead
