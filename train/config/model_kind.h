#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "data/batch.h"

namespace tapehead {

enum class CellKind;  // layers/recurrent.h

/// The kinds of model that can be configured.
enum class ModelKind { kEncoder, kDecoder, kEncoderDecoder, kRnn, kLstm, kGru, kConv };

/// All that tells one kind of model from another, but for how it is built (build_model()).
struct ModelTraits {
  ModelKind kind;
  std::string_view name, meaning;
  Layout layout;                      ///< of the rows that a task makes for it
  bool attends = false;               ///< a transformer, with the keys of one
  bool convolves = false;             ///< has a kernel
  std::optional<CellKind> cell = {};  ///< of a recurrent network
  bool is_recurrent() const { return cell.has_value(); }
  /// True if an output sees no later position, so that the model can write.
  bool is_causal() const { return layout != Layout::kParallel; }
  /// True if it reads a source beside the target that it writes.
  bool reads_sources() const { return layout == Layout::kSourceTarget; }
};

/// Every kind, in the order of ModelKind.
std::span<const ModelTraits> model_traits();

const ModelTraits& traits_of(ModelKind kind);

}  // namespace tapehead
