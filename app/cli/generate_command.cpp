#include <algorithm>
#include <cstdio>
#include <functional>
#include <memory>

#include <fmt/format.h>

#include "app/cli/command.h"
#include "base/error.h"
#include "train/batch_loss.h"
#include "train/beam_search.h"
#include "train/config/build_task.h"
#include "train/evaluate.h"
#include "train/generate.h"
#include "train/run_data.h"
#include "train/run_folder.h"

namespace tapehead::cli {

namespace {

struct CommandOptions {
  std::string run, prompt;
  GenerateOptions generate;
  Index beams = 0;  // 0: tokens are sampled
  bool has_temperature = false, has_prompt = false, has_tokens = false;
  int threads = 1;
  bool json = false;
};

// Somewhat below 1, where a text model makes fewer slips and still varies.
constexpr double kTextTemperature = 0.8;

struct Answer {
  std::string prompt, text;
};

// The tokens that follow, sampled or by beam search.
std::vector<TokenId> continued(const LoadedRun& run, const std::vector<TokenId>& prompt,
                               const CommandOptions& options,
                               const std::function<void(TokenId)>& on_token = {}) {
  const SequenceModel<float>& net = *run.model->net;
  if (options.beams == 0) {
    return generate(net, prompt, run.context, options.generate, options.threads, on_token);
  }
  const auto tokens =
      beam_search(net, prompt, run.context, options.generate, options.beams, options.threads);
  if (on_token) std::ranges::for_each(tokens, on_token);
  return tokens;
}

// A text goes on where the prompt ends; shown as it is made.
Answer continue_text(const LoadedRun& run, CommandOptions options) {
  const Vocabulary vocabulary = run_vocabulary(run);
  if (!options.has_prompt) options.prompt = "\n";  // a new line, as if the text began
  if (!options.has_temperature) options.generate.temperature = kTextTemperature;
  const std::vector<TokenId> prompt = vocabulary.encode(options.prompt);
  if (!options.json) fmt::print("{}", options.prompt);
  const auto show = [&](TokenId token) {
    if (options.json) return;
    fmt::print("{}", vocabulary.decode(token));
    std::fflush(stdout);
  };
  const auto tokens = continued(run, prompt, options, show);
  if (!options.json) fmt::print("\n");
  return {options.prompt, vocabulary.decode(tokens)};
}

// The answer of a model that writes token by token.
std::vector<TokenId> write_answer(const LoadedRun& run, const Task& task,
                                  std::vector<TokenId> prompt, CommandOptions options) {
  if (task.layout() == Layout::kSourceTarget) {
    options.generate.source = std::move(prompt);
    prompt = {task.start_token().value()};
  }
  options.generate.stop_at = task.end_token();
  options.generate.tokens =
      std::min(options.generate.tokens, run.context - static_cast<Index>(prompt.size()) + 1);
  return continued(run, prompt, options);
}

// The answer of an encoder, all at once; the blanks are taken out of the prompt.
std::vector<TokenId> fill_blanks(const LoadedRun& run, const Task& task,
                                 std::vector<TokenId>& prompt, Index beams) {
  if (beams > 0) {
    throw ValueError(
        "generate: --beam, but an encoder fills in all blanks at once and has no beginnings to "
        "choose from; leave --beam out, or train a model of kind \"decoder\"");
  }
  Batch blanks;
  task.held_out_batch(0, 1, blanks);  // its targets say where the answers stand
  if (static_cast<Index>(prompt.size()) != blanks.length) {
    throw ValueError(
        fmt::format("generate: the prompt has {} symbols; this model answers rows of {}",
                    prompt.size(), blanks.length));
  }
  blanks.inputs = prompt;
  Tape<float> tape(Tape<float>::Mode::kInference);
  prompt.clear();
  for (std::size_t i = 0; i < blanks.inputs.size(); ++i) {
    if (blanks.targets[i] == kIgnoreTarget) prompt.push_back(blanks.inputs[i]);
  }
  return most_likely(predict_counted(tape, *run.model->net, blanks, 0, 1).value());
}

// Each needs a decoding state of its own, and more find nothing better.
constexpr Index kMostBeams = 1000;

// The labels of a prompt's symbols.
std::vector<TokenId> label_prompt(const LoadedRun& run, const std::vector<TokenId>& prompt,
                                  Index beams) {
  if (beams > 0) {
    throw ValueError(
        "generate: --beam, but this task labels the symbols of the prompt and writes nothing that "
        "could be searched for; leave --beam out");
  }
  Tape<float> tape(Tape<float>::Mode::kInference);
  const TokenTensor tokens({1, static_cast<Index>(prompt.size())}, prompt);
  return most_likely(run.model->net->forward(tape, tokens).value());
}

// Where the prompt says how long the answer is.
void refuse_tokens(const Task& task, const CommandOptions& options) {
  if (!options.has_tokens) return;
  if (!task.labels_prompts() && task.layout() != Layout::kParallel) return;
  throw ValueError(
      "generate: --tokens, but this model answers all of the prompt's places at once; leave "
      "--tokens out");
}

// A task's question is answered: by labelling it, by generating, or, for an encoder, by filling in
// the blanks.
Answer answer_question(const LoadedRun& run, CommandOptions options) {
  const std::unique_ptr<Task> task = build_task(run.config);
  check_data(run.config, data_digest(run.config), run.info);  // a data set's symbols are in it
  if (task->feature_width() > 0) {
    throw ValueError(
        "generate: this model reads real numbers, which no prompt can hold; see 'tapehead eval'");
  }
  if (!options.has_prompt) throw ValueError("generate: what shall be answered? Give a --prompt");
  if (!options.has_temperature) options.generate.temperature = 0;
  std::vector<TokenId> prompt = task->encode_prompt(options.prompt);
  refuse_tokens(*task, options);
  std::vector<TokenId> answer;
  if (task->labels_prompts()) {
    answer = label_prompt(run, prompt, options.beams);
  } else if (task->layout() == Layout::kParallel) {
    answer = fill_blanks(run, *task, prompt, options.beams);
  } else {
    answer = write_answer(run, *task, prompt, options);
  }
  const bool source = task->layout() == Layout::kSourceTarget;
  const Vocabulary& asked_in = source ? task->source_symbols() : task->symbols();
  const Answer result{asked_in.decode(prompt), task->decode(answer)};
  // Labels, and what is written of a source, are no continuation of the prompt.
  const bool goes_on = !source && !task->labels_prompts();
  if (!options.json) fmt::print("{}{}{}\n", result.prompt, goes_on ? " " : "\n", result.text);
  return result;
}

void run_generate(const CommandOptions& options) {
  const LoadedRun run = load_run(options.run);
  const bool text = !run.info.vocabulary.empty();
  const Answer answer = text ? continue_text(run, options) : answer_question(run, options);
  if (options.json) print_json({{"prompt", answer.prompt}, {"text", answer.text}});
}

}  // namespace

void add_generate(CLI::App& app, Outcome&) {
  auto options = std::make_shared<CommandOptions>();
  CLI::App* command =
      app.add_subcommand("generate", "let a trained model continue a text or answer a question");
  command->add_option("RUN", options->run, "the run's folder")->required();
  auto* prompt = command->add_option("--prompt", options->prompt, "what to continue or to answer");
  auto* tokens =
      command->add_option("--tokens", options->generate.tokens, "how many tokens at most")
          ->transform(whole_number(1))
          ->capture_default_str();
  auto* temperature =
      command
          ->add_option("--temperature", options->generate.temperature,
                       "0: the most likely token; default 0.8 for texts, 0 for tasks")
          ->transform(real_number(0));
  auto* top_k = command
                    ->add_option("--top-k", options->generate.top_k,
                                 "choose among the k most likely tokens; 0: among all")
                    ->transform(whole_number(0));
  command
      ->add_option("--beam", options->beams,
                   "search for a likely sequence among so many beginnings, in place of sampling")
      ->transform(whole_number(1, kMostBeams))
      ->excludes(temperature)
      ->excludes(top_k);
  command->add_option("--seed", options->generate.seed, "of the random choices")
      ->transform(whole_number(0))
      ->capture_default_str();
  add_threads_option(*command, options->threads);
  command->add_flag("--json", options->json, "print one JSON object");
  command->callback([options, temperature, prompt, tokens] {
    options->has_temperature = temperature->count() > 0;
    options->has_prompt = prompt->count() > 0;
    options->has_tokens = tokens->count() > 0;
    run_generate(*options);
  });
}

}  // namespace tapehead::cli
