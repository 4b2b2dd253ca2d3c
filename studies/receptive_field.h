#pragma once

#include <string>
#include <vector>

#include "studies/study.h"
#include "train/config/config.h"

namespace tapehead {

/// How far does attention learn to look, where a convolution sees a fixed number of positions?
struct ReceptiveFieldSettings {
  /// What a task needs to see, for people, and its keys.
  struct TaskOf {
    std::string name, needs;
    std::vector<std::string> keys;
  };
  std::vector<TaskOf> tasks = {
      {"dyck",
       "the innermost open bracket, mostly near",
       {"task.name=dyck", "task.length=48", "task.depth=4", "task.symbols=4"}},
      {"copy", "one position, always 16 back", {"task.name=copy", "task.length=16"}},
      {"bigrams",
       "one place of its kind, anywhere before",
       {"task.name=bigrams", "task.length=48", "task.symbols=16", "task.triggers=4"}},
      {"long_recall",
       "one position, always 41 back",
       {"task.name=long_recall", "task.distance=40"}},
      {"majority", "all positions before, evenly", {"task.name=majority", "task.length=48"}}};
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
