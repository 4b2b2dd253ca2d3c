#include "train/memory_estimate.h"

#include "tests/support/expect.h"
#include "train/build_model.h"

namespace tapehead {
namespace {

constexpr Index kVocabulary = 13;
constexpr Index kLength = 21;

Config resolved(std::vector<Setting> settings) {
  return resolve_config({.settings = std::move(settings)});
}

// The estimate counts from the configuration what the model itself counts once it is built.
TEST(MemoryEstimate, CountsTheParametersOfEveryKindOfModel) {
  const std::vector<std::vector<Setting>> kinds = {
      {},
      {{"model.bias=false"}, {"model.tie_embeddings=true"}},
      {{"model.norm=post"}, {"model.norm_kind=rms"}, {"model.position=none"}},
      {{"model.kv_heads=1"}, {"model.scale=learned"}, {"model.d_ff=37"}, {"model.layers=3"}},
      {{"model.kind=encoder"}, {"model.position=sinusoidal"}, {"model.d_model=48"}},
      {{"model.position=floater"}, {"model.attention=additive"}, {"model.share_qkv=kv"}},
      {{"model.position=recurrent"}, {"model.sigma_reparam=true"}, {"model.share_qkv=qk"}},
      {{"model.position=t5"}, {"model.qk_norm=true"}, {"model.share_qkv=qkv"}},
      {{"model.position=rope"}, {"model.qk_norm=true"}, {"model.scale=4"}, {"model.bias=false"}},
  };
  for (const auto& settings : kinds) {
    const Config config = resolved(settings);
    const auto model = build_model(config, kVocabulary, kLength);
    EXPECT_EQ(estimate_memory(config, kVocabulary, kLength).parameters,
              static_cast<double>(model->store.parameter_count()));
  }
}

TEST(MemoryEstimate, CountsABufferForEachShardAndMoment) {
  const auto model_bytes = [](std::vector<Setting> settings) {
    const MemoryEstimate e = estimate_memory(resolved(std::move(settings)), kVocabulary, kLength);
    return e.model / (e.parameters * sizeof(float));
  };
  EXPECT_EQ(model_bytes({{"train.shards=3"}}), 1 + 3 + 2);
  EXPECT_EQ(model_bytes({{"train.shards=1"}, {"optimizer.amsgrad=true"}}), 1 + 1 + 3);
  EXPECT_EQ(model_bytes({{"train.shards=1"}, {"optimizer.name=sgd"}}), 1 + 1 + 0);
}

TEST(MemoryEstimate, RefusesWhatDoesNotFitNamingWhatIsLargest) {
  const auto refused = [](const Setting& setting, const std::string& keys) {
    const Config config = resolved({setting});
    const double needed = estimate_memory(config, kVocabulary, kLength).total();
    EXPECT_NO_THROW(check_memory(config, kVocabulary, kLength, needed));
    testing::expect_error<ValueError>(
        [&] { check_memory(config, kVocabulary, kLength, needed * 0.999); }, "make " + keys);
  };
  refused({"model.d_model=4096"}, "model.d_model, model.layers or model.d_ff smaller");
  refused({"train.batch=100000"}, "train.batch, train.accumulate");
  refused({"train.steps=1000000000"}, "train.steps smaller");
}

TEST(MemoryEstimate, KnowsTheMachine) { EXPECT_GT(physical_memory(), 1 << 20); }

}  // namespace
}  // namespace tapehead
