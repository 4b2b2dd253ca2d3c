#include "train/checkpoint.h"

#include <cmath>
#include <limits>

#include "data/hdf5_file.h"
#include "optim/adam.h"
#include "optim/sgd.h"
#include "tests/support/expect.h"
#include "tests/support/temporary_folder.h"
#include "train/checkpoint_file.h"
#include "train/checkpoint_folder.h"
#include "train/digest.h"
#include "train/run_file.h"

namespace tapehead {
namespace {

using testing::bytes_of;
using testing::TemporaryFolder;
using testing::write_bytes;

// Two parameters with numbers whose bits are easily lost.
template <typename Scalar>
void add_parameters(ParameterStore<Scalar>& store, Scalar first = Scalar(0.1)) {
  store.add("z.weight", {2, 3}, ParameterKind::kWeight, [&](std::span<Scalar> out) {
    out[0] = first;
    out[1] = Scalar(-0.0);
    out[2] = std::numeric_limits<Scalar>::denorm_min();
    out[3] = std::numeric_limits<Scalar>::max();
    out[4] = Scalar(1) / Scalar(3);
    out[5] = std::numeric_limits<Scalar>::infinity();
  });
  store.add("a.scale", {}, ParameterKind::kNorm, [](std::span<Scalar> out) { out[0] = 7; });
}

CheckpointInfo some_info(Index step = 12) {
  return {.step = step,
          .seed = 1337,
          .training_rows = step,
          .validation_rows = 3,
          .config = "[model]\nheads = 4\n",
          .vocabulary = {"\n", "a", "\xc3\xa9", "\xf0\x9f\x90\xa2"},
          .data_digest = "c0ffee"};
}

template <typename Scalar>
void make_steps(const ParameterStore<Scalar>& store, Optimizer<Scalar>& optimizer, int steps) {
  Tensor<Scalar> gradients = store.make_buffer();
  for (const auto& parameter : store.parameters()) {
    store.part(gradients, parameter).fill(Scalar(0.3));
  }
  for (int i = 0; i < steps; ++i) optimizer.step(store.values(), gradients, 0.01);
}

template <typename Scalar>
void expect_round_trip() {
  const TemporaryFolder folder;
  ParameterStore<Scalar> store;
  add_parameters(store);
  Adam<Scalar> adam(store, {.amsgrad = true});
  make_steps(store, adam, 3);
  const auto path = folder.path() / "c.h5";
  save_checkpoint(path, capture(some_info(), store, &adam));

  ParameterStore<Scalar> other;
  add_parameters(other, Scalar(5));
  Adam<Scalar> other_adam(other, {.amsgrad = true});
  const Checkpoint<Scalar> loaded = load_checkpoint<Scalar>(path);
  restore(loaded, other, &other_adam);

  CheckpointInfo expected = some_info();
  expected.digest = parameter_digest(store);
  EXPECT_EQ(loaded.info, expected);
  EXPECT_EQ(parameter_digest(other), parameter_digest(store));
  EXPECT_EQ(other_adam.step_count(), 3);
  // The same bits now and after more steps: nothing that matters was left out.
  make_steps(store, adam, 4);
  make_steps(other, other_adam, 4);
  EXPECT_EQ(parameter_digest(other), parameter_digest(store));
}

TEST(Checkpoint, KeepsEveryBitOfFloats) { expect_round_trip<float>(); }
TEST(Checkpoint, KeepsEveryBitOfDoubles) { expect_round_trip<double>(); }

TEST(Checkpoint, HasTheDocumentedLayout) {
  const TemporaryFolder folder;
  ParameterStore<float> store;
  add_parameters(store);
  Sgd<float> sgd(store, {.momentum = 0.5});
  save_checkpoint(folder.path() / "c.h5", capture(some_info(), store, &sgd));
  const Hdf5File file = Hdf5File::open(folder.path() / "c.h5");
  EXPECT_EQ(file.attribute_as<std::string>("/", "format"), "tapehead checkpoint");
  EXPECT_EQ(file.attribute_as<Index>("/", "version"), 1);
  EXPECT_EQ(file.attribute_as<std::string>("/", "precision"), "float32");
  EXPECT_EQ(file.attribute_as<Index>("/", "seed"), 1337);
  EXPECT_EQ(file.read_string("config"), "[model]\nheads = 4\n");
  EXPECT_EQ(file.attribute_as<std::string>("optimizer", "name"), "sgd");
  for (const char* path : {"parameters/z.weight", "optimizer/momentum/z.weight"}) {
    const Hdf5Info info = file.info(path);
    EXPECT_EQ(info.shape, (std::vector<Index>{2, 3})) << path;
    EXPECT_EQ(info.type_name, "float32") << path;
    EXPECT_TRUE(info.checksummed) << path;
  }
}

TEST(Checkpoint, NeedsNoOptimizer) {
  const TemporaryFolder folder;
  ParameterStore<float> store;
  add_parameters(store);
  save_checkpoint(folder.path() / "c.h5", capture(some_info(), store));
  const auto loaded = load_checkpoint<float>(folder.path() / "c.h5");
  ParameterStore<float> other;
  add_parameters(other, 3.0f);
  restore(loaded, other);
  EXPECT_EQ(parameter_digest(other), parameter_digest(store));
  Sgd<float> sgd(other, {});
  testing::expect_error<IoError>([&] { restore(loaded, other, &sgd, "c.h5"); },
                                 "c.h5: does not fit.*\n.*optimizer is '', the run's is 'sgd'");
}

TEST(Checkpoint, ListsAllThatDoesNotFitAndChangesNothing) {
  ParameterStore<float> store;
  add_parameters(store);
  store.add("only.here", {4}, ParameterKind::kWeight, [](std::span<float>) {});
  Adam<float> adam(store, {.amsgrad = true});
  const auto checkpoint = capture(some_info(), store, &adam);

  ParameterStore<float> other;
  other.add("z.weight", {3, 2}, ParameterKind::kWeight, [](std::span<float>) {});
  other.add("a.scale", {}, ParameterKind::kWeight, [](std::span<float>) {});
  other.add("only.there", {1, 5}, ParameterKind::kWeight, [](std::span<float>) {});
  Adam<float> other_adam(other, {});
  const std::string before = parameter_digest(other);
  testing::expect_error<IoError>([&] { restore(checkpoint, other, &other_adam, "c.h5"); },
                                 "c.h5: does not fit this model:\n"
                                 "  z.weight is \\(2, 3\\), the model's is \\(3, 2\\)\n"
                                 "  missing only.there \\(1, 5\\)\n"
                                 "  extra only.here \\(4\\)\n"
                                 "(.*\n)*  missing m of only.there \\(1, 5\\)\n"
                                 "(.*\n)*  extra optimizer state 'v_max'\n");
  EXPECT_EQ(parameter_digest(other), before);
  EXPECT_EQ(other_adam.step_count(), 0);
}

TEST(Checkpoint, RefusesOtherFiles) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "c.h5";
  const auto refused = [&](const std::string& regex) {
    testing::expect_error<IoError>([&] { load_checkpoint<float>(path); }, regex);
  };
  refused("c.h5: cannot open: No such file");
  write_bytes(path, "not HDF5");
  refused("c.h5: damaged, cut off, .* or no tapehead checkpoint");
  Hdf5File::create(path).close();
  refused("c.h5: damaged, cut off, .* or no tapehead checkpoint");
  write_run_file(path, "tapehead metrics", 1, [](Hdf5File&) {});
  refused("c.h5: this is a tapehead metrics file, a tapehead checkpoint file was expected");
  write_run_file(path, "tapehead checkpoint", 99, [](Hdf5File&) {});
  refused("c.h5: tapehead checkpoint version 99, this program reads up to 1; use a newer program");
  testing::expect_error<IoError>([&] { load_checkpoint<float>(folder.path()); }, "damaged");

