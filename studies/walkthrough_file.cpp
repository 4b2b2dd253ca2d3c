#include "studies/walkthrough_file.h"

#include <charconv>
#include <fstream>
#include <map>
#include <string_view>

#include <fmt/format.h>

#include "base/error.h"
#include "data/hdf5_file.h"
#include "data/text_file.h"

namespace tapehead {

namespace {

constexpr const char* kMatrixNames[] = {"X", "W_Q", "W_K", "W_V"};

using Matrices = std::map<std::string, Tensor<double>, std::less<>>;

bool is_matrix_name(std::string_view text) {
  for (const char* name : kMatrixNames) {
    if (text == name) return true;
  }
  return false;
}

Matrices read_hdf5(const std::filesystem::path& path) {
  const Hdf5File file = Hdf5File::open(path);
  Matrices matrices;
  for (const char* name : kMatrixNames) {
    const auto array = file.read<double>(name);
    if (array.shape.size() != 2) {
      throw IoError(fmt::format("{}: '{}' has {} dimensions; expected 2, rows and columns",
                                path.string(), name, array.shape.size()));
    }
    matrices[name] = Tensor<double>({array.shape[0], array.shape[1]}, array.values);
  }
  return matrices;
}

// Reads the text line by line.
class MatrixText {
 public:
  explicit MatrixText(std::string path) : path_(std::move(path)) {}

  void add_line(std::string_view line) {
    ++line_;
    if (line.find_first_not_of(kWhite) == std::string_view::npos) return;
    const std::string_view text = trimmed(line);
    if (is_matrix_name(text)) {
      finish_matrix();
      name_ = text;
      if (matrices_.contains(text)) fail(fmt::format("{} stands twice", text));
      return;
    }
    if (name_.empty()) {
      fail(fmt::format("'{}'; expected the name of a matrix first: X, W_Q, W_K or W_V", text));
    }
    add_row(text);
  }

  Matrices finish() {
    finish_matrix();
    for (const char* name : kMatrixNames) {
      if (!matrices_.contains(name)) {
        throw IoError(
            fmt::format("{}: there is no matrix {}; expected a line '{}' and its rows "
                        "after it",
                        path_, name, name));
      }
    }
    return std::move(matrices_);
  }

 private:
  static constexpr std::string_view kWhite = " \t\r";

  static std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(kWhite);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(kWhite) - first + 1);
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw IoError(fmt::format("{}:{}: {}", path_, line_, what));
  }

  void add_row(std::string_view text) {
    Index columns = 0;
    for (bool more = true; more; ++columns) {
      const std::size_t comma = text.find(',');
      more = comma != std::string_view::npos;
      values_.push_back(number(trimmed(text.substr(0, comma))));
      if (more) text.remove_prefix(comma + 1);
    }
    if (rows_ > 0 && columns != columns_) {
      fail(fmt::format("a row of {} numbers in {}, whose first row has {}; they must be equal",
                       columns, name_, columns_));
    }
    columns_ = columns;
    ++rows_;
  }

  double number(std::string_view text) const {
    double value = 0;
    const char* end = text.data() + text.size();
    const auto [stopped, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc() || stopped != end) {
      fail(fmt::format("'{}' is no number; expected numbers such as -0.25, separated by commas",
                       text));
    }
    return value;
  }

  void finish_matrix() {
    if (name_.empty()) return;
    if (rows_ == 0) fail(fmt::format("{} has no rows", name_));
    matrices_[name_] = Tensor<double>({rows_, columns_}, values_);
    values_.clear();
    rows_ = 0;
  }

  std::string path_;
  Index line_ = 0;
  std::string name_;
  Index rows_ = 0, columns_ = 0;
  std::vector<double> values_;
  Matrices matrices_;
};

Matrices read_text(const std::filesystem::path& path) {
  const std::string text = read_text_file("walkthrough", path);
  MatrixText reader(path.string());
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    reader.add_line(line);
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
  }
  return reader.finish();
}

}  // namespace

WalkthroughInput read_walkthrough(const std::filesystem::path& path) {
  const auto extension = path.extension();
  const bool is_hdf5 = extension == ".h5" || extension == ".hdf5";
  if (!is_hdf5 && extension != ".csv") {
    throw IoError(fmt::format(
        "walkthrough: '{}' ends in '{}'; expected a file named *.h5, *.hdf5 (HDF5) or *.csv (text)",
        path.string(), extension.string()));
  }
  const Matrices m = is_hdf5 ? read_hdf5(path) : read_text(path);
  return {m.at("X"), m.at("W_Q"), m.at("W_K"), m.at("W_V")};
}

}  // namespace tapehead
