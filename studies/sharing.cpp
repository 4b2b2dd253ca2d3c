#include "studies/sharing.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "studies/decode_time.h"
#include "studies/sharing_report.h"
#include "studies/study_cells.h"
#include "studies/study_registry.h"
#include "train/config/build_task.h"
#include "train/trainer.h"

namespace tapehead {

namespace {

constexpr int kSharingVersion = 1;  // of what the cells' numbers mean
constexpr Index kDecodeRounds = 3;  // also the seeds

struct SharingSizes {
  Index clauses, steps, seeds;  // of the task, the training, the quality
  std::vector<Index> contexts;
};

SharingSizes sharing_sizes(bool quick) {
  if (quick) return {2, 200, 3, {64, 512, 2048}};
  return {4, 1000, 5, {64, 128, 256, 512, 1024, 2048, 4096}};
}

Config quality_config(const SharingSizes& sizes) {
  Config c = default_config("translation");
  c.task.clauses = sizes.clauses;
  c.model.d_model = 64;
  c.model.heads = 8;
  c.model.layers = 2;
  c.train.batch = 32;
  c.train.steps = sizes.steps;
  c.train.eval_every = 0;
  return completed(c);
}

// Wide enough for the cache to be what a token's time is spent on.
ModelConfig decoding_model(Index kv_heads) {
  ModelConfig model;
  model.d_model = 256;
  model.heads = 8;
  model.kv_heads = kv_heads;
  return model;
}

struct DecodedVariant {
  const char* name;
  Index kv_heads;
};
constexpr DecodedVariant kDecodedVariants[] = {{"MHA", 8}, {"GQA", 2}, {"MQA", 1}};

StudyCell quality_cell(const SharingVariant& variant, Config config, Index seed,
                       const StudyRequest& request) {
  config.model = variant.model;
  config.train.seed = seed;
  return {fmt::format("quality {} seed={}", variant.name, seed), [config, &request](int threads) {
            const TrainSummary s = train_in_memory(config, threads, request.stop_requested).summary;
            if (!s.evaluation) throw StudyInterrupted();
            return std::vector<double>{s.evaluation->loss, s.evaluation->token_accuracy};
          }};
}

std::vector<SharingQuality> measure_quality(const StudyRequest& request,
                                            const SharingSizes& sizes) {
  const Config config = quality_config(sizes);
  const ModelSizes model_size = model_sizes(*build_task(config));
  std::vector<SharingQuality> qualities;
  std::vector<StudyCell> cells;
  for (const SharingVariant& v : sharing_variants(config.model, model_size)) {
    qualities.push_back({v, parameters_of(v.model, model_size), {}, {}});
    for (Index seed = 1; seed <= sizes.seeds; ++seed) {
      cells.push_back(quality_cell(v, config, seed, request));
    }
  }
  const auto numbers = compute_cells(request, kSharingVersion, cells);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    SharingQuality& q = qualities[i / static_cast<std::size_t>(sizes.seeds)];
    q.losses.push_back(numbers[i].at(0));
    q.accuracies.push_back(numbers[i].at(1));
  }
  return qualities;
}

// The rounds one after the other: a machine that is busy for a while spoils one of all variants.
std::vector<DecodeCost> measure_decoding(const StudyRequest& request, const SharingSizes& sizes) {
  std::vector<StudyCell> cells;
  for (Index round = 1; round <= kDecodeRounds; ++round) {
    for (const DecodedVariant& v : kDecodedVariants) {
      for (const Index context : sizes.contexts) {
        cells.push_back({fmt::format("decode {} context={} round={}", v.name, context, round),
                         [&v, context, round](int) {
                           return std::vector<double>{
                               decode_ms_per_token(decoding_model(v.kv_heads), context,
                                                   static_cast<std::uint64_t>(round))};
                         }});
      }
    }
  }
  const auto numbers = compute_cells(request, kSharingVersion, cells, CellThreads::kAll);
  std::vector<DecodeCost> costs;
  for (const DecodedVariant& v : kDecodedVariants) {
    costs.push_back({v.name, cache_bytes_per_token(decoding_model(v.kv_heads)), {}, {}});
    for (const Index context : sizes.contexts) {
      costs.back().contexts.push_back(static_cast<double>(context));
    }
  }
  std::size_t at = 0;
  for (Index round = 1; round <= kDecodeRounds; ++round) {
    for (DecodeCost& cost : costs) {
      cost.ms.emplace_back();
      for (std::size_t i = 0; i < cost.contexts.size(); ++i) {
        cost.ms.back().push_back(numbers[at++].front());
      }
    }
  }
  return costs;
}

}  // namespace

StudyResult run_sharing(const StudyRequest& request) {
  const SharingSizes sizes = sharing_sizes(request.quick);
  const auto qualities = measure_quality(request, sizes);
  const auto costs = measure_decoding(request, sizes);
  StudyResult result;
  result.study = "sharing";
  result.question = find_study(result.study).question;
  result.quick = request.quick;
  for (Index seed = 1; seed <= sizes.seeds; ++seed) result.seeds.push_back(seed);
  result.settings = fmt::format(
      "Quality: decoders of width 64, 2 layers, 8 heads of width 8, feed-forward widened to "
      "equal parameters, on translation with {} clauses after {} steps of 32 rows, {} seeds; "
      "loss is the held-out cross-entropy in nats, and differences are between runs of the same "
      "seed. Controls have as small a cache as MQA without sharing it. Decoding: 2 layers of "
      "width 256 with 8 heads and fresh weights, float32, median processor time of a token on "
      "one thread, {} rounds with weights and tokens of their own. ± is one standard error over "
      "seeds or rounds.",
      sizes.clauses, sizes.steps, sizes.seeds, kDecodeRounds);
  report_sharing(qualities, costs, result);
  return result;
}

}  // namespace tapehead
