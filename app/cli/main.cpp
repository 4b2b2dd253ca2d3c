#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <new>
#include <system_error>

#include <fmt/format.h>

#include "app/cli/command.h"
#include "app/cli/usage.h"
#include "base/error.h"

namespace tapehead::cli {
namespace {

int fail(int exit_code, std::string_view what) {
  fmt::print(stderr, "tapehead: {}\n", what);
  return exit_code;
}

int fail_for_memory() {
  return fail(kFailure,
              "out of memory: the system gives no more; ask for less, for example by a smaller "
              "model.d_model, model.layers, train.batch or task.length");
}

// What is still in the buffer can fail to be written, and then the caller must not believe it was.
int finish_output(int exit_code) {
  errno = 0;
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return exit_code;
  const std::string why = errno != 0 ? fmt::format(": {}", std::strerror(errno)) : "";
  return fail(exit_code == kSuccess ? kFailure : exit_code,
              fmt::format("standard output could not be written{}", why));
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
  add_walkthrough(app, outcome);
  add_study(app, outcome);
  add_report(app, outcome);
  try {
    app.parse(argc, argv);  // runs the command
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) return app.exit(e);  // --help, --version
    return fail(kUsage, usage_problem(app, e));
  } catch (const ValueError& e) {
    return fail(kUsage, e.what());
  } catch (const ShapeError& e) {
    return fail(kUsage, e.what());
  } catch (const std::bad_alloc&) {
    return fail_for_memory();
  } catch (const std::length_error&) {  // more than a container could ever hold
    return fail_for_memory();
  } catch (const std::system_error& e) {
    if (std::ferror(stdout) != 0) return kFailure;  // finish_output() says so
    return fail(kFailure, e.what());
  } catch (const std::exception& e) {
    return fail(kFailure, e.what());
  }
  return outcome.exit_code;
}

}  // namespace
}  // namespace tapehead::cli

int main(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // a file beyond the limit: the write fails, and says why
  return tapehead::cli::finish_output(tapehead::cli::run(argc, argv));
}
