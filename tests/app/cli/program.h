#pragma once

#include <sys/wait.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "tests/support/temp_dir.h"

namespace tapehead::testing {

/// How a program ended, and what it wrote.
struct Ended {
  int status = 0;  ///< of the shell: 128 + n after signal n
  std::string out, err;
};

/// The program in a folder of its own, run through a shell as a user runs it.
class Program {
 public:
  /// `arguments` as typed; `before` and `after` go around the command: "ulimit -f 1;", "| head -1".
  Ended run(const std::string& arguments, const std::string& before = "",
            const std::string& after = "> stdout") const {
    const std::string command = "cd '" + folder.path().string() + "' && (" + before + " '" +
                                TAPEHEAD_PROGRAM "' " + arguments + " " + after + ") 2> stderr";
    const int status = std::system(command.c_str());
    return {WEXITSTATUS(status), text_of("stdout"), text_of("stderr")};
  }

  /// A run of copy in the folder `name`, hardly trained.
  Ended train(const std::string& name, const std::string& more = "") const {
    return run(
        "train copy --steps 2 --threads 1 --set task.length=4 --set model.d_model=8 --set "
        "optimizer.warmup=0 --out " +
        name + " " + more);
  }

  TempDir folder;

 private:
  std::string text_of(const char* name) const {
    std::ifstream file(folder / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
};

}  // namespace tapehead::testing
