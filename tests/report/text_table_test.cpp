#include "report/text_table.h"
#include "figures/number_text.h"

#include <limits>

#include <gtest/gtest.h>

namespace tapehead {
namespace {

TEST(NumberText, HasFourSignificantDigits) {
  EXPECT_EQ(number_text(0.123456), "0.1235");
  EXPECT_EQ(number_text(1.2e-7), "1.2e-07");
  EXPECT_EQ(number_text(2048), "2048");
  EXPECT_EQ(number_text(-0.0), "0");
  EXPECT_EQ(number_text(123456789), "123456789");
  EXPECT_EQ(number_text(std::numeric_limits<double>::quiet_NaN()), "-");
  EXPECT_EQ(number_text(std::numeric_limits<double>::infinity()), "inf");
}

TEST(CellText, OfEachKind) {
  EXPECT_EQ(cell_text(std::string("none")), "none");
  EXPECT_EQ(cell_text(0.5), "0.5");
  EXPECT_EQ(cell_text(Estimate{1.5, 0.123}), "1.5 ± 0.12");
  EXPECT_EQ(cell_text(Estimate{1234.5, 123.4}), "1234 ± 120");
  EXPECT_EQ(cell_text(Estimate{2, 0}), "2 ± 0");
  EXPECT_EQ(cell_text(Estimate{2}), "2");
  EXPECT_EQ(cell_text(Estimate{}), "-");
}

TEST(TableText, AlignsNumbersToTheRightAndWordsToTheLeft) {
  const Table table{"rows",
                    "Title",
                    {"scale", "d_k", "s"},
                    {{std::string("none"), 16.0, Estimate{10, 0.5}},
                     {std::string("ü"), 2048.0, Estimate{1, 0.25}}}};
  EXPECT_EQ(table_text(table),
            "Title\n"
            "scale   d_k         s\n"
            "none     16  10 ± 0.5\n"
            "ü      2048  1 ± 0.25\n");
  EXPECT_EQ(table_text({"rows", "Nothing", {"a", "b"}, {}}), "Nothing\na  b\n");
}

}  // namespace
}  // namespace tapehead