  ParameterStore<double> store;
  add_parameters(store);
  save_checkpoint(path, capture(some_info(), store));
  refused("c.h5: the numbers are float64, float32 was asked for");
}

TEST(Checkpoint, NoticesAChangedAttribute) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "c.h5";
  ParameterStore<float> store;
  add_parameters(store);
  save_checkpoint(path, capture(some_info(), store));
  Hdf5File::open_to_change(path).write_attribute("/", "step", Index{13});
  testing::expect_error<IoError>([&] { load_checkpoint<float>(path); }, "c.h5: damaged");
}

TEST(Checkpoint, NoFlippedByteGoesUnnoticed) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "c.h5";
  ParameterStore<float> store;
  add_parameters(store);
  save_checkpoint(path, capture(some_info(), store));
  const std::string bytes = bytes_of(path);
  constexpr std::size_t kStride = 37;  // no divisor of HDF5's block sizes
  for (std::size_t i = 0; i < bytes.size(); i += kStride) {
    std::string damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x10);
    write_bytes(path, damaged);
    testing::expect_error<IoError>([&] { load_checkpoint<float>(path); }, "c.h5: damaged");
  }
}

TEST(Checkpoint, NoCutGoesUnnoticed) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "c.h5";
  ParameterStore<float> store;
  add_parameters(store);
  save_checkpoint(path, capture(some_info(), store));
  const std::string bytes = bytes_of(path);
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{100}, bytes.size() / 2, bytes.size() - 1}) {
    write_bytes(path, bytes.substr(0, size));
    testing::expect_error<IoError>([&] { load_checkpoint<float>(path); }, "c.h5");
  }
}

