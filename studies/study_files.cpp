#include "studies/study_files.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <limits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "base/error.h"
#include "figures/number_text.h"
#include "train/run_file.h"

namespace tapehead {

namespace fs = std::filesystem;

namespace {

using Json = nlohmann::ordered_json;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

double number_from(const Json& json) { return json.is_null() ? kNaN : json.get<double>(); }

// --- tables ---

Json cell_to_json(const Cell& cell) {
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  if (const auto* number = std::get_if<double>(&cell)) return *number;
  const Estimate& e = std::get<Estimate>(cell);
  Json json = {{"mean", e.mean}, {"se", e.se}};
  if (e.quantiles) {
    json["q10"] = (*e.quantiles)[0];
    json["median"] = (*e.quantiles)[1];
    json["q90"] = (*e.quantiles)[2];
  }
  return json;
}

Cell cell_from_json(const Json& json) {
  if (json.is_string()) return json.get<std::string>();
  if (!json.is_object()) return number_from(json);
  Estimate e{number_from(json.at("mean")), number_from(json.at("se"))};
  if (json.contains("median")) {
    e.quantiles = {number_from(json.at("q10")), number_from(json.at("median")),
                   number_from(json.at("q90"))};
  }
  return e;
}

Json rows_to_json(const Table& table) {
  Json rows = Json::array();
  for (const auto& cells : table.rows) {
    Json row = Json::object();
    for (std::size_t i = 0; i < cells.size(); ++i) row[table.columns[i]] = cell_to_json(cells[i]);
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<std::vector<Cell>> rows_from_json(const Json& json, const Table& table) {
  std::vector<std::vector<Cell>> rows;
  for (const Json& row : json) {
    rows.emplace_back();
    for (const std::string& column : table.columns) {
      rows.back().push_back(cell_from_json(row.at(column)));
    }
  }
  return rows;
}

// --- charts and maps ---

Json chart_to_json(const Chart& chart) {
  Json series = Json::array();
  for (const ChartSeries& s : chart.series) {
    Json points = Json::array();
    for (const ChartPoint& p : s.points) points.push_back({p.x, p.y, p.low, p.high});
    series.push_back({{"name", s.name}, {"points", std::move(points)}});
  }
  return {{"name", chart.name},
          {"title", chart.title},
          {"x_label", chart.x_label},
          {"y_label", chart.y_label},
          {"log_x", chart.log_x},
          {"log_y", chart.log_y},
          {"categories", chart.categories},
          {"series", std::move(series)},
          {"note", chart.note}};
}

Chart chart_from_json(const Json& json) {
  Chart chart{json.at("name"),  json.at("title"), json.at("x_label"),   json.at("y_label"),
              json.at("log_x"), json.at("log_y"), json.at("categories")};
  for (const Json& s : json.at("series")) {
    ChartSeries series{s.at("name"), {}};
    for (const Json& p : s.at("points")) {
      series.points.push_back(
          {number_from(p.at(0)), number_from(p.at(1)), number_from(p.at(2)), number_from(p.at(3))});
    }
    chart.series.push_back(std::move(series));
  }
  chart.note = json.value("note", "");
  return chart;
}

Json maps_to_json(const AttentionMaps& maps) {
  return {{"name", maps.name},   {"title", maps.title},    {"queries", maps.queries},
          {"keys", maps.keys},   {"layers", maps.layers},  {"heads", maps.heads},
          {"steps", maps.steps}, {"weights", maps.weights}};
}

AttentionMaps maps_from_json(const Json& json) {
  AttentionMaps maps{json.at("name"),   json.at("title"), json.at("queries"), json.at("keys"),
                     json.at("layers"), json.at("heads"), json.at("steps"),   {}};
  for (const Json& step : json.at("weights")) {
    maps.weights.emplace_back();
    for (const Json& w : step) maps.weights.back().push_back(static_cast<float>(number_from(w)));
  }
  return maps;
}

// Whoever draws a map relies on this.
void check_sizes(const AttentionMaps& maps, const std::string& source) {
  const std::size_t wanted = maps.layers.size() * static_cast<std::size_t>(maps.heads) *
                             maps.queries.size() * maps.keys.size();
  const auto is_whole = [wanted](const auto& weights) { return weights.size() == wanted; };
  if (maps.weights.size() == maps.steps.size() && std::ranges::all_of(maps.weights, is_whole)) {
    return;
  }
  throw IoError(
      fmt::format("{}: the attention maps '{}' of {} steps need {} weights each, and there are "
                  "others; the file is damaged, make the study again",
                  source, maps.name, maps.steps.size(), wanted));
}

// --- HDF5 ---

void write_column(Hdf5File& file, const std::string& path, const std::vector<double>& numbers) {
  file.write<double>(path, numbers, {static_cast<Index>(numbers.size())});
}

template <typename T>
bool any_is(const Table& table, std::size_t column) {
  return std::ranges::any_of(
      table.rows, [column](const auto& row) { return std::holds_alternative<T>(row[column]); });
}

// A cell of a column that has Estimates: a number is one without an error, a text none.
Estimate as_estimate(const Cell& cell) {
  if (const auto* e = std::get_if<Estimate>(&cell)) return *e;
  const auto* number = std::get_if<double>(&cell);
  return {number == nullptr ? kNaN : *number};
}

// One member of each Estimate of a column; NaN where a row has none.
template <typename Member>
void write_member(Hdf5File& file, const Table& table, std::size_t column, const std::string& path,
                  const Member& member) {
  std::vector<double> numbers;
  for (const auto& row : table.rows) numbers.push_back(member(as_estimate(row[column])));
  write_column(file, path, numbers);
}

void write_estimates(Hdf5File& file, const Table& table, std::size_t column,
                     const std::string& path) {
  write_member(file, table, column, path + "/mean", [](const Estimate& e) { return e.mean; });
  write_member(file, table, column, path + "/se", [](const Estimate& e) { return e.se; });
  const bool has_quantiles = std::ranges::any_of(table.rows, [column](const auto& row) {
    return as_estimate(row[column]).quantiles.has_value();
  });
  if (!has_quantiles) return;
  constexpr const char* kNames[] = {"/q10", "/median", "/q90"};
  for (std::size_t q = 0; q < 3; ++q) {
    write_member(file, table, column, path + kNames[q],
                 [q](const Estimate& e) { return e.quantiles ? (*e.quantiles)[q] : kNaN; });
  }
}

void write_table(Hdf5File& file, const Table& table) {
  file.create_group(table.name);
  file.write_attribute(table.name, "title", table.title);
  if (table.rows.empty()) return;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const std::string path = table.name + "/" + table.columns[c];
    if (any_is<Estimate>(table, c)) {
      write_estimates(file, table, c, path);
    } else if (any_is<std::string>(table, c)) {
      std::vector<std::string> texts;
      for (const auto& row : table.rows) texts.push_back(cell_text(row[c]));
      file.write_strings(path, texts);
    } else {
      std::vector<double> numbers;
      for (const auto& row : table.rows) numbers.push_back(std::get<double>(row[c]));
      write_column(file, path, numbers);
    }
  }
}

fs::path study_json_path(const fs::path& folder) { return folder / "study.json"; }

}  // namespace

std::string to_json(const StudyResult& r) {
  Json tables = Json::array(), charts = Json::array(), maps = Json::array();
  for (std::size_t i = 0; i < r.tables.size(); ++i) {
    Json table = {
        {"name", r.tables[i].name}, {"title", r.tables[i].title}, {"columns", r.tables[i].columns}};
    if (i > 0) table["rows"] = rows_to_json(r.tables[i]);  // the first one's stand at the top
    tables.push_back(std::move(table));
  }
  for (const Chart& chart : r.charts) charts.push_back(chart_to_json(chart));
  for (const AttentionMaps& m : r.maps) maps.push_back(maps_to_json(m));
  const Json json = {{"study", r.study},
                     {"question", r.question},
                     {"settings", r.settings},
                     {"quick", r.quick},
                     {"seeds", r.seeds},
                     {"findings", r.findings},
                     {"limits", r.limits},
                     {"rows", r.tables.empty() ? Json::array() : rows_to_json(r.tables.front())},
                     {"tables", std::move(tables)},
                     {"charts", std::move(charts)},
                     {"maps", std::move(maps)}};
  // A folder's name may hold bytes that are no UTF-8.
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

namespace {

[[noreturn]] void throw_no_study(const std::string& source, const char* why) {
  throw IoError(fmt::format(
      "{}: damaged, cut off, or no study as tapehead writes it: {}; make the study again", source,
      why));
}

}  // namespace

StudyResult study_from_json(const std::string& text, const std::string& source) {
  try {
    const Json json = Json::parse(text);
    StudyResult r;
    r.study = json.at("study");
    r.question = json.at("question");
    r.settings = json.at("settings");
    r.quick = json.at("quick");
    r.seeds = json.at("seeds").get<std::vector<Index>>();
    r.findings = json.at("findings").get<std::vector<std::string>>();
    r.limits = json.at("limits");
    for (const Json& t : json.at("tables")) {
      Table table{t.at("name"), t.at("title"), t.at("columns"), {}};
      table.rows = rows_from_json(r.tables.empty() ? json.at("rows") : t.at("rows"), table);
      r.tables.push_back(std::move(table));
    }
    for (const Json& chart : json.at("charts")) r.charts.push_back(chart_from_json(chart));
    for (const Json& m : json.at("maps")) {
      r.maps.push_back(maps_from_json(m));
      check_sizes(r.maps.back(), source);
    }
    return r;
  } catch (const nlohmann::json::parse_error&) {
    throw_no_study(source, "it is no whole JSON text");
  } catch (const nlohmann::json::exception&) {
    throw_no_study(source, "parts that each study has are missing or of another kind");
  }
}

void write_study(const fs::path& folder, const StudyResult& result) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed) {
    throw IoError(fmt::format("{}: cannot make the folder: {}", folder.string(), failed.message()));
  }
  write_run_file(folder / "study.h5", "tapehead study", 1, [&result](Hdf5File& file) {
    file.write_attribute("/", "study", result.study);
    file.write_attribute("/", "question", result.question);
    file.write_attribute("/", "settings", result.settings);
    file.write_attribute("/", "quick", result.quick);
    file.write_attribute("/", "seeds", result.seeds);
    file.write_attribute("/", "findings", result.findings);
    file.write_attribute("/", "limits", result.limits);
    for (const Table& table : result.tables) write_table(file, table);
  });
  replace_file(study_json_path(folder), to_json(result) + "\n");
}

StudyResult read_study(const fs::path& folder) {
  const fs::path path = study_json_path(folder);
  std::ifstream file(path, std::ios::binary);
  if (!file)
    throw IoError(fmt::format("{}: cannot be read; is it a study's folder?", path.string()));
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  return study_from_json(text, path.string());
}

}  // namespace tapehead
