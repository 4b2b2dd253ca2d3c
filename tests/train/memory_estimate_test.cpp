#include "train/memory_estimate.h"

#include "tests/support/expect.h"
#include "train/build_model.h"

namespace tapehead {
namespace {

constexpr ModelSizes kSizes{.vocabulary = 13, .length = 21};

Config resolved(std::vector<Setting> settings) {
  return resolve_config({.settings = std::move(settings)});
}

void expect_counted(const Config& config, const ModelSizes& sizes) {
  const auto model = build_model(config, sizes);
  EXPECT_EQ(estimate_memory(config, sizes).parameters,
            static_cast<double>(model->store.parameter_count()))
      << traits_of(config.model.kind).name;
}

// The estimate counts from the configuration what the model itself counts once it is built.
TEST(MemoryEstimate, CountsTheParametersOfEveryKindOfModel) {
  const std::vector<std::vector<Setting>> kinds = {
      {},
      {{"model.bias=false"}, {"model.tie_embeddings=true"}},
      {{"model.norm=post"}, {"model.norm_kind=rms"}, {"model.position=none"}},
      {{"model.kv_heads=1"}, {"model.scale=learned"}, {"model.d_ff=37"}, {"model.layers=3"}},
      {{"model.kind=encoder"}, {"model.position=sinusoidal"}, {"model.d_model=48"}},
      {{"model.heads=3"}, {"model.head_dim=5"}, {"model.attention=additive"}},
      {{"model.kind=encoder_decoder"},
       {"model.heads=8"},
       {"model.kv_heads=2"},
       {"model.head_dim=2"}},
      {{"model.kind=encoder_decoder"}, {"model.kv_heads=1"}, {"model.scale=learned"}},
      {{"model.kind=encoder_decoder"}, {"model.norm=post"}, {"model.bias=false"}},
      {{"model.kind=rnn"}, {"model.d_model=50"}, {"model.layers=3"}},
      {{"model.kind=lstm"}, {"model.bias=false"}, {"model.tie_embeddings=true"}},
      {{"model.kind=gru"}},
      {{"model.kind=conv"}, {"model.kernel_size=5"}, {"model.d_ff=37"}, {"model.layers=3"}},
      {{"model.kind=conv"}, {"model.norm=post"}, {"model.norm_kind=rms"}, {"model.bias=false"}},
      {{"model.position=floater"}, {"model.attention=additive"}, {"model.share_qkv=kv"}},
      {{"model.position=recurrent"}, {"model.sigma_reparam=true"}, {"model.share_qkv=qk"}},
      {{"model.position=t5"}, {"model.qk_norm=true"}, {"model.share_qkv=qkv"}},
      {{"model.position=rope"}, {"model.qk_norm=true"}, {"model.scale=4"}, {"model.bias=false"}},
  };
  for (const auto& settings : kinds) {
    const Config config = resolved(settings);
    ModelSizes sizes = kSizes;
    if (config.model.kind == ModelKind::kEncoderDecoder) sizes.source_length = 8;
    expect_counted(config, sizes);
    sizes.source_vocabulary = sizes.source_length;  // of its own
    expect_counted(config, sizes);
    if (sizes.source_length > 0 || config.model.tie_embeddings) continue;
    sizes.features = 5;
    sizes.outputs = 2;
    expect_counted(config, sizes);
  }
}

// As large as the keys allow. No number of parameters may be overlooked because it does not fit
// into 64 bits, and nothing may be allocated.
TEST(MemoryEstimate, IsMadeOfModelsThatNoMachineCouldHold) {
  const std::string largest = "1000000000";
  for (const char* position : {"learned", "sinusoidal", "rope", "alibi", "t5"}) {
    SCOPED_TRACE(position);
    const Config config = resolved({{"model.position=" + std::string(position)},
                                    {"model.layers=" + largest},
                                    {"model.d_model=" + largest},
                                    {"model.heads=" + largest},
                                    {"model.head_dim=" + largest},
                                    {"model.d_ff=" + largest}});
    const MemoryEstimate e = estimate_memory(config, {.vocabulary = 10, .length = 1'000'000'000});
    // Of each layer: four projections between 10^9 and 10^18, and what is small beside them.
    EXPECT_NEAR(e.parameters / 4e36, 1, 1e-6);
    EXPECT_GT(e.batch, 1e36);
  }
  const Config conv = resolved({{"model.kind=conv"},
                                {"model.layers=" + largest},
                                {"model.d_model=" + largest},
                                {"model.kernel_size=" + largest},
                                {"model.d_ff=" + largest}});
  EXPECT_NEAR(estimate_memory(conv, kSizes).parameters / 1e36, 1, 1e-6);
}

// Bytes that a pass over one row leaves on the tape for its backward pass.
double bytes_on_tape(const Config& config, const ModelSizes& sizes) {
  const auto model = build_model(config, sizes);
  Tape<float> tape;
  tape.context().training = true;
  TokenTensor tokens = TokenTensor::full({1, sizes.length}, 1);
  TokenTensor sources;
  if (sizes.source_length > 0) sources = TokenTensor::full({1, sizes.source_length}, 1);
  model->net->hidden(tape, {.tokens = tokens, .sources = sources});
  return static_cast<double>(tape.pool().bytes_in_use());
}

// At least, roughly: never more than is really used, and not far below.
TEST(MemoryEstimate, ActivationsAreALowerBoundOfWhatTheTapeKeeps) {
  const std::vector<std::vector<Setting>> kinds = {
      {},
      {{"model.norm=post"}, {"model.activation=relu"}},
      {{"model.kv_heads=1"}, {"model.share_qkv=kv"}, {"model.d_ff=8"}},
      {{"model.attention=additive"}, {"model.heads=2"}},
      {{"model.kind=encoder_decoder"}},
      {{"model.kind=rnn"}},
      {{"model.kind=lstm"}},
      {{"model.kind=gru"}},
      {{"model.kind=conv"}},
  };
  for (const auto& settings : kinds) {
    std::vector<Setting> all = {{"train.batch=1"}, {"model.d_model=64"}, {"model.layers=6"}};
    all.insert(all.end(), settings.begin(), settings.end());
    const Config config = resolved(all);
    SCOPED_TRACE(settings.empty() ? "decoder" : settings.front().assignment);
    ModelSizes sizes{.vocabulary = 13, .length = 24};
    if (config.model.kind == ModelKind::kEncoderDecoder) sizes.source_length = 40;
    const double estimate = estimate_memory(config, sizes).batch;
    const double used = bytes_on_tape(config, sizes);
    EXPECT_LT(estimate, used);
    EXPECT_GT(estimate, used / 5);
  }
}

TEST(MemoryEstimate, CountsABufferForEachShardAndMoment) {
  const auto model_bytes = [](std::vector<Setting> settings) {
    const MemoryEstimate e = estimate_memory(resolved(std::move(settings)), kSizes);
    return e.model / (e.parameters * sizeof(float));
  };
  EXPECT_EQ(model_bytes({{"train.shards=3"}}), 1 + 3 + 2);
  EXPECT_EQ(model_bytes({{"train.shards=1"}, {"optimizer.amsgrad=true"}}), 1 + 1 + 3);
  EXPECT_EQ(model_bytes({{"train.shards=1"}, {"optimizer.name=sgd"}}), 1 + 1 + 0);
}

TEST(MemoryEstimate, RefusesWhatDoesNotFitNamingWhatIsLargest) {
  const auto refused = [](const Setting& setting, const std::string& keys) {
    const Config config = resolved({setting});
    const double needed = estimate_memory(config, kSizes).total();
    EXPECT_NO_THROW(check_memory(config, kSizes, needed));
    testing::expect_error<ValueError>([&] { check_memory(config, kSizes, needed * 0.999); },
                                      "make " + keys);
  };
  refused({"model.d_model=4096"}, "model.d_model, model.layers or model.d_ff smaller");
  refused({"train.batch=100000"}, "train.batch, train.accumulate");
  refused({"train.steps=1000000000"}, "train.steps smaller");
}

TEST(MemoryEstimate, KnowsTheMachine) { EXPECT_GT(physical_memory(), 1 << 20); }

}  // namespace
}  // namespace tapehead
