#include "train/held_out_attention.h"

#include "analysis/probe_statistics.h"
#include "analysis/probed_maps.h"
#include "train/batch_loss.h"

namespace tapehead {

HeldOutAttention held_out_attention(const SequenceModel<float>& net, const Task& task, Index row,
                                    Index step) {
  Batch batch;
  task.held_out_batch(row, 1, batch);
  Tape<float> tape(Tape<float>::Mode::kInference);
  ModelTrace<float> trace;
  net.hidden(tape, input_rows(tape, batch, 0, 1), {}, &trace);
  std::vector<ProbeSample> samples = attention_samples(trace.attention);
  for (ProbeSample& sample : samples) sample.step = step;
  AttentionLabels labels = attention_labels(trace, task, batch);
  std::vector<AttentionMaps> maps = probed_maps(samples, labels);
  return {.labels = std::move(labels), .maps = std::move(maps)};
}

}  // namespace tapehead
