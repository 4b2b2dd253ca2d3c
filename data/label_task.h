#pragma once

#include <memory>
#include <vector>

#include "data/held_out.h"
#include "data/labelling.h"
#include "data/prompt_set.h"
#include "data/task.h"

namespace tapehead {

/// A task made of the sequences and labels of a Labelling. Each position that is asked predicts its
/// label when the tokens up to and with it have been read, so that rows are the same for decoders
/// and encoders.
///
/// The held-out set is drawn from a stream of its own: it is the same for every seed. All its
/// sequences differ, and a training sequence that is one of them is drawn again. At most a tenth of
/// all sequences is held out.
class LabelTask : public Task {
 public:
  /// Throws ValueError unless held_out is from 10 to 1,000,000, and if there are not ten times 10
  /// different sequences.
  LabelTask(std::unique_ptr<const Labelling> labelling, Layout layout,
            Index held_out = kDefaultHeldOut);

  std::string name() const override { return labelling_->name(); }
  const Vocabulary& symbols() const override { return symbols_; }
  Index length() const override { return labelling_->length(); }
  Layout layout() const override { return layout_; }
  std::optional<double> chance() const override { return labelling_->chance(); }

  void train_batch(std::uint64_t seed, Index step, Index rows, Batch& batch) const override;
  Index held_out_rows() const override { return held_out_.size(); }
  void held_out_batch(Index first, Index rows, Batch& batch) const override;

  bool labels_prompts() const override { return true; }
  /// Throws ValueError unless `text` has from 1 to length() symbols.
  std::vector<TokenId> encode_prompt(std::string_view text) const override;

 private:
  void hold_out(Index held_out);

  std::unique_ptr<const Labelling> labelling_;
  Layout layout_;
  Vocabulary symbols_;
  PromptSet held_out_;
  std::vector<TokenId> held_out_targets_;  // rows x length
};

}  // namespace tapehead
