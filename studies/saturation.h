#pragma once

#include "studies/study.h"

namespace tapehead {

/// "Do gradients vanish if attention's dot products are not scaled?"
///
/// Random queries and keys, as at initialisation, go through the library's attention; nothing is
/// trained. See docs/studies.md.
StudyResult run_saturation_study(const StudyRequest& request);

}  // namespace tapehead
