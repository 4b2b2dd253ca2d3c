#include "train/beam_search.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/denormals.h"
#include "base/error.h"

namespace tapehead {

namespace {

// The beginning of a sequence.
struct Beam {
  std::vector<TokenId> tokens;  // without the prompt
  double log_probability = 0;
  std::unique_ptr<DecodingState<float>> state;  // has seen all but the last token
  std::vector<TokenId> unseen;
};

// One more token for a beam.
struct Extension {
  std::size_t beam;
  TokenId token;
  double log_probability;  // of the whole
};

// The log-probabilities of the token after a beam, which moves its state on.
std::vector<double> next_token(const SequenceModel<float>& net, Tape<float>& tape, Beam& beam) {
  const TokenTensor fresh({1, static_cast<Index>(beam.unseen.size())}, std::span(beam.unseen));
  const Var<float> hidden = net.hidden_cached(tape, {.tokens = fresh}, *beam.state);
  const Index width = hidden.dim(2);
  const Tensor<float> last = hidden.value().view((hidden.dim(1) - 1) * width, {1, width});
  const Var<float> logits = net.head(tape.leaf(last));
  const auto x = std::as_const(logits.value()).values();
  const auto largest = static_cast<double>(*std::ranges::max_element(x));
  double sum = 0;
  for (const float v : x) sum += std::exp(static_cast<double>(v) - largest);
  std::vector<double> result;
  for (const float v : x) {
    result.push_back(static_cast<double>(v) - largest - std::log(sum));
  }
  return result;
}

class BeamSearch {
 public:
  BeamSearch(const SequenceModel<float>& net, const GenerateOptions& options, Index beams,
             int threads)
      : net_(net),
        options_(options),
        beams_(static_cast<std::size_t>(beams)),
        tape_(Tape<float>::Mode::kInference) {
    tape_.context().threads = std::max(threads, 1);
  }

  std::vector<TokenId> run(const std::vector<TokenId>& prompt, Index context) {
    Beam first;
    first.state = start_decoding(net_, tape_, context, options_);
    first.unseen = prompt;
    live_.push_back(std::move(first));
    for (Index i = 0; i < options_.tokens && !live_.empty(); ++i) {
      grow(likeliest_extensions());
      // What is less likely than a whole sequence gets no likelier.
      if (ended_ && (live_.empty() || live_.front().log_probability <= ended_->log_probability)) {
        break;
      }
    }
    return ended_ ? ended_->tokens : live_.front().tokens;
  }

 private:
  // As many as there are beams; the likeliest first.
  std::vector<Extension> likeliest_extensions() {
    std::vector<Extension> all;
    for (std::size_t b = 0; b < live_.size(); ++b) {
      const std::vector<double> next = next_token(net_, tape_, live_[b]);
      for (std::size_t t = 0; t < next.size(); ++t) {
        all.push_back({b, static_cast<TokenId>(t), live_[b].log_probability + next[t]});
      }
    }
    std::ranges::stable_sort(all, std::greater<>(), &Extension::log_probability);
    all.resize(std::min(all.size(), beams_));
    return all;
  }

  void grow(const std::vector<Extension>& extensions) {
    std::vector<Beam> next;
    for (const Extension& e : extensions) {
      const Beam& from = live_[e.beam];
      if (options_.stop_at == e.token) {
        if (!ended_ || e.log_probability > ended_->log_probability) {
          ended_ = Beam{from.tokens, e.log_probability, nullptr, {}};
        }
        continue;
      }
      Beam longer{from.tokens, e.log_probability, from.state->clone(), {e.token}};
      longer.tokens.push_back(e.token);
      next.push_back(std::move(longer));
    }
    live_ = std::move(next);
  }

  const SequenceModel<float>& net_;
  const GenerateOptions& options_;
  std::size_t beams_;
  Tape<float> tape_;
  std::vector<Beam> live_;  // likeliest first
  std::optional<Beam> ended_;
};

}  // namespace

std::vector<TokenId> beam_search(const SequenceModel<float>& net,
                                 const std::vector<TokenId>& prompt, Index context,
                                 const GenerateOptions& options, Index beams, int threads) {
  check_generates(net, prompt);
  if (beams < 1) throw ValueError(fmt::format("generate: {} beams; at least 1 is needed", beams));
  const FlushDenormals flush;
  Tape<float> tape(Tape<float>::Mode::kInference);
  const Index room = start_decoding(net, tape, context, options)->capacity();
  const Index longest = static_cast<Index>(prompt.size()) + options.tokens - 1;
  if (longest > room) {
    throw ValueError(
        fmt::format("generate: a prompt of {} tokens and {} more do not fit the model's context of "
                    "{}, which beam search does not go beyond; ask for fewer --tokens, or do "
                    "without --beam",
                    prompt.size(), options.tokens, room));
  }
  return BeamSearch(net, options, beams, threads).run(prompt, context);
}

}  // namespace tapehead
