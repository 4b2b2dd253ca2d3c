#pragma once

#include "studies/study.h"

namespace tapehead {

/// How time and memory of attention grow with the length of the sequence, beside those of recurrent
/// and convolution layers of equal width (compared_layers()), forward and backward.
///
/// Time: the median processor time of repeated passes on one thread, in three rounds with weights
/// and sequences of their own. Memory: the peak of the tape's pool in one pass. Exponents:
/// fit_power_law() over the upper four lengths, all rounds together.
StudyResult run_complexity(const StudyRequest& request);

}  // namespace tapehead
