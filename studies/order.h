#pragma once

#include <string>
#include <vector>

#include "studies/study.h"
#include "train/config/config.h"

namespace tapehead {

/// What can a model tell of the order of its input, by the way that positions are told to it?
struct OrderSettings {
  std::vector<PositionKind> positions = {
      PositionKind::kNone,      PositionKind::kLearned, PositionKind::kSinusoidal,
      PositionKind::kRope,      PositionKind::kAlibi,   PositionKind::kT5,
      PositionKind::kHardAlibi, PositionKind::kFloater, PositionKind::kRecurrent};
  Index length = 6;
  Index most_steps = 1500;  ///< a run stops when it is right
  Index batch = 64;
  Index seeds = 3;
};

/// A kind of model and a task that it is trained on.
struct OrderCondition {
  ModelKind kind;
  std::string task;
  std::string name() const { return std::string(traits_of(kind).name) + " " + task; }
};
const std::vector<OrderCondition>& order_conditions();

/// The configuration of one run.
Config order_config(const OrderSettings& settings, const OrderCondition& condition,
                    PositionKind position, Index seed);

/// The best share of all prompts that a model with such positions can be right on, where its
/// blindness bounds it; 1 elsewhere. Prompts are equally likely, k symbols, n of them:
///
///   encoder, reverse, no positions           all blanks get one answer: k^(1 - n)
///   encoder-decoder, reverse, no positions   a source is a bag of symbols, all of whose orders get
///                                            one answer: (number of bags) / (number of prompts) =
///                                            C(n + k - 1, n) / k^n
///   encoder-decoder, reverse, symmetric      a source and its reverse get one answer, which is
///                                            right for both only if they are the same:
///                                            (1 + k^(ceil(n / 2) - n)) / 2
///
/// Symmetric are the positions that know distances without direction: alibi, hard_alibi.
double best_possible(const OrderCondition& condition, PositionKind position, Index length,
                     Index symbols);

StudyResult order_study(const StudyRequest& request, const OrderSettings& settings);

/// The study of the command line.
StudyResult run_order_study(const StudyRequest& request);

}  // namespace tapehead
