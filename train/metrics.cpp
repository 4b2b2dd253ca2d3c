#include "train/metrics.h"

#include <fmt/format.h>

#include <array>
#include <string>
#include <utility>

#include "autograd/error.h"
#include "data/hdf5_file.h"
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
  return metrics;
}

void Metrics::save(const std::filesystem::path& path) const {
  write_run_file(path, kFormat, kVersion, [this](Hdf5File& file) {
    write_rows(file, "training", training_, kTrainingColumns);
    write_rows(file, "validation", validation_, kValidationColumns);
  });
}

void Metrics::reserve(Index training_rows, Index validation_rows) {
  training_.reserve(static_cast<std::size_t>(training_rows));
  validation_.reserve(static_cast<std::size_t>(validation_rows));
}

void Metrics::truncate(Index training_rows, Index validation_rows) {
  truncate_rows(training_, training_rows, "training");
  truncate_rows(validation_, validation_rows, "validation");
}

Metrics load_metrics(const std::filesystem::path& path, Index training_rows, Index validation_rows,
                     const std::function<void(const std::string&)>& warn) {
  try {
    Metrics metrics = Metrics::load(path);
    metrics.truncate(training_rows, validation_rows);
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
