#pragma once

#include <string>
#include <vector>

#include "studies/study.h"
#include "train/config/config.h"

namespace tapehead {

/// How right is a model on longer sequences than it was trained on, by the way that positions are
/// told to it? (After Kazemnejad et al. 2023, arXiv:2305.19466, made small.)
struct PositionsSettings {
  std::vector<std::string> tasks = {"copy", "reverse"};
  std::vector<PositionKind> positions = {
      PositionKind::kNone, PositionKind::kLearned, PositionKind::kSinusoidal,
      PositionKind::kRope, PositionKind::kAlibi,   PositionKind::kHardAlibi,
      PositionKind::kT5,   PositionKind::kFloater, PositionKind::kRecurrent};
  Index longest_trained = 10;  ///< prompts have 1 to so many symbols
  Index longest_tested = 20;
  Index bucket = 2;  ///< lengths that are measured together
  Index symbols = 26;
  Index width = 48, layers = 4;
  Index steps = 4000, batch = 32;
  Index rows = 200;  ///< that a bucket is measured on, at most
  Index seeds = 3;
};

/// The configuration of one run.
Config positions_config(const PositionsSettings& settings, const std::string& task,
                        PositionKind position, Index seed);

/// What a trained model is measured on: prompts of low to high symbols.
Config bucket_config(const PositionsSettings& settings, const Config& trained, Index low,
                     Index high);

StudyResult positions_study(const StudyRequest& request, const PositionsSettings& settings);

/// The study of the command line.
StudyResult run_positions_study(const StudyRequest& request);

}  // namespace tapehead