TEST(Checkpoint, AFailedSaveLeavesTheOldOneAndNoLitter) {
  const TemporaryFolder folder;
  ParameterStore<float> store;
  add_parameters(store);
  testing::expect_error<IoError>(
      [&] { save_checkpoint(folder.path() / "missing" / "c.h5", capture(some_info(), store)); },
      "missing/c.h5");
  save_checkpoint(folder.path() / "c.h5", capture(some_info(), store));
  save_checkpoint(folder.path() / "c.h5", capture(some_info(13), store));
  EXPECT_EQ(load_checkpoint<float>(folder.path() / "c.h5").info.step, 13);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

// --- A folder of checkpoints ---------------------------------------------------------------------

class CheckpointFolder : public ::testing::Test {
 protected:
  CheckpointFolder() { add_parameters(store_); }

  std::filesystem::path save(Index step) {
    return save_newest_checkpoint(folder_.path(), capture(some_info(step), store_));
  }
  LoadedCheckpoint<float> load() {
    return load_newest_checkpoint<float>(
        folder_.path(), [this](const std::string& text) { warnings_.push_back(text); });
  }

  TemporaryFolder folder_;
  ParameterStore<float> store_;
  std::vector<std::string> warnings_;
};

TEST_F(CheckpointFolder, KeepsTheLastTwo) {
  write_bytes(folder_.path() / "checkpoint_x.h5", "not ours");
  for (const Index step : {50, 100, 999999999, 150}) save(step);
  const auto paths = list_checkpoints(folder_.path());
  ASSERT_EQ(paths.size(), 2u);
  EXPECT_EQ(paths[0].filename(), "checkpoint_999999999.h5");
  EXPECT_EQ(paths[1].filename(), "checkpoint_00000150.h5");
  EXPECT_TRUE(std::filesystem::exists(folder_.path() / "checkpoint_x.h5"));
}

TEST_F(CheckpointFolder, LoadsTheNewest) {
  save(50);
  const auto path = save(100);
  EXPECT_EQ(load().path, path);
  EXPECT_EQ(load().checkpoint.info.step, 100);
  EXPECT_TRUE(warnings_.empty());
}

TEST_F(CheckpointFolder, FallsBackFromADamagedOneWithAWarning) {
  save(50);
  const auto newest = save(100);
  const std::string bytes = bytes_of(newest);
  write_bytes(newest, bytes.substr(0, bytes.size() - 100));
  EXPECT_EQ(load().checkpoint.info.step, 50);
  ASSERT_EQ(warnings_.size(), 1u);
  EXPECT_THAT(warnings_[0], ::testing::ContainsRegex("checkpoint_00000100.h5.*checkpoint before"));
}

TEST_F(CheckpointFolder, FallsBackFromAFlippedNumber) {
  save(50);
  const auto newest = save(100);
  std::string bytes = bytes_of(newest);
  const float needle = 1.0f / 3;
  const auto at = bytes.find(std::string(reinterpret_cast<const char*>(&needle), sizeof(needle)));
  ASSERT_NE(at, std::string::npos);
  bytes[at] = static_cast<char>(bytes[at] ^ 1);
  write_bytes(newest, bytes);
  EXPECT_EQ(load().checkpoint.info.step, 50);
  EXPECT_EQ(warnings_.size(), 1u);
}

TEST_F(CheckpointFolder, SaysSoIfThereIsNone) {
  testing::expect_error<IoError>([&] { load(); }, "there is no checkpoint");
  const auto only = save(100);
  write_bytes(only, "gone");
  testing::expect_error<IoError>([&] { load(); },
                                 "no checkpoint can be read:\n.*checkpoint_00000100.h5(.*\n)*"
                                 "Put one back.*tapehead train .*/config.toml");
  EXPECT_TRUE(warnings_.empty());  // the error says it all, once
}

}  // namespace
}  // namespace tapehead
