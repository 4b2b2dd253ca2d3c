#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "train/config/config_keys.h"

namespace tapehead {
namespace {

// docs/configuration.md is what the program's tables say. TAPEHEAD_UPDATE_DOCS=1 rewrites it.
TEST(ConfigurationDoc, IsMadeFromTheTables) {
  const std::string path = TAPEHEAD_TESTS_DIR "/../docs/configuration.md";
  std::ifstream file(path);
  std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const std::string begin = "<!-- begin of the generated part -->\n";
  const std::size_t from = text.find(begin) + begin.size();
  const std::size_t to = text.find("<!-- end of the generated part -->");
  ASSERT_LT(to, text.size());

  const std::string expected = fmt::format("\n{}\n", configuration_reference());
  if (std::getenv("TAPEHEAD_UPDATE_DOCS") != nullptr) {
    std::ofstream(path) << text.replace(from, to - from, expected);
  } else {
    EXPECT_EQ(text.substr(from, to - from), expected)
        << "run this test with TAPEHEAD_UPDATE_DOCS=1 in the environment";
  }
}

}  // namespace
}  // namespace tapehead
