#include <memory>
#include <vector>

#include "data/addition_exercise.h"
#include "data/prompt_task.h"
#include "data/recall_exercise.h"
#include "data/reverse_exercise.h"
#include "tests/support/expect.h"

namespace tapehead {
namespace {

using testing::expect_error;

template <typename E, typename... Args>
PromptTask asking(Layout layout, Args... args) {
  return PromptTask(std::make_unique<E>(args...), layout);
}

TEST(EncodePrompt, EncodesPromptsOfPeople) {
  const auto causal = asking<ReverseExercise>(Layout::kCausal, 3);
  EXPECT_EQ(causal.decode(causal.encode_prompt("314")), "3 1 4 >");
  EXPECT_EQ(causal.decode(causal.encode_prompt(" 3 1 4 > ")), "3 1 4 >");
  EXPECT_EQ(causal.symbol(*causal.end_token()), "|");
  EXPECT_EQ(causal.vocabulary(), 13);
  const auto parallel = asking<ReverseExercise>(Layout::kParallel, 3);
  EXPECT_EQ(parallel.decode(parallel.encode_prompt("314")), "3 1 4 > . . .");
  expect_error<ValueError>(
      [&] { causal.encode_prompt("31>"); },
      "reverse: the prompt '31' has 2 symbols, not 3; expected 3 of the symbols 0123");
  expect_error<ValueError>([&] { causal.encode_prompt(""); }, "'' has 0 symbols, not 3");
  expect_error<ValueError>([&] { causal.encode_prompt("3x4"); },
                           "unknown symbols 'x' at 2; the model knows 0 1 2 3 4 5 6 7 8 9 > | .");
  const auto addition = asking<AdditionExercise>(Layout::kCausal);
  EXPECT_EQ(addition.decode(addition.encode_prompt("27+95>")), "0 2 7 + 0 9 5 >");
  EXPECT_EQ(addition.decode(addition.encode_prompt("1 2 3 + 9")), "1 2 3 + 0 0 9 >");
  expect_error<ValueError>([&] { addition.encode_prompt("1234+5"); }, "has 8 symbols, not 7");
  expect_error<ValueError>([&] { addition.encode_prompt("12"); }, "'12' has 2 symbols, not 7");
}

TEST(EncodePrompt, RefusesPromptsThatAreNoQuestions) {
  const auto refuse = [](const PromptTask& task, const std::vector<const char*>& prompts) {
    for (const char* prompt : prompts) {
      expect_error<ValueError>([&] { task.encode_prompt(prompt); }, "is no prompt; expected ");
    }
  };
  refuse(asking<ReverseExercise>(Layout::kCausal), {"1 2 3 4 > 6 7 8 9 0", "1 2 3 4 5 6 7 8 9 |"});
  refuse(asking<AdditionExercise>(Layout::kCausal), {"1234567", "123++56", "+123456"});
  // With 2 pairs: a value for a key, a key for a value, a key twice, one that was not there.
  refuse(asking<RecallExercise>(Layout::kCausal, 2, 4, 10),
         {"11b2a", "aab2a", "a1a2a", "a1b2c", "a1b21"});
  expect_error<ValueError>(
      [] { asking<AdditionExercise>(Layout::kCausal).encode_prompt("1234567"); },
      "expected 3 digits, '\\+' and 3 digits; .*for example '. . . \\+ . . .'");
}

}  // namespace
}  // namespace tapehead
