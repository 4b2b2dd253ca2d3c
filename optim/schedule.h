#pragma once

#include "base/types.h"

namespace tapehead {

enum class ScheduleKind { kConstant, kLinear, kCosine, kInverseSqrt };

struct ScheduleOptions {
  ScheduleKind kind = ScheduleKind::kConstant;
  double lr = 1e-3;   ///< the highest rate
  double min_lr = 0;  ///< where linear and cosine end; inverse_sqrt falls no lower
  Index warmup = 0;   ///< steps of the linear rise
  Index total = 0;    ///< steps of the run
};

/// The learning rate as a pure function of the optimizer step s = 0, 1, ...: one tick an update,
/// whatever the number of micro-batches. With w = warmup, n = total:
///
///   s < w          lr (s + 1) / w                                   begins at lr/w, not at 0
///   constant       lr
///   linear         lr + (min_lr - lr) (s - w) / (n - w)
///   cosine         min_lr + (lr - min_lr) (1 + cos(pi (s - w) / (n - w))) / 2
///   inverse_sqrt   max(min_lr, lr sqrt(max(w, 1) / (s + 1)))        Vaswani et al. 2017, section
///                                                                   5.3, with its peak at lr
///   s >= n         the rate of step n - 1
///
/// A warm-up of n steps or more leaves nothing but the rise.
class Schedule {
 public:
  /// Throws ValueError unless 0 <= min_lr <= lr, both finite, warmup >= 0 and total >= 0.
  explicit Schedule(const ScheduleOptions& options);

  double rate(Index step) const;

 private:
  ScheduleOptions options_;
};

}  // namespace tapehead
