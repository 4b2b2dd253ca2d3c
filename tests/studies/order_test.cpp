#include "studies/order.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "studies/order_exact.h"
#include "studies/study_models.h"
#include "train/build_model.h"
#include "train/config/words.h"

namespace tapehead {
namespace {

// All words of `length` of the first `symbols` letters.
std::vector<std::string> words(Index length, Index symbols) {
  std::vector<std::string> all = {""};
  for (Index i = 0; i < length; ++i) {
    std::vector<std::string> longer;
    for (const std::string& word : all) {
      for (Index s = 0; s < symbols; ++s) longer.push_back(word + static_cast<char>('a' + s));
    }
    all = longer;
  }
  return all;
}

// One guess for each bag of symbols, for an encoder one symbol repeated, and for symmetric
// positions one for each pair of a word and its reverse: counted.
TEST(OrderStudy, BoundOfAModelThatKnowsNoOrder) {
  const OrderCondition encoder{ModelKind::kEncoder, "reverse"},
      apart{ModelKind::kEncoderDecoder, "reverse"};
  for (const auto& [length, symbols] : {std::pair<Index, Index>{3, 2}, {4, 3}, {2, 5}}) {
    std::set<std::string> bags, pairs;
    Index constant = 0;
    const auto all = words(length, symbols);
    for (std::string word : all) {
      constant += std::ranges::count(word, word[0]) == length ? 1 : 0;
      pairs.insert(std::min(word, std::string(word.rbegin(), word.rend())));
      std::ranges::sort(word);
      bags.insert(word);
    }
    const auto share = [count = static_cast<double>(all.size())](std::size_t n) {
      return static_cast<double>(n) / count;
    };
    EXPECT_DOUBLE_EQ(best_possible(apart, PositionKind::kNone, length, symbols),
                     share(bags.size()));
    EXPECT_DOUBLE_EQ(best_possible(apart, PositionKind::kAlibi, length, symbols),
                     share(pairs.size()));
    EXPECT_DOUBLE_EQ(best_possible(encoder, PositionKind::kNone, length, symbols),
                     share(static_cast<std::size_t>(constant)));
  }
  EXPECT_EQ(best_possible(apart, PositionKind::kRope, 4, 3), 1);
  EXPECT_EQ(best_possible(encoder, PositionKind::kAlibi, 4, 3), 1);
  EXPECT_EQ(best_possible({ModelKind::kEncoderDecoder, "sort"}, PositionKind::kNone, 4, 3), 1);
  EXPECT_EQ(best_possible({ModelKind::kDecoder, "reverse"}, PositionKind::kNone, 4, 3), 1);
}

TEST(OrderStudy, OrdersThatChangeNothingGiveTheSameBits) {
  Config config = default_config("copy", ModelKind::kEncoder);
  config.model.position = PositionKind::kRope;
  ModelSizes sizes;
  sizes.vocabulary = 5;
  sizes.length = 4;
  const auto model = build_model(config, sizes);
  EXPECT_EQ(order_difference<float>(*model->net, {1, 2, 3, 4}, {0, 1, 2, 3}), 0);
  // Two equal tokens change places: the row is the same, but its outputs should have moved.
  const std::vector<TokenId> row = {1, 2, 1, 4};
  EXPECT_GT(order_difference<float>(*model->net, row, {2, 1, 0, 3}), 1e-4);
  EXPECT_EQ(order_difference<float>(*model->net, row, {2, 1, 0, 3}, 3), 0);
}

// What follows from the formulas: without positions outputs move with their tokens; distances are
// the same back to front; a layer of a decoder sums over a bag, and its second counts.
TEST(OrderStudy, WhatFreshModelsCanTell) {
  constexpr double kRounding = 1e-13, kMeaning = 1e-4;
  const auto none = order_differences<double>(PositionKind::kNone, 2);
  EXPECT_LT(none.encoder_permuted, kRounding);
  EXPECT_LT(none.encoder_reversed, kRounding);
  EXPECT_LT(none.decoder_one_layer, kRounding);
  EXPECT_GT(none.decoder_two_layers, kMeaning);
  for (const PositionKind symmetric : {PositionKind::kAlibi, PositionKind::kHardAlibi}) {
    const auto d = order_differences<double>(symmetric, 2);
    EXPECT_GT(d.encoder_permuted, kMeaning) << name_of(symmetric);
    EXPECT_LT(d.encoder_reversed, kRounding) << name_of(symmetric);
    EXPECT_GT(d.decoder_one_layer, kMeaning) << name_of(symmetric);
  }
  for (const PositionKind position :
       {PositionKind::kLearned, PositionKind::kSinusoidal, PositionKind::kRope, PositionKind::kT5,
        PositionKind::kFloater, PositionKind::kRecurrent}) {
    const auto d = order_differences<double>(position, 2);
    EXPECT_GT(d.encoder_permuted, kMeaning) << name_of(position);
    EXPECT_GT(d.encoder_reversed, kMeaning) << name_of(position);
    EXPECT_GT(d.decoder_one_layer, kMeaning) << name_of(position);
  }
  EXPECT_LT(order_differences<float>(PositionKind::kNone, 2).encoder_permuted, 1e-5);
}

}  // namespace
}  // namespace tapehead
