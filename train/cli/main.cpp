#include <cstdio>

#include <fmt/format.h>

#include "autograd/error.h"
#include "train/cli/command.h"

namespace tapehead::cli {
namespace {

int fail(int exit_code, const std::exception& e) {
  fmt::print(stderr, "tapehead: {}\n", e.what());
  return exit_code;
}

int run(int argc, char** argv) {
  CLI::App app("Train small attention models from scratch on a CPU.", "tapehead");
  app.set_version_flag("--version", TAPEHEAD_VERSION);
  app.require_subcommand(1);
  app.get_formatter()->column_width(34);
  Outcome outcome;
  add_train(app, outcome);
  add_eval(app, outcome);
  add_generate(app, outcome);
  add_gradcheck(app, outcome);
  add_tasks(app, outcome);
  add_info(app, outcome);
  add_bench(app, outcome);
  try {
    app.parse(argc, argv);  // runs the command
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? kSuccess : kUsage;
  } catch (const ValueError& e) {
    return fail(kUsage, e);
  } catch (const ShapeError& e) {
    return fail(kUsage, e);
  } catch (const std::exception& e) {
    return fail(kFailure, e);
  }
  return outcome.exit_code;
}

}  // namespace
}  // namespace tapehead::cli

int main(int argc, char** argv) { return tapehead::cli::run(argc, argv); }
