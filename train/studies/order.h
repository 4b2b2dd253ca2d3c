#pragma once

#include <string>
#include <vector>

#include "train/config.h"
#include "train/studies/study.h"

namespace tapehead {

/// What can a model tell of the order of its input, by the way that positions are told to it?
struct OrderSettings {
  std::vector<std::string> positions = {"none", "learned",    "sinusoidal", "rope",     "alibi",
                                        "t5",   "hard_alibi", "floater",    "recurrent"};
  Index length = 6;
  Index most_steps = 1500;  ///< a run stops when it is right
  Index batch = 64;
  Index seeds = 3;
};

/// A kind of model and a task that it is trained on.
struct OrderCondition {
  std::string kind, task;
  std::string name() const { return kind + " " + task; }
};
const std::vector<OrderCondition>& order_conditions();

/// The configuration of one run.
Config order_config(const OrderSettings& settings, const OrderCondition& condition,
                    const std::string& position, Index seed);

/// The best accuracy that a model without positions can have in the condition, if that bounds it:
///
///   encoder, reverse           all blanks get one answer: symbols^(1 - length)
///   encoder-decoder, reverse   the source is a bag of symbols: each bag's orders are equally
///                              likely, so (number of bags) / (number of prompts) =
///                              C(length + symbols - 1, length) / symbols^length
///   others                     1
double best_without_positions(const OrderCondition& condition, Index length, Index symbols);

StudyResult order_study(const StudyRequest& request, const OrderSettings& settings);

/// The study of the command line.
StudyResult run_order_study(const StudyRequest& request);

}  // namespace tapehead
