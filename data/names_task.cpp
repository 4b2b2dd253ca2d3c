#include "data/names_task.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/error.h"
#include "base/utf8.h"
#include "data/rows.h"
#include "data/text_file.h"

namespace tapehead {
namespace {

constexpr TokenId kLineBreak = 0;  // its place in symbols()
constexpr std::uint32_t kSplitSeed = 3407;

std::vector<std::string> items_of(std::string_view text) {
  constexpr std::string_view kWhite = " \t\r\v\f";
  std::vector<std::string> items;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    const std::size_t first = line.find_first_not_of(kWhite);
    if (first == std::string_view::npos) continue;
    items.emplace_back(line.substr(first, line.find_last_not_of(kWhite) - first + 1));
  }
  return items;
}

Vocabulary letters_of(const std::vector<std::string>& items) {
  std::set<char32_t> letters;
  std::vector<char32_t> code_points;
  for (const std::string& item : items) {
    code_points.clear();
    decode_utf8(item, code_points);
    letters.insert(code_points.begin(), code_points.end());
  }
  code_points.assign({U'\n'});
  code_points.insert(code_points.end(), letters.begin(), letters.end());
  return Vocabulary::from_code_points(code_points);
}

/// torch.randperm(size) after torch.manual_seed(kSplitSeed), for less than 2^32 numbers.
std::vector<std::size_t> permutation(std::size_t size) {
  std::vector<std::size_t> order(size);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::mt19937 random(kSplitSeed);
  for (std::size_t i = 0; i + 1 < size; ++i) std::swap(order[i], order[i + random() % (size - i)]);
  return order;
}

}  // namespace

NamesTask::NamesTask(const std::filesystem::path& path, Index held_out)
    : NamesTask(path, items_of(read_text_file("names", path)), held_out) {}

NamesTask::NamesTask(const std::filesystem::path& path, const std::vector<std::string>& lines,
                     Index held_out)
    : symbols_(letters_of(lines)) {
  const Index wanted = held_out_count("names", static_cast<double>(lines.size()),
                                      "the number of lines that hold an item", held_out);
  const std::size_t train = lines.size() - static_cast<std::size_t>(wanted);
  const std::vector<std::size_t> order = permutation(lines.size());
  for (std::size_t i = train; i < order.size(); ++i) {
    held_out_.push_back(encode(lines[order[i]]));
  }
  const std::set<Item> never_trained(held_out_.begin(), held_out_.end());
  for (std::size_t i = 0; i < train; ++i) {
    Item item = encode(lines[order[i]]);
    if (!never_trained.contains(item)) train_.push_back(std::move(item));
  }
  for (const std::string& line : lines) {
    const std::vector<TokenId> item = encode(line);
    if (std::ssize(item) > kMaxLetters) {
      throw ValueError(fmt::format(
          "names: '{}' has an item of {} letters, '{} ...'; expected at most {}: put "
          "one item on a line, or use task text",
          path.string(), item.size(), symbols_.decode(std::span(item).first(20)), kMaxLetters));
    }
    length_ = std::max<Index>(length_, std::ssize(item) + 1);
  }
  if (train_.empty()) {
    throw ValueError(
        fmt::format("names: all items of '{}' that are not held out are equal to a "
                    "held-out one; nothing is left to train on",
                    path.string()));
  }
}

void NamesTask::lay_out(Batch& batch, Index row, const Item& item) const {
  const auto inputs = batch.inputs.begin() + row * length_;
  const auto targets = batch.targets.begin() + row * length_;
  std::fill_n(inputs, length_, kLineBreak);
  std::fill_n(targets, length_, kIgnoreTarget);
  std::ranges::copy(item, inputs + 1);
  targets[static_cast<std::ptrdiff_t>(item.size())] = kLineBreak;
  std::ranges::copy(item, targets);
}

void NamesTask::train_batch(std::uint64_t seed, Index step, Index rows, Batch& batch) const {
  check_train_rows("names", step, rows);
  batch.resize(rows, length_);
  for (Index row = 0; row < rows; ++row) {
    const Index chosen = train_row_random(seed, step, row).below(train_size());
    lay_out(batch, row, train_[static_cast<std::size_t>(chosen)]);
  }
}

void NamesTask::held_out_batch(Index first, Index rows, Batch& batch) const {
  check_held_out_rows("names", first, rows, held_out_rows());
  batch.resize(rows, length_);
  for (Index row = 0; row < rows; ++row) {
    lay_out(batch, row, held_out_[static_cast<std::size_t>(first + row)]);
  }
}

std::vector<TokenId> NamesTask::encode_prompt(std::string_view text) const {
  std::vector<TokenId> tokens = encode(text);
  if (tokens.empty() || tokens.front() != kLineBreak) tokens.insert(tokens.begin(), kLineBreak);
  return tokens;
}

}  // namespace tapehead
