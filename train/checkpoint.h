#pragma once

#include <map>
#include <string>
#include <vector>

#include "autograd/parameter_store.h"
#include "data/hdf5_file.h"
#include "optim/optimizer.h"

namespace tapehead {

/// What a checkpoint knows besides numbers.
///
/// There is no generator whose state must be kept: batches, dropout and initial values are pure
/// functions of the seed and the step.
struct CheckpointInfo {
  Index step = 0;             ///< optimizer steps made; training goes on with this one, from 0
  Index seed = 0;             ///< of the run
  Index training_rows = 0;    ///< rows of metrics.h5 that belong to these steps
  Index validation_rows = 0;  ///< the same of its validation part
  std::string config = {};    ///< the complete configuration as TOML
  std::vector<std::string> vocabulary = {};  ///< text: the symbol of each token; else empty
  std::string data_digest =
      {};                   ///< SHA-256 of the file that the task reads; empty if there is none
  std::string digest = {};  ///< parameter_digest(); capture() fills it in

  bool operator==(const CheckpointInfo&) const = default;
};

/// Arrays by the name of their parameter.
template <typename Scalar>
using NamedArrays = std::map<std::string, Hdf5Array<Scalar>>;

/// A run at one step: all that is needed to go on with the same bits. Independent of the training
/// loop and of the models.
///
/// As a file (HDF5, sealed as run_file.h says; every dataset of numbers has Fletcher32 checksums):
///
///   /                        attributes:
///       format                 "tapehead checkpoint"
///       version                1
///       precision              "float32" or "float64": type of all numbers below
///       step, seed, training_rows, validation_rows, digest      as in CheckpointInfo
///       data_digest            the same, if it is not empty
///   /config                  text: the configuration as TOML
///   /vocabulary              list of texts, if there is one
///   /parameters/NAME         one dataset a parameter, in PyTorch's shape
///   /optimizer               attributes name, steps; only if the optimizer was captured
///   /optimizer/STATE/NAME    one dataset a state ("m", "v", ...) and parameter
template <typename Scalar>
struct Checkpoint {
  CheckpointInfo info;
  NamedArrays<Scalar> parameters;
  std::string optimizer;  ///< its name; empty if it was not captured
  Index optimizer_steps = 0;
  std::map<std::string, NamedArrays<Scalar>> optimizer_state;  ///< by the name of the state
};

/// Copies parameters and, unless null, the optimizer's state.
template <typename Scalar>
Checkpoint<Scalar> capture(CheckpointInfo info, const ParameterStore<Scalar>& store,
                           const Optimizer<Scalar>* optimizer = nullptr);

/// Sets parameters and, unless null, the optimizer's state. Throws IoError, in the name of
/// `source`, that lists every missing, extra and misshapen array; then nothing was changed.
template <typename Scalar>
void restore(const Checkpoint<Scalar>& checkpoint, const ParameterStore<Scalar>& store,
             Optimizer<Scalar>* optimizer = nullptr, const std::string& source = "checkpoint");

}  // namespace tapehead
