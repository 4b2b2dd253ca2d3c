#pragma once

#include <string>

#include "report/document.h"
#include "studies/study.h"

namespace tapehead {

/// The study's question, and whether its quick version answered it.
std::string question_text(const StudyResult& study);

/// Appends the sections about a study: findings and limits, charts and attention maps, tables, how
/// it was measured. `prefix` stands before their titles, where a page is about several things.
void add_study_sections(Document& document, const StudyResult& study, const std::string& prefix);

}  // namespace tapehead
