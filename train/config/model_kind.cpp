#include "train/config/model_kind.h"

namespace tapehead {

bool is_recurrent(std::string_view kind) {
  return kind == "rnn" || kind == "lstm" || kind == "gru";
}

}  // namespace tapehead
