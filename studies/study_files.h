#pragma once

#include <filesystem>
#include <string>

#include "studies/study.h"

namespace tapehead {

// What a study leaves in its folder: study.json, which reports read and `--json` prints, and
// study.h5 with the numbers of the tables.

/// One JSON object, on one line: study, question, settings, quick, seeds, findings, limits, "rows"
/// (the first table: an object a row, an Estimate as {"mean", "se", "q10", "median", "q90"}),
/// tables, charts, maps. NaN is null.
std::string to_json(const StudyResult& result);
/// The reverse. Throws IoError naming `source` if the text is not what to_json() writes.
StudyResult study_from_json(const std::string& json, const std::string& source);

/// Writes study.json and study.h5 (each whole or not at all) into the folder, which is made.
///
///   study.h5  /               attributes format "tapehead study", version 1, and study, question,
///                             settings, quick, seeds, findings, limits
///             /TABLE          a group with the attribute title
///             /TABLE/COLUMN   one number or text a row; of a column with Estimates, a group with
///                             mean and se, and q10, median and q90 where there are quantiles
void write_study(const std::filesystem::path& folder, const StudyResult& result);
/// Reads FOLDER/study.json. Throws IoError if it is missing or damaged.
StudyResult read_study(const std::filesystem::path& folder);

}  // namespace tapehead
