#include "autograd/gradcheck.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>

#include "autograd/check.h"
#include "base/random.h"

namespace tapehead {

namespace {

// The step that balances truncation (h^2) against rounding (eps / h) is eps^(1/3) = 6.06e-6.
constexpr double kStep = 6e-6;
// Both errors of the difference are near 1e-10 for functions of order 1; the rest is head room for
// functions with large third derivatives.
constexpr double kTolerance = 1e-7;
constexpr double kSmallestTellingGradient = 1e-3;

using Tensors = std::vector<Tensor<double>>;

bool bits_equal(const Tensor<double>& a, const Tensor<double>& b) {
  return a.shape() == b.shape() &&
         std::equal(a.values().begin(), a.values().end(), b.values().begin(),
                    [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); });
}

template <typename Scalar>
std::vector<Var<Scalar>> put_on_tape(Tape<Scalar>& tape, const Tensors& inputs,
                                     std::size_t without_grad) {
  std::vector<Var<Scalar>> vars;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    Tensor<Scalar> value(inputs[i].shape());
    std::transform(inputs[i].values().begin(), inputs[i].values().end(), value.values().begin(),
                   [](double x) { return static_cast<Scalar>(x); });
    vars.push_back(tape.leaf(value, i != without_grad));
  }
  return vars;
}

