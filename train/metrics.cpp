#include "train/metrics.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/error.h"
#include "data/hdf5_file.h"
#include "train/attention_labels_file.h"
#include "train/run_file.h"

namespace tapehead {

namespace {

constexpr const char* kFormat = "tapehead metrics";
constexpr Index kVersion = 1;

template <typename Row>
using Column = std::pair<const char*, double Row::*>;

constexpr std::array<Column<TrainingRow>, 5> kTrainingColumns = {{
    {"loss", &TrainingRow::loss},
    {"token_accuracy", &TrainingRow::token_accuracy},
    {"lr", &TrainingRow::lr},
    {"grad_norm", &TrainingRow::grad_norm},
    {"tokens_per_s", &TrainingRow::tokens_per_s},
}};

constexpr std::array<Column<ValidationRow>, 3> kValidationColumns = {{
    {"validation_loss", &ValidationRow::validation_loss},
    {"token_accuracy", &ValidationRow::token_accuracy},
    {"accuracy", &ValidationRow::accuracy},
}};

template <typename T, typename Row>
void write_column(Hdf5File& file, const std::string& path, const std::vector<Row>& rows,
                  T Row::*member) {
  std::vector<T> values;
  values.reserve(rows.size());
  for (const Row& row : rows) values.push_back(row.*member);
  file.write<T>(path, values, {static_cast<Index>(values.size())}, Hdf5Storage::kChecksummed);
}

template <typename Row, std::size_t N>
void write_rows(Hdf5File& file, const std::string& group, const std::vector<Row>& rows,
                const std::array<Column<Row>, N>& columns) {
  write_column(file, group + "/step", rows, &Row::step);
  for (const auto& [name, member] : columns) {
    write_column(file, fmt::format("{}/{}", group, name), rows, member);
  }
}

template <typename T, typename Row>
void read_column(const Hdf5File& file, const std::string& path, std::vector<Row>& rows,
                 T Row::*member) {
  std::vector<T> values(rows.size());
  file.read_into<T>(path, values, {static_cast<Index>(rows.size())});
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i].*member = values[i];
}

template <typename Row, std::size_t N>
std::vector<Row> read_rows(const Hdf5File& file, const std::string& group,
                           const std::array<Column<Row>, N>& columns) {
  const auto steps = file.read<Index>(group + "/step");
  std::vector<Row> rows(steps.values.size());
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i].step = steps.values[i];
  for (const auto& [name, member] : columns) {
    read_column(file, fmt::format("{}/{}", group, name), rows, member);
  }
  return rows;
}

template <typename Row>
void truncate_rows(std::vector<Row>& rows, Index count, const char* what) {
  if (count < 0 || count > static_cast<Index>(rows.size())) {
    throw IoError(fmt::format(
        "metrics: there are {} {} rows, the checkpoint counts {}; the file belongs to another run",
        rows.size(), what, count));
  }
  rows.resize(static_cast<std::size_t>(count));
}

// --- Samples of probes ---------------------------------------------------------------------------

constexpr const char* kProbes = "probes";

bool comes_before(const ProbeSample& a, const ProbeSample& b) {
  return std::tie(a.step, a.name) < std::tie(b.step, b.name);
}

std::string shape_text(const std::vector<Index>& shape) {
  return fmt::format("({})", fmt::join(shape, ", "));
}

[[noreturn]] void throw_misshapen(const ProbeSample& sample, const std::string& needed) {
  throw ValueError(
      fmt::format("metrics: a sample of '{}' has {} values of shape {}; it must have shape {}",
                  sample.name, sample.values.size(), shape_text(sample.shape), needed));
}

void check_shape(const ProbeSample& sample) {
  Index size = 1;
  for (const Index n : sample.shape) size *= n;
  if (size == static_cast<Index>(sample.values.size())) return;
  throw_misshapen(sample, "that holds as many");
}

// The steps and values of all samples of one name.
struct ProbeColumns {
  std::vector<Index> steps, shape;
  std::vector<float> values;
};

