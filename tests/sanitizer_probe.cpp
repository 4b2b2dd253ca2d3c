#include <cstdio>
#include <limits>
#include <string_view>
#include <vector>

// Does what the argument says, to show that a sanitizer build reports errors and only errors.
namespace {

long parallel_sum(const std::vector<long>& numbers) {
  const long n = static_cast<long>(numbers.size());
  long sum = 0;
#pragma omp parallel for num_threads(4) reduction(+ : sum)
  for (long i = 0; i < n; ++i) sum += numbers[static_cast<std::size_t>(i)];
  return sum;
}

long racy_sum(const std::vector<long>& numbers) {
  const long n = static_cast<long>(numbers.size());
  long sum = 0;
#pragma omp parallel for num_threads(4)
  for (long i = 0; i < n; ++i) sum += numbers[static_cast<std::size_t>(i)];
  return sum;
}

int overflow(int n) { return n + std::numeric_limits<int>::max(); }

int read_past_end(std::size_t n) {
  const std::vector<int> numbers(n);
  return numbers.data()[n];
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view what = argc > 1 ? argv[1] : "";
  const std::vector<long> numbers(1000, 1);
  if (what == "no_race") return parallel_sum(numbers) == 1000 ? 0 : 1;
  if (what == "race") std::printf("%ld\n", racy_sum(numbers));
  if (what == "overflow") std::printf("%d\n", overflow(argc));
  if (what == "read_past_end") std::printf("%d\n", read_past_end(numbers.size()));
  std::puts("nothing was reported");
}
