#include "studies/receptive_field.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "analysis/attention_range.h"
#include "studies/input_gradients.h"
#include "studies/receptive_field_result.h"
#include "studies/study_cells.h"
#include "studies/study_models.h"
#include "studies/study_registry.h"
#include "train/batch_loss.h"
#include "train/config/build_task.h"

namespace tapehead {

namespace {

constexpr int kFieldVersion = 1;

// Labels are counted one by one, answers as a whole (docs/tasks.md).
double measure_of(const Evaluation& e, const std::string& task) {
  const bool labels = task == "dyck" || task == "bigrams" || task == "majority";
  return labels ? e.token_accuracy : e.accuracy.value();
}

std::vector<double> head_distances(const SequenceModel<float>& net, const Batch& batch) {
  Tape<float> tape(Tape<float>::Mode::kInference);
  ModelTrace<float> trace;
  net.hidden(tape, input_rows(tape, batch, 0, batch.rows), {}, &trace);
  std::vector<double> distances;
  for (const auto& attention : trace.attention) {
    const auto of_layer = mean_attention_distances(attention.weights.value(), batch);
    distances.insert(distances.end(), of_layer.begin(), of_layer.end());
  }
  std::ranges::sort(distances);
  distances.resize(kHeadCount, std::numeric_limits<double>::quiet_NaN());
  return distances;
}

std::vector<double> measure_field(const Config& config, int threads, const StudyRequest& request) {
  const TrainedModel trained = train_for_study(config, threads, request);
  const Task& task = *trained.task;
  Batch batch;
  task.held_out_batch(0, std::min(kFieldRows, task.held_out_rows()), batch);
  const auto places = asked_in_turn(batch);
  const auto norms = input_gradient_norms(*trained.model->net, batch, places, Answered::kLogit);
  const auto shares = share_within(norms, places, batch.length);
  const Index field = traits_of(config.model.kind).convolves
                          ? conv_config(config.model, model_sizes(task)).receptive_field()
                          : batch.length;
  std::vector<double> numbers = {measure_of(*trained.summary.evaluation, config.task.name),
                                 static_cast<double>(trained.summary.parameters),
                                 static_cast<double>(field),
                                 even_attention_distance(batch),
                                 static_cast<double>(distance_of_share(shares, 0.5)),
                                 static_cast<double>(distance_of_share(shares, 0.9))};
  const auto heads = head_distances(*trained.model->net, batch);
  numbers.insert(numbers.end(), heads.begin(), heads.end());
  numbers.insert(numbers.end(), shares.begin(), shares.end());
  return numbers;
}

}  // namespace

std::vector<Index> receptive_field_models(const ReceptiveFieldSettings& settings) {
  std::vector<Index> models = {0};
  models.insert(models.end(), settings.conv_layers.begin(), settings.conv_layers.end());
  return models;
}

std::string receptive_field_model_name(Index conv_layers) {
  if (conv_layers == 0) return "decoder";
  ConvModelConfig conv;
  conv.layers = conv_layers;
  return fmt::format("conv, {}", conv.receptive_field());
}

Config receptive_field_config(const ReceptiveFieldSettings& settings,
                              const ReceptiveFieldSettings::TaskOf& task, Index conv_layers,
                              Index seed) {
  const bool conv = conv_layers > 0;
  Config c = default_config(task.task.name, conv ? ModelKind::kConv : ModelKind::kDecoder);
  c.task = task.task;
  c.optimizer.lr = 0.002;
  c.train.steps = settings.most_steps;
  c.train.batch = settings.batch;
  c.train.seed = seed;
  c.train.eval_every = 100;
  c.train.eval_rows = 200;
  c.train.target_accuracy = 0.995;
  if (conv) {
    c.model.layers = conv_layers;
  } else {
    c.model.position = PositionKind::kRope;
    c.model.layers = kDecoderLayers;
    c.model.heads = kDecoderHeads;
  }
  c = completed(c);
  const auto set_width = [conv](Config& config, Index width) {
    config.model.d_model = width;
    if (conv) config.model.d_ff = width;
  };
  // Heads of an even width, as rotary positions need.
  const Index multiple = conv ? 2 : 2 * kDecoderHeads;
  set_width(c, matching_width(c, settings.parameters, multiple, set_width));
  check_config(c);
  return c;
}

StudyResult receptive_field_study(const StudyRequest& request,
                                  const ReceptiveFieldSettings& settings) {
  std::vector<StudyCell> cells;
  for (const auto& task : settings.tasks) {
    for (const Index model : receptive_field_models(settings)) {
      for (const Index seed : first_seeds(settings.seeds)) {
        const Config config = receptive_field_config(settings, task, model, seed);
        cells.push_back(
            {fmt::format("{} {} seed={}", task.task.name, receptive_field_model_name(model), seed),
             [config, &request](int threads) { return measure_field(config, threads, request); }});
      }
    }
  }
  const FieldNumbers numbers(settings, compute_cells(request, kFieldVersion, cells));
  StudyResult result = receptive_field_result(numbers);
  result.study = "receptive-field";
  result.question = find_study("receptive-field").question;
  result.quick = request.quick;
  result.seeds = first_seeds(settings.seeds);
  return result;
}

StudyResult run_receptive_field_study(const StudyRequest& request) {
  ReceptiveFieldSettings settings;
  if (request.quick) {
    settings.tasks = {{"the innermost open bracket, mostly near",
                       {.name = "dyck", .length = 24, .symbols = 4, .depth = 3}},
                      {"one position, always 17 back", {.name = "long_recall", .distance = 16}},
                      {"all positions before, evenly", {.name = "majority", .length = 24}}};
    settings.most_steps = 300;
  }
  return receptive_field_study(request, settings);
}

}  // namespace tapehead