void write_probes(Hdf5File& file, const std::vector<ProbeSample>& samples) {
  std::map<std::string, ProbeColumns> by_name;
  for (const ProbeSample& sample : samples) {
    ProbeColumns& columns = by_name[sample.name];
    columns.steps.push_back(sample.step);
    columns.shape = sample.shape;
    columns.values.insert(columns.values.end(), sample.values.begin(), sample.values.end());
  }
  for (auto& [name, columns] : by_name) {
    const auto count = static_cast<Index>(columns.steps.size());
    const std::string group = fmt::format("{}/{}", kProbes, name);
    file.write<Index>(group + "/step", columns.steps, {count}, Hdf5Storage::kChecksummed);
    columns.shape.insert(columns.shape.begin(), count);
    file.write<float>(group + "/values", columns.values, columns.shape, Hdf5Storage::kChecksummed);
  }
}

// The samples in a group and in those below it; runs of before there were probes have none.
void read_probes(const Hdf5File& file, const std::string& group,
                 std::vector<ProbeSample>& samples) {
  if (!file.exists(group)) return;
  if (!file.is_dataset(group + "/values")) {
    for (const std::string& name : file.names(group)) {
      read_probes(file, fmt::format("{}/{}", group, name), samples);
    }
    return;
  }
  const auto steps = file.read<Index>(group + "/step").values;
  const auto stored = file.read<float>(group + "/values");
  const std::vector<Index> shape(stored.shape.begin() + 1, stored.shape.end());
  const std::size_t size = stored.values.size() / std::max<std::size_t>(steps.size(), 1);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const auto first = stored.values.begin() + static_cast<std::ptrdiff_t>(i * size);
    samples.push_back({group.substr(std::string_view(kProbes).size() + 1), steps[i], shape,
                       std::vector<float>(first, first + static_cast<std::ptrdiff_t>(size))});
  }
}

// Gives a file another name, that no file has: NAME.damaged.h5, NAME.damaged-2.h5, ...
std::filesystem::path set_aside(const std::filesystem::path& path) {
  const auto named = [&path](int n) {
    const std::string number = n == 1 ? "" : fmt::format("-{}", n);
    return path.parent_path() /
           fmt::format("{}.damaged{}{}", path.stem().string(), number, path.extension().string());
  };
  int n = 1;
  while (std::filesystem::exists(named(n))) ++n;
  std::filesystem::rename(path, named(n));
  return named(n);
}

}  // namespace

Metrics Metrics::load(const std::filesystem::path& path) {
  const Hdf5File file = open_run_file(path, kFormat, kVersion);
  Metrics metrics;
  metrics.training_ = read_rows(file, "training", kTrainingColumns);
  metrics.validation_ = read_rows(file, "validation", kValidationColumns);
  read_probes(file, kProbes, metrics.probes_);
  metrics.attention_labels_ = read_attention_labels(file);
  std::ranges::sort(metrics.probes_, comes_before);
  return metrics;
}

void Metrics::save(const std::filesystem::path& path) const {
  write_run_file(path, kFormat, kVersion, [this](Hdf5File& file) {
    write_rows(file, "training", training_, kTrainingColumns);
    write_rows(file, "validation", validation_, kValidationColumns);
    write_probes(file, probes_);
    write_attention_labels(file, attention_labels_);
  });
}

void Metrics::reserve(Index training_rows, Index validation_rows) {
  training_.reserve(static_cast<std::size_t>(training_rows));
  validation_.reserve(static_cast<std::size_t>(validation_rows));
}

void Metrics::append(ProbeSample sample) {
  check_shape(sample);
  for (const ProbeSample& other : probes_) {
    if (other.name != sample.name) continue;
    if (other.shape != sample.shape) throw_misshapen(sample, shape_text(other.shape));
    break;
  }
  const auto at = std::upper_bound(probes_.begin(), probes_.end(), sample, comes_before);
  probes_.insert(at, std::move(sample));
}

void Metrics::truncate(Index training_rows, Index validation_rows, Index step) {
  truncate_rows(training_, training_rows, "training");
  truncate_rows(validation_, validation_rows, "validation");
  std::erase_if(probes_, [step](const ProbeSample& sample) { return sample.step > step; });
}

Metrics load_metrics(const std::filesystem::path& path, Index training_rows, Index validation_rows,
                     Index step, const std::function<void(const std::string&)>& warn) {
  try {
    Metrics metrics = Metrics::load(path);
    metrics.truncate(training_rows, validation_rows, step);
    return metrics;
  } catch (const IoError& e) {
    std::string text = e.what();
    if (std::filesystem::exists(path)) {
      text += fmt::format("; it is kept as {}", set_aside(path).filename().string());
    }
    warn(fmt::format("{}; new metrics begin with this step", text));
    return {};
  }
}

}  // namespace tapehead
