#include "studies/head_layers.h"

#include "train/batch_loss.h"

namespace tapehead {

std::vector<HeadLayer> layers_of(const SequenceModel<float>& net, const Task& task) {
  Batch batch;
  task.held_out_batch(0, 1, batch);
  Tape<float> tape(Tape<float>::Mode::kInference);
  ModelTrace<float> trace;
  net.hidden(tape, input_rows(tape, batch, 0, 1), {}, &trace);
  return head_layers(trace);
}

}  // namespace tapehead
