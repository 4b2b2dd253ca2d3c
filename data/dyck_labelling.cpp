#include "data/dyck_labelling.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "data/exercise.h"

namespace tapehead {
namespace {

constexpr char kOpening[] = "([{<abcdefghijklmnopqrstuvwxyz";
constexpr char kClosing[] = ")]}>ABCDEFGHIJKLMNOPQRSTUVWXYZ";

}  // namespace

DyckLabelling::DyckLabelling(Index length, Index depth, Index symbols)
    : length_(length), depth_(depth), symbols_(symbols) {
  check_key("dyck", "length", length, 2, kMaxLength);
  check_key("dyck", "depth", depth, 1, kMaxDepth);
  check_key("dyck", "symbols", symbols, 1, kMaxSymbols);
  count();
}

std::vector<std::string> DyckLabelling::symbols() const {
  const auto kinds = static_cast<std::size_t>(symbols_);
  return characters(std::string(kOpening, kinds) + std::string(kClosing, kinds) + '|');
}

void DyckLabelling::count() {
  const auto deepest = static_cast<std::size_t>(depth_);
  // How likely, and in how many sequences, are so many brackets open?
  std::vector<double> open(deepest + 1);
  std::vector<double> ways(deepest + 1);
  open[0] = ways[0] = 1;
  double none_open = 0;
  for (Index t = 0; t < length_; ++t) {
    std::vector<double> next_open(deepest + 1);
    std::vector<double> next_ways(deepest + 1);
    for (std::size_t d = 0; d <= deepest; ++d) {
      const bool both = d > 0 && d < deepest;
      if (d > 0) next_open[d - 1] += both ? open[d] / 2 : open[d];
      if (d > 0) next_ways[d - 1] += ways[d];
      if (d < deepest) next_open[d + 1] += both ? open[d] / 2 : open[d];
      if (d < deepest) next_ways[d + 1] += ways[d] * static_cast<double>(symbols_);
    }
    open = std::move(next_open);
    ways = std::move(next_ways);
    none_open += open[0];
  }
  sequence_count_ = std::accumulate(ways.begin(), ways.end(), 0.0);
  const double share = none_open / static_cast<double>(length_);
  chance_ = std::max(share, (1 - share) / static_cast<double>(symbols_));
}

void DyckLabelling::draw(Random& random, std::span<TokenId> inputs,
                         std::span<TokenId> targets) const {
  std::array<TokenId, kMaxDepth> stack;  // kinds of the open brackets
  Index open = 0;
  for (std::size_t t = 0; t < inputs.size(); ++t) {
    const bool opens = open == 0 || (open < depth_ && random.below(2) == 0);
    if (opens) {
      inputs[t] = static_cast<TokenId>(random.below(symbols_));
      stack[static_cast<std::size_t>(open++)] = inputs[t];
    } else {
      inputs[t] = static_cast<TokenId>(stack[static_cast<std::size_t>(--open)] + symbols_);
    }
    targets[t] = static_cast<TokenId>(
        open == 0 ? 2 * symbols_ : stack[static_cast<std::size_t>(open - 1)] + symbols_);
  }
}

}  // namespace tapehead
