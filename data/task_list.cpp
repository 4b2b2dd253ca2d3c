#include "data/task_info.h"

#include <fmt/format.h>

#include "data/addition_exercise.h"
#include "data/bigrams_labelling.h"
#include "data/coreference_exercise.h"
#include "data/dyck_labelling.h"
#include "data/held_out.h"
#include "data/induction_labelling.h"
#include "data/long_recall_exercise.h"
#include "data/majority_labelling.h"
#include "data/modular_addition_task.h"
#include "data/mqar_labelling.h"
#include "data/multiplication_exercise.h"
#include "data/parity_exercise.h"
#include "data/recall_exercise.h"
#include "data/regression_task.h"
#include "data/selective_copy_exercise.h"
#include "data/sequence_exercise.h"
#include "data/text_task.h"
#include "data/translation_exercise.h"

namespace tapehead {
namespace {

constexpr const char* kWholeAnswers = "share of answers that are wholly right";
constexpr const char* kLabels = "share of labels that are right";
constexpr const char* kPart = "above 0, below 1";
constexpr const char* kLoss = "cross-entropy in nats, mean over all characters";

/// Limits that are numbers.
std::string between(Index low, Index high) { return fmt::format("{} to {}", low, high); }

TaskKey held_out_key() {
  return {"held_out", kDefaultHeldOut, "examples that are never trained on",
          between(kMinHeldOut, kMaxHeldOut)};
}

std::vector<TaskKey> sequence_keys() {
  return {{"length", SequenceExercise::kDefaultLength, "symbols of a prompt",
           between(1, SequenceExercise::kMaxLength)},
          {"symbols", SequenceExercise::kDefaultSymbols, "different symbols",
           between(2, kAlphabetSize)},
          {"min_length", Index{0}, "lengths are drawn from this to length; 0: all are length",
           "0 to length"},
          held_out_key()};
}

std::vector<TaskInfo> sequence_infos() {
  return {{"copy", "repeat the prompt", "3 1 4 > 3 1 4", kWholeAnswers, "1e-10: 1 / symbols^length",
           "Kazemnejad et al. 2023 (arXiv:2305.19466) and many others", sequence_keys()},
          {"reverse", "give the prompt back to front", "3 1 4 > 4 1 3", kWholeAnswers,
           "1e-10: 1 / symbols^length", "Kazemnejad et al. 2023 (arXiv:2305.19466) and many others",
           sequence_keys()},
          {"sort", "sort the prompt's symbols", "3 1 4 1 > 1 1 3 4", kWholeAnswers,
           "0.00036, the most likely answer: each symbol about equally often",
           "Kazemnejad et al. 2023 (arXiv:2305.19466) and many others", sequence_keys()}};
}

std::vector<TaskInfo> arithmetic_infos() {
  return {{"addition",
           "add two numbers; the answer's last digit comes first",
           "0 2 7 + 0 9 5 > 2 2 1 0",
           kWholeAnswers,
           "0.001, the most likely sum: 1 / 10^digits",
           "Lee et al. 2023 (arXiv:2307.03381)",
           {{"digits", AdditionExercise::kDefaultDigits, "digits of each number",
             between(1, AdditionExercise::kMaxDigits)},
            {"reversed", AdditionExercise::kDefaultReversed,
             "last digit of the answer first: learns faster"},
            {"carries", AdditionExercise::kDefaultCarries,
             "hold out the sums in which so many neighbouring digits carry, and no others; 0: any",
             "0 to digits"},
            held_out_key()}},
          {"multiplication",
           "multiply a number by one digit; the answer's last digit comes first",
           "0 4 7 * 6 > 2 8 2 0",
           kWholeAnswers,
           "0.1009, the most likely product: 0",
           "Lee et al. 2023 (arXiv:2307.03381), made smaller",
           {{"digits", MultiplicationExercise::kDefaultDigits, "digits of the number",
             between(1, MultiplicationExercise::kMaxDigits)},
            {"reversed", MultiplicationExercise::kDefaultReversed,
             "last digit of the answer first: learns faster"},
            held_out_key()}},
          {"modular_addition",
           "add modulo a number, from a part of all sums",
           "5 4 = -> 2 (modulo 7)",
           kWholeAnswers,
           "0.0103: 1 / modulus",
           "Power et al. 2022 (arXiv:2201.02177); Nanda et al. 2023 (arXiv:2301.05217)",
           {{"modulus", ModularAdditionTask::kDefaultModulus, "the sums are modulo this number",
             between(5, ModularAdditionTask::kMaxModulus)},
            {"train_fraction", ModularAdditionTask::kDefaultTrainFraction,
             "part of all sums that is trained on; all others are held out", kPart}}}};
}

std::vector<TaskInfo> bit_infos() {
  return {{"parity",
           "is the number of ones odd?",
           "1 0 1 1 > 1 1 0 1",
           kWholeAnswers,
           "1.5e-05: 1 / 2^length; 0.5 if not running",
           "Hahn 2020 (arXiv:1906.06755); Chiang & Cholak 2022 (arXiv:2202.12172)",
           {{"length", ParityExercise::kDefaultLength, "bits of a prompt",
             between(1, ParityExercise::kMaxLength)},
            {"running", ParityExercise::kDefaultRunning,
             "answer with the parity after each bit: learns faster; false: with the last alone"},
            held_out_key()}},
          {"majority",
           "have there been more ones than zeros so far?",
           "0 1 1 1 0 0 -> 0 0 1 1 1 0",
           kLabels,
           "0.5565, always 0, which is right in a tie too",
           "Merrill et al. 2022 (arXiv:2106.16213), asked at each prefix",
           {{"length", MajorityLabelling::kDefaultLength, "bits of a row",
             between(1, MajorityLabelling::kMaxLength)},
            held_out_key()}},
          {"dyck",
           "which bracket closes the innermost open one? '|' if none is open",
           "( [ ] ) [ ( ) ( -> ) ] ) | ] ) ] )",
           kLabels,
           "0.1142, the more likely of '|' and one kind of bracket",
           "Yao et al. 2021 (arXiv:2105.11115), Dyck(8, 10)",
           {{"length", DyckLabelling::kDefaultLength, "brackets of a row",
             between(2, DyckLabelling::kMaxLength)},
            {"depth", DyckLabelling::kDefaultDepth, "most brackets that are open at a time",
             between(1, DyckLabelling::kMaxDepth)},
            {"symbols", DyckLabelling::kDefaultSymbols, "kinds of brackets",
             between(1, DyckLabelling::kMaxSymbols)},
            held_out_key()}}};
}

std::vector<TaskInfo> recall_infos() {
  return {{"recall",
           "associative recall: the pair of a key and its value",
           "c 3 a 7 b 1 f 7 a > a 7",
           kWholeAnswers,
           "0.0125: 1 / (keys * values); 0.25 for one of the pairs that were read",
           "Ba et al. 2016 (arXiv:1610.06258), section 4.1",
           {{"pairs", RecallExercise::kDefaultPairs, "pairs of a prompt", "1 to keys"},
            {"keys", RecallExercise::kDefaultKeys, "different keys",
             between(1, RecallExercise::kMaxKeys)},
            {"values", RecallExercise::kDefaultValues, "different values",
             between(2, RecallExercise::kMaxValues)},
            held_out_key()}},
          {"mqar",
           "multi-query associative recall: at each key's second time, its value",
           "2 8 4 7 0 0 4 0 0 0 0 0 2 0 -> _ _ _ _ _ _ 7 _ _ _ _ _ 8 _",
           kLabels,
           "0.0078: 1 / (symbols / 2); 0.25 for one of the values that were read",
           "Arora et al. 2023 (arXiv:2312.04927), Zoology",
           {{"length", MqarLabelling::kDefaultLength, "tokens of a row, an even number",
             between(4, MqarLabelling::kMaxLength)},
            {"pairs", MqarLabelling::kDefaultPairs, "keys and values", "1 to length / 4"},
            {"symbols", MqarLabelling::kDefaultSymbols, "half of them keys, half values",
             fmt::format("length + 1 to {}", MqarLabelling::kMaxSymbols)},
            {"power", MqarLabelling::kDefaultPower,
             "of the distances from pair to query: 1 is even, 0.01 prefers short ones",
             fmt::format("0 to {}", MqarLabelling::kMaxPower)},
            {"random_fill", MqarLabelling::kDefaultRandomFill, "filler is random, instead of 0"},
            held_out_key()}},
          {"long_recall",
           "recall one fact from far back",
           "* 7 3 1 4 1 5 > 7",
           kWholeAnswers,
           "0.1: 1 / symbols",
           "after Hochreiter & Schmidhuber 1997, section 5.2",
           {{"distance", LongRecallExercise::kDefaultDistance, "symbols between fact and question",
             between(1, LongRecallExercise::kMaxDistance)},
            {"symbols", LongRecallExercise::kDefaultSymbols, "different symbols",
             between(2, kAlphabetSize)},
            held_out_key()}}};
}

std::vector<TaskInfo> copying_infos() {
  return {{"induction",
           "what followed the trigger '!' the first time?",
           "3 1 ! 4 1 5 9 ! -> 4",
           kLabels,
           "0.0625: 1 / symbols",
           "Gu & Dao 2023 (arXiv:2312.00752), table 11, where length is 256",
           {{"length", InductionLabelling::kDefaultLength, "tokens of a row",
             between(3, InductionLabelling::kMaxLength)},
            {"symbols", InductionLabelling::kDefaultSymbols, "different symbols",
             between(2, kAlphabetSize)},
            held_out_key()}},
          {"bigrams",
           "what follows a trigger, 0 or 1, in this row? (other symbols: a fixed chain)",
           "3 0 7 5 1 4 0 7 2 1 -> _ _ _ _ _ _ 7 _ _ 4",
           kLabels,
           "0.0370: 1 / (symbols - triggers)",
           "Bietti et al. 2023 (arXiv:2306.00802), with a random chain for that of Shakespeare",
           {{"length", BigramsLabelling::kDefaultLength, "tokens of a row",
             between(4, BigramsLabelling::kMaxLength)},
            {"symbols", BigramsLabelling::kDefaultSymbols, "different symbols",
             between(4, kAlphabetSize)},
            {"triggers", BigramsLabelling::kDefaultTriggers, "symbols that are triggers",
             fmt::format("1 to symbols / 2, at most {}", BigramsLabelling::kMaxTriggers)},
            held_out_key()}},
          {"selective_copy",
           "repeat the symbols among the noise",
           "- 3 - - 1 - 4 - > 3 1 4",
           kWholeAnswers,
           "2.3e-10: 1 / symbols^items",
           "Gu & Dao 2023 (arXiv:2312.00752), section 3.1, where length is 4096",
           {{"length", SelectiveCopyExercise::kDefaultLength, "symbols and noise of a prompt",
             between(1, SelectiveCopyExercise::kMaxLength)},
            {"items", SelectiveCopyExercise::kDefaultItems, "symbols of a prompt", "1 to length"},
            {"symbols", SelectiveCopyExercise::kDefaultSymbols, "different symbols",
             between(2, kAlphabetSize)},
            held_out_key()}}};
}

std::vector<TaskInfo> language_infos() {
  return {{"coreference",
           "which earlier noun does the pronoun refer to?",
           "king saw film liked queen praised it > film",
           kWholeAnswers,
           "0.0625: 1 of 16 nouns; about 0.2 for one of those that were read",
           "a grammar of our own, after \"it refers to the film\"",
           {{"nouns", CoreferenceExercise::kDefaultNouns, "nouns of a sentence",
             between(1, CoreferenceExercise::kMaxNouns)},
            {"distance", CoreferenceExercise::kDefaultDistance,
             "how many nouns back the answer stands; 0: any", "0 to nouns"},
            held_out_key()}},
          {"translation",
           "translate, with another order of words and agreement",
           "small queens heard old dog today > hod lisn pikan tam veko audnt",
           kWholeAnswers,
           "8.1e-05 to the power of clauses, the most likely sentence",
           "a grammar of our own, in the spirit of Allen 1987",
           {{"clauses", TranslationExercise::kDefaultClauses,
             "clauses of a sentence, joined by and", between(1, TranslationExercise::kMaxClauses)},
            held_out_key()}},
          {"names",
           "predict the next letter of items, one a line of a file",
           "\\n e m m a -> e m m a \\n",
           kLoss,
           "the logarithm of the number of symbols: 3.30 for 26 letters and a line break",
           "karpathy/makemore, with its 1000 test items",
           {{"path", {}, "the file"}, held_out_key()}},
          {"text",
           "predict the next character of a UTF-8 file",
           "to be or not t -> o be or not to",
           kLoss,
           "the logarithm of the number of symbols",
           "karpathy/char-rnn and nanoGPT",
           {{"path", {}, "the file"},
            {"length", TextTask::kDefaultLength, "characters of context",
             between(1, TextTask::kMaxLength)},
            {"validation", TextTask::kDefaultValidation,
             "part of the file, at its end, that is held out", kPart}}}};
}

std::vector<TaskInfo> other_infos() {
  return {{"regression",
           "in-context linear regression: real numbers instead of tokens",
           "x1, y1, x2, y2, x3 -> y3, where y = w . x with a w for each row",
           "squared error, mean over all values",
           "5, the answer 0: dimensions + noise^2",
           "Garg et al. 2022 (arXiv:2208.01066)",
           {{"dimensions", RegressionTask::kDefaultDimensions, "numbers of an x",
             between(1, RegressionTask::kMaxDimensions)},
            {"points", RegressionTask::kDefaultPoints, "pairs of x and y in a row",
             between(1, RegressionTask::kMaxPoints)},
            {"noise", RegressionTask::kDefaultNoise, "standard deviation of what is added to y",
             fmt::format("0 to {}", RegressionTask::kMaxNoise)},
            {"curriculum", RegressionTask::kDefaultCurriculum,
             "training steps until one more dimension and two more points are asked; 0: all are",
             between(0, RegressionTask::kMaxCurriculum)},
            held_out_key()}},
          {"dataset",
           "rows of an HDF5 file (docs/file_formats.md)",
           "train/inputs, train/targets, held_out/inputs, held_out/targets",
           kWholeAnswers,
           "as the file is",
           "your own",
           {{"path", {}, "the file"}}}};
}

}  // namespace

std::vector<TaskInfo> task_infos() {
  std::vector<TaskInfo> all;
  for (const auto& infos : {sequence_infos(), arithmetic_infos(), bit_infos(), recall_infos(),
                            copying_infos(), language_infos(), other_infos()}) {
    all.insert(all.end(), infos.begin(), infos.end());
  }
  return all;
}

}  // namespace tapehead
