#pragma once

#include <string>
#include <vector>

#include "figures/figures.h"
#include "studies/study.h"
#include "train/config/config.h"
#include "train/trainer.h"

namespace tapehead {

// What the studies that train models have in common.

/// Number of parameters of the configured model.
Index parameter_count(const Config& config);

/// The width, a multiple of `multiple`, with which the configured model's number of parameters is
/// nearest to `parameters`; the smaller of two. Other sizes that the configuration leaves to the
/// width grow with it. `set_width` sets them: by default model.d_model alone.
Index matching_width(
    Config config, Index parameters, Index multiple,
    const std::function<void(Config&, Index)>& set_width = [](Config& c, Index width) {
      c.model.d_model = width;
    });

/// train_in_memory(), which may be stopped. Throws StudyInterrupted if it was.
TrainedModel train_for_study(const Config& config, int threads, const StudyRequest& request);

/// Mean and standard error of number `k` of the cells [first, first + count): of the seeds of one
/// setting, say. A NaN among them makes both NaN.
Estimate estimate_cells(const std::vector<std::vector<double>>& cells, std::size_t first,
                        std::size_t count, std::size_t k);

/// 1, 2, ..., count.
std::vector<Index> first_seeds(Index count);

/// "99.2 % ± 0.3 %" of a share; "99.2 %" where there is no error.
std::string percent_text(const Estimate& share);

}  // namespace tapehead
