#include "app/cli/usage.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/nearest_word.h"

namespace tapehead::cli {

namespace {

std::string suggestion(const std::string& word, const std::vector<std::string>& words) {
  const std::string nearest = nearest_word(word, words);
  return nearest.empty() ? "" : fmt::format("; did you mean '{}'?", nearest);
}

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

// `word` is one that `command` has no use for.
std::string unexpected(const CLI::App& command, const std::string& word) {
  if (!word.starts_with('-')) return fmt::format("'{}' is one argument too many", word);
  const std::string name = word.substr(0, word.find('='));
  return fmt::format("unknown option '{}'{}", name, suggestion(name, option_names(command)));
}

// There is no command, or a wrong word in its place.
std::string no_command(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(command->get_name());
  }
  const std::string list = fmt::format("the commands are: {}", fmt::join(names, ", "));
  const std::vector<std::string> words = app.remaining();
  if (words.empty()) return "a command is missing; " + list;
  const std::string& word = words.front();
  if (word.starts_with('-')) return fmt::format("{}; {}", unexpected(app, word), list);
  return fmt::format("there is no command '{}'; {}{}", word, list, suggestion(word, names));
}

}  // namespace

std::string usage_problem(const CLI::App& app, const CLI::ParseError& error) {
  const auto used = app.get_subcommands();
  std::string problem;
  std::string help = "tapehead --help";
  if (used.empty() || app.remaining_size() > 0) {
    problem = no_command(app);
  } else {
    const CLI::App& command = *used.front();
    const std::vector<std::string> words = command.remaining();
    help = fmt::format("tapehead {} --help", command.get_name());
    problem = fmt::format("{}: {}", command.get_name(),
                          words.empty() ? error.what() : unexpected(command, words.front()));
  }
  std::ranges::replace(problem, '\n', ' ');
  return fmt::format("{}\n  see: {}", problem, help);
}

}  // namespace tapehead::cli
