#include "base/nearest_word.h"

#include <vector>

#include <gtest/gtest.h>

namespace tapehead {
namespace {

// The distances of the usual textbook examples.
TEST(EditDistance, CountsChangesInsertionsAndDeletions) {
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
  EXPECT_EQ(edit_distance("saturday", "sunday"), 3U);
  EXPECT_EQ(edit_distance("", "abc"), 3U);
  EXPECT_EQ(edit_distance("same", "same"), 0U);
}

TEST(NearestWord, FindsASlipAndNothingElse) {
  const std::vector<std::string> words = {"train", "eval", "info"};
  EXPECT_EQ(nearest_word("trian", words), "train");
  EXPECT_EQ(nearest_word("infos", words), "info");
  EXPECT_EQ(nearest_word("foo", words), "");
  EXPECT_EQ(nearest_word("x", words), "");
}

}  // namespace
}  // namespace tapehead
