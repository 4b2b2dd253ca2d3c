#include <cstdio>

#include "autograd/ops/softmax.h"
#include "autograd/tape.h"
#include "optim/adam.h"

// Prints the gradient of the first of two softmax outputs: p (1 - p) and -p (1 - p) with p = 1/2.
int main() {
  tapehead::Tape<double> tape;
  auto x = tape.leaf(tapehead::Tensor<double>({2}, {3.0, 3.0}), true);
  tape.backward(tapehead::softmax(x), tapehead::Tensor<double>({2}, {1.0, 0.0}));
  std::printf("%g %g\n", x.grad()[0], x.grad()[1]);
}
