#include "data/hdf5_task.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "data/rows.h"

namespace tapehead {
namespace {

constexpr Index kMaxVocabulary = 10'000'000;

[[noreturn]] void fail(const Hdf5File& file, const std::string& what) {
  throw IoError(fmt::format("{}: {}", file.path(), what));
}

/// Throws unless the file says that it is a data set of a known version.
void check_format(const Hdf5File& file) {
  if (!file.has_attribute("", "format")) {
    fail(file, fmt::format("it has no attribute 'format'; a data set has format = \"{}\"",
                           Hdf5Task::kFormat));
  }
  const auto format = file.attribute_as<std::string>("", "format");
  if (format != Hdf5Task::kFormat) {
    fail(file, fmt::format("its format is '{}'; expected '{}'", format, Hdf5Task::kFormat));
  }
  const auto version = file.attribute_as<Index>("", "version");
  if (version != Hdf5Task::kVersion) {
    fail(file, fmt::format("its version is {}; this program reads version {}", version,
                           Hdf5Task::kVersion));
  }
}

Layout checked_layout(const Hdf5File& file, Layout layout) {
  if (!file.has_attribute("", "layout")) return layout;
  const auto stored = file.attribute_as<std::string>("", "layout");
  if (stored != layout_name(Layout::kCausal) && stored != layout_name(Layout::kParallel)) {
    fail(file, fmt::format("its layout is '{}'; expected 'causal' or 'parallel'", stored));
  }
  if (stored != layout_name(layout)) {
    throw ValueError(fmt::format(
        "{}: its rows are laid out '{}', but the model needs '{}': encoders read parallel "
        "rows, all other kinds causal ones",
        file.path(), stored, layout_name(layout)));
  }
  return layout;
}

constexpr const char* kWords = "words";
constexpr const char* kText = "text";

Vocabulary::Style read_style(const Hdf5File& file) {
  if (!file.has_attribute("", "symbol_style")) return Vocabulary::Style::kWords;
  const auto style = file.attribute_as<std::string>("", "symbol_style");
  if (style == kWords) return Vocabulary::Style::kWords;
  if (style == kText) return Vocabulary::Style::kText;
  fail(file, fmt::format("its symbol_style is '{}'; expected '{}' or '{}'", style, kWords, kText));
}

Vocabulary read_symbols(const Hdf5File& file) {
  const auto size = file.attribute_as<Index>("", "vocabulary");
  if (size < 1 || size > kMaxVocabulary) {
    fail(file, fmt::format("its vocabulary is {}; it must be from 1 to {}", size, kMaxVocabulary));
  }
  std::vector<std::string> symbols;
  if (file.exists("symbols")) {
    symbols = file.read_strings("symbols");
    if (static_cast<Index>(symbols.size()) != size) {
      fail(file,
           fmt::format("'symbols' has {} strings; its vocabulary is {}", symbols.size(), size));
    }
  } else {
    for (Index i = 0; i < size; ++i) symbols.push_back(fmt::format("{}", i));
  }
  const auto style = read_style(file);
  try {
    return {std::move(symbols), style};
  } catch (const ValueError& error) {
    fail(file, fmt::format("'symbols' is no vocabulary: {}", error.what()));
  }
}

/// Reads GROUP/NAME, whose values must be tokens, or "not counted" where that is allowed.
Hdf5Array<TokenId> read_tokens(const Hdf5File& file, const std::string& name, Index vocabulary,
                               bool may_ignore) {
  auto array = file.read<TokenId>(name);
  if (array.shape.size() != 2 || array.shape[0] < 1 || array.shape[1] < 1) {
    fail(file, fmt::format("'{}' has shape ({}); expected [rows, length] with at least one of each",
                           name, fmt::join(array.shape, ", ")));
  }
  for (std::size_t i = 0; i < array.values.size(); ++i) {
    const TokenId token = array.values[i];
    if ((token >= 0 && token < vocabulary) || (may_ignore && token == kIgnoreTarget)) continue;
    const auto length = static_cast<std::size_t>(array.shape[1]);
    fail(file, fmt::format("'{}' is {} at row {}, position {}; expected 0 to {}{}", name, token,
                           i / length, i % length, vocabulary - 1,
                           may_ignore ? fmt::format(" or {}", kIgnoreTarget) : ""));
  }
  return array;
}

Batch read_rows(const Hdf5File& file, const std::string& group, Index vocabulary) {
  auto inputs = read_tokens(file, group + "/inputs", vocabulary, false);
  auto targets = read_tokens(file, group + "/targets", vocabulary, true);
  if (inputs.shape != targets.shape) {
    fail(file, fmt::format("'{0}/inputs' has shape ({1}), '{0}/targets' ({2}); they must be equal",
                           group, fmt::join(inputs.shape, ", "), fmt::join(targets.shape, ", ")));
  }
  if (std::ranges::all_of(targets.values, [](TokenId t) { return t == kIgnoreTarget; })) {
    fail(file,
         fmt::format("'{}/targets' is {} everywhere, which means that nothing is asked; expected "
                     "the token to predict, from 0 to {}, at least at one place",
                     group, kIgnoreTarget, vocabulary - 1));
  }
  Batch rows;
  rows.rows = inputs.shape[0];
  rows.length = inputs.shape[1];
  rows.inputs = std::move(inputs.values);
  rows.targets = std::move(targets.values);
  return rows;
}

/// Copies row `from` of `source` to row `to` of `batch`.
void copy_row(const Batch& source, Index from, Batch& batch, Index to) {
  const Index length = source.length;
  std::copy_n(source.inputs.begin() + from * length, length, batch.inputs.begin() + to * length);
  std::copy_n(source.targets.begin() + from * length, length, batch.targets.begin() + to * length);
}

void write_rows(Hdf5File& file, const std::string& group, const Batch& rows) {
  const std::vector<Index> shape{rows.rows, rows.length};
  file.write<TokenId>(group + "/inputs", rows.inputs, shape, Hdf5Storage::kChecksummed);
  file.write<TokenId>(group + "/targets", rows.targets, shape, Hdf5Storage::kChecksummed);
}

}  // namespace

const char* layout_name(Layout layout) {
  switch (layout) {
    case Layout::kCausal:
      return "causal";
    case Layout::kParallel:
      return "parallel";
    case Layout::kSourceTarget:
      return "source_target";
  }
  return "";
}

Hdf5Task::Hdf5Task(const std::filesystem::path& path, Layout layout)
    : Hdf5Task(Hdf5File::open(path), layout) {}

Hdf5Task::Hdf5Task(const Hdf5File& file, Layout layout)
    : layout_((check_format(file), checked_layout(file, layout))), symbols_(read_symbols(file)) {
  if (file.has_attribute("", "counts_sequences")) {
    counts_sequences_ = file.attribute_as<bool>("", "counts_sequences");
  }
  train_ = read_rows(file, "train", vocabulary());
  held_out_ = read_rows(file, "held_out", vocabulary());
  if (train_.length != held_out_.length) {
    fail(file, fmt::format("rows of 'train' have length {}, those of 'held_out' {}; they must be "
                           "equal",
                           train_.length, held_out_.length));
  }
}

void Hdf5Task::train_batch(std::uint64_t seed, Index step, Index rows, Batch& batch) const {
  check_train_rows("dataset", step, rows);
  batch.resize(rows, length());
  for (Index row = 0; row < rows; ++row) {
    const Index chosen = train_row_random(seed, step, row).below(train_.rows);
    copy_row(train_, chosen, batch, row);
  }
}

void Hdf5Task::held_out_batch(Index first, Index rows, Batch& batch) const {
  check_held_out_rows("dataset", first, rows, held_out_rows());
  batch.resize(rows, length());
  for (Index row = 0; row < rows; ++row) copy_row(held_out_, first + row, batch, row);
}

void write_dataset(const Task& task, const std::filesystem::path& path, Index train_rows,
                   std::uint64_t seed) {
  if (task.feature_width() > 0) {
    throw ValueError(
        fmt::format("task {}: a data set holds tokens, and this task has real numbers; there is "
                    "no file for them, but any seed draws them again",
                    task.name()));
  }
  if (task.source_length() > 0) {
    throw ValueError(fmt::format(
        "task {}: a data set holds one sequence a row, and an encoder-decoder reads two, source "
        "and target; write it for a decoder or an encoder: model.kind = \"decoder\" or \"encoder\"",
        task.name()));
  }
  Batch rows;
  task.train_batch(seed, 0, train_rows, rows);
  auto file = Hdf5File::create(path);
  file.write_attribute("", "format", Hdf5Task::kFormat);
  file.write_attribute("", "version", Hdf5Task::kVersion);
  file.write_attribute("", "vocabulary", task.vocabulary());
  file.write_attribute("", "layout", layout_name(task.layout()));
  file.write_attribute("", "counts_sequences", task.counts_sequences());
  file.write_attribute("", "task", task.name());
  file.write_attribute("", "symbol_style",
                       task.symbols().style() == Vocabulary::Style::kText ? kText : kWords);
  file.write_strings("symbols", task.symbols().symbols());
  write_rows(file, "train", rows);
  task.held_out_batch(0, task.held_out_rows(), rows);
  write_rows(file, "held_out", rows);
  file.close();
}

}  // namespace tapehead