double dot(const Tensor<double>& a, const Tensor<double>& b) {
  double sum = 0;
  for (Index i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

// One check of one case; each step returns what failed, or nothing.
class Checker {
 public:
  Checker(const GradCase& checked, std::uint64_t seed) : case_(checked), seed_(seed) {}

  GradReport run(Op op) {
    report_.case_name = case_.name;
    const std::function<std::string()> steps[] = {[&] { return check_forward(op); },
                                                  [&] { return check_unchanged(); },
                                                  [&] { return check_against_differences(); },
                                                  [&] { return check_linearity(); },
                                                  [&] { return check_without_grad(); },
                                                  [&] { return check_threads(); },
                                                  [&] { return check_float(); }};
    for (const auto& step : steps) {
      report_.message = step();
      report_.passed = report_.message.empty();
      if (!report_.passed) break;
    }
    return std::move(report_);
  }

 private:
  static constexpr std::size_t kAllRequireGrad = static_cast<std::size_t>(-1);

  struct Gradients {
    Tensors inputs;  // undefined where the input requires none
    Tensor<double> y;
  };

  std::string check_forward(Op op) {
    Tape<double> tape;
    const auto in = put_on_tape(tape, case_.inputs, kAllRequireGrad);
    const Var<double> y = case_.build(in);
    if (op != Op::custom && tape.count(op) == 0) {
      return fmt::format("the case records no '{}' on the tape, so it does not check it",
                         op_name(op));
    }
    for (Index i = 0; i < y.value().size(); ++i) {
      if (!std::isfinite(y.value()[i])) {
        return fmt::format("the result is {} at {}", y.value()[i], position_str(y.shape(), i));
      }
    }
    c1_ = randn(y.shape(), seed_ + 1);
    c2_ = randn(y.shape(), seed_ + 2);
    return {};
  }

  // <c1, y> + <c2, y'> at the case's inputs as they stand.
  double objective() const {
    Tape<double> tape(Tape<double>::Mode::kInference);
    const auto in = put_on_tape(tape, case_.inputs, kAllRequireGrad);
    return dot(c1_, case_.build(in).value()) + dot(c2_, case_.build(in).value());
  }

  // Gradients of scale * (<c1, y> + <c2, y'>); y' is delivered through the same tape.
  Gradients gradients(double scale, std::size_t without_grad, int threads) const {
    Tape<double> tape;
    tape.context().threads = threads;
    const auto in = put_on_tape(tape, case_.inputs, without_grad);
    const Var<double> y = case_.build(in);
    const Var<double> y2 = case_.build(in);
    Gradients result{{}, y.value().clone()};
    if (y.requires_grad()) tape.backward(weighted_sum(tape, y, y2, scale));
    for (std::size_t i = 0; i < in.size(); ++i) {
      result.inputs.push_back(in[i].requires_grad() && y.requires_grad() ? in[i].grad().clone()
                                                                         : Tensor<double>());
    }
    return result;
  }

  // The objective as a node of its own, so that the check leans on no op but the checked one.
  Var<double> weighted_sum(Tape<double>& tape, const Var<double>& y, const Var<double>& y2,
                           double scale) const {
    Tensor<double> d1 = c1_.clone();
    Tensor<double> d2 = c2_.clone();
    for (double& x : d1.values()) x *= scale;
    for (double& x : d2.values()) x *= scale;
    const double value = dot(d1, y.value()) + dot(d2, y2.value());
    return tape.record_custom(
        "objective", Tensor<double>::scalar(value), {y, y2},
        [y, y2, d1, d2](Tape<double>& t, const Tensor<double>&, const Tensor<double>&) {
          t.add_grad(y, d1);
          t.add_grad(y2, d2);
        });
  }

  std::string check_against_differences() {
    analytic_ = gradients(1.0, kAllRequireGrad, 0);
    double largest_numeric = 0;
    std::string failure;
    for (std::size_t i = 0; i < case_.inputs.size(); ++i) {
      // The inputs are perturbed in place and restored: storage is shared with the case.
      Tensor<double> x = case_.inputs[i];
      for (Index j = 0; j < x.size(); ++j) {
        const double numeric = central_difference(x, j);
        const double backward = analytic_.inputs[i].defined() ? analytic_.inputs[i][j] : 0.0;
        const double error = std::abs(backward - numeric) / std::max(1.0, std::abs(numeric));
        largest_numeric = std::max(largest_numeric, std::abs(numeric));
        if (!(error <= kTolerance) && failure.empty()) {
          failure = fmt::format("input {} at {}: backward {:.10g}, finite difference {:.10g}", i,
                                position_str(x.shape(), j), backward, numeric);
        }
        // A NaN error must not be lost in the maximum.
        report_.max_error = std::isnan(error) ? error : std::max(report_.max_error, error);
      }
    }
    if (!failure.empty()) return failure;
    const bool has_numbers = std::any_of(case_.inputs.begin(), case_.inputs.end(),
                                         [](const auto& t) { return t.size() > 0; });
    if (has_numbers && c1_.size() > 0 && !case_.expects_zero_gradient &&
        largest_numeric < kSmallestTellingGradient) {
      return fmt::format(
          "the numeric gradient is nowhere above {}, so the case shows nothing; "
          "mark it expecting_zero_gradient() if that is right",
          kSmallestTellingGradient);
    }
    return {};
  }

  double central_difference(Tensor<double>& x, Index j) const {
    const double at = x[j];
    const double h = kStep * std::max(1.0, std::abs(at));
    const double above = at + h;
    const double below = at - h;
    x[j] = above;
    const double f_above = objective();
    x[j] = below;
    const double f_below = objective();
    x[j] = at;
    return (f_above - f_below) / (above - below);
  }

  std::string check_linearity() const {
    // Doubling is exact in binary, so a linear backward gives exactly twice the bits.
    const Gradients doubled = gradients(2.0, kAllRequireGrad, 0);
    for (std::size_t i = 0; i < case_.inputs.size(); ++i) {
      if (!doubled.inputs[i].defined()) continue;
      for (Index j = 0; j < doubled.inputs[i].size(); ++j) {
        if (!(doubled.inputs[i][j] == 2.0 * analytic_.inputs[i][j])) {
          return fmt::format("not linear in dy: input {} at {}: {} for dy, {} for 2 dy", i,
                             position_str(doubled.inputs[i].shape(), j), analytic_.inputs[i][j],
                             doubled.inputs[i][j]);
        }
      }
    }
    return {};
  }

  std::string check_without_grad() const {
    for (std::size_t without = 0; without < case_.inputs.size(); ++without) {
      const Gradients partial = gradients(1.0, without, 0);
      for (std::size_t i = 0; i < case_.inputs.size(); ++i) {
        if (i == without || !partial.inputs[i].defined()) continue;
        if (!bits_equal(partial.inputs[i], analytic_.inputs[i])) {
          return fmt::format("the gradient of input {} changes when input {} requires none", i,
                             without);
        }
      }
    }
    return {};
  }

  std::string check_threads() const {
    const Gradients one = gradients(1.0, kAllRequireGrad, 1);
    const Gradients three = gradients(1.0, kAllRequireGrad, 3);
    if (!bits_equal(one.y, three.y)) return "the result depends on the number of threads";
    for (std::size_t i = 0; i < case_.inputs.size(); ++i) {
      if (one.inputs[i].defined() && !bits_equal(one.inputs[i], three.inputs[i])) {
        return fmt::format("the gradient of input {} depends on the number of threads", i);
      }
    }
    return {};
  }

  std::string check_float() const {
    Tape<float> tape(Tape<float>::Mode::kInference);
    const auto in = put_on_tape(tape, case_.inputs, kAllRequireGrad);
    const Var<float> y = case_.build_float(in);
    if (y.shape() != analytic_.y.shape()) return "the float result has another shape";
    for (Index i = 0; i < y.value().size(); ++i) {
      const double exact = analytic_.y[i];
      const double error =
          std::abs(static_cast<double>(y.value()[i]) - exact) / std::max(1.0, std::abs(exact));
      if (!(error <= case_.float_tolerance)) {
        return fmt::format("at {}: float {:.9g}, double {:.9g}, error {:.2g} > {:.2g}",
                           position_str(y.shape(), i), y.value()[i], exact, error,
                           case_.float_tolerance);
      }
    }
    return {};
  }

  // On the tape stand copies of the case's inputs: what an op writes to, it writes there.
  std::string check_unchanged() const {
    Tape<double> tape;
    const auto in = put_on_tape(tape, case_.inputs, kAllRequireGrad);
    const Var<double> y = case_.build(in);
    if (y.requires_grad()) tape.backward(y, c1_);
    for (std::size_t i = 0; i < in.size(); ++i) {
      for (Index j = 0; j < in[i].value().size(); ++j) {
        if (in[i].value()[j] != case_.inputs[i][j]) {
          return fmt::format("input {} was written to at {}", i, position_str(in[i].shape(), j));
        }
      }
    }
    return {};
  }

  const GradCase& case_;
  std::uint64_t seed_;
  Tensor<double> c1_, c2_;
  Gradients analytic_;
  GradReport report_;
};

}  // namespace

Tensor<double> randn(const Shape& shape, std::uint64_t seed, double scale) {
  Random random(seed);
  Tensor<double> x(shape);
  for (double& v : x.values()) v = scale * random.normal();
  return x;
}

Tensor<double> uniform(const Shape& shape, std::uint64_t seed, double low, double high) {
  Random random(seed);
  Tensor<double> x(shape);
  for (double& v : x.values()) v = random.uniform(low, high);
  return x;
}

Tensor<double> keep_away_from(double kink, double distance, Tensor<double> x) {
  for (double& v : x.values()) {
    if (std::abs(v - kink) < distance) v = v < kink ? kink - distance : kink + distance;
  }
  return x;
}

GradReport check_gradients(std::string subject, const GradCase& checked, Op op) {
  // Seeded by the case's name: adding a case leaves the others as they are.
  std::uint64_t seed = 14695981039346656037ULL;  // FNV-1a, with its two published constants
  for (const char c : subject + "/" + checked.name) {
    seed = (seed ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  }
  GradReport report = Checker(checked, seed).run(op);
  report.subject = std::move(subject);
  return report;
}

}  // namespace tapehead
