#pragma once

#include <string>
#include <vector>

#include "studies/study.h"
#include "train/config/config.h"

namespace tapehead {

/// How far does attention learn to look, where a convolution sees a fixed number of positions?
struct ReceptiveFieldSettings {
  /// A task, and what it needs to see, for people.
  struct TaskOf {
    std::string needs;
    TaskConfig task;
  };
  std::vector<TaskOf> tasks = {
      {"the innermost open bracket, mostly near",
       {.name = "dyck", .length = 48, .symbols = 4, .depth = 4}},
      {"one position, always 16 back", {.name = "copy", .length = 16}},
      {"one place of its kind, anywhere before",
       {.name = "bigrams", .length = 48, .symbols = 16, .triggers = 4}},
      {"one position, always 41 back", {.name = "long_recall", .distance = 40}},
      {"all positions before, evenly", {.name = "majority", .length = 48}}};
  /// Numbers of layers of the convolution networks, of 3 taps with dilations 1, 2, 4, ...
  std::vector<Index> conv_layers = {2, 5};
  Index parameters = 26'000;  ///< of each model, about
  Index most_steps = 1500;    ///< a run stops when it is right
  Index batch = 32;
  Index seeds = 3;
};

/// A model of the comparison: the decoder, then a convolution network of each depth (0: decoder).
std::vector<Index> receptive_field_models(const ReceptiveFieldSettings& settings);
/// "decoder", "conv, 7".
std::string receptive_field_model_name(Index conv_layers);

/// The configuration of one run.
Config receptive_field_config(const ReceptiveFieldSettings& settings,
                              const ReceptiveFieldSettings::TaskOf& task, Index conv_layers,
                              Index seed);

StudyResult receptive_field_study(const StudyRequest& request,
                                  const ReceptiveFieldSettings& settings);

/// The study of the command line.
StudyResult run_receptive_field_study(const StudyRequest& request);

}  // namespace tapehead
