#include "data/task_options.h"

namespace tapehead {
namespace {

constexpr TaskField kTaskFields[] = {
    {"path", &TaskOptions::path},
    {"length", &TaskOptions::length},
    {"min_length", &TaskOptions::min_length},
    {"symbols", &TaskOptions::symbols},
    {"digits", &TaskOptions::digits},
    {"reversed", &TaskOptions::reversed},
    {"carries", &TaskOptions::carries},
    {"running", &TaskOptions::running},
    {"depth", &TaskOptions::depth},
    {"pairs", &TaskOptions::pairs},
    {"keys", &TaskOptions::keys},
    {"values", &TaskOptions::values},
    {"power", &TaskOptions::power},
    {"random_fill", &TaskOptions::random_fill},
    {"triggers", &TaskOptions::triggers},
    {"items", &TaskOptions::items},
    {"distance", &TaskOptions::distance},
    {"nouns", &TaskOptions::nouns},
    {"clauses", &TaskOptions::clauses},
    {"modulus", &TaskOptions::modulus},
    {"train_fraction", &TaskOptions::train_fraction},
    {"dimensions", &TaskOptions::dimensions},
    {"points", &TaskOptions::points},
    {"noise", &TaskOptions::noise},
    {"curriculum", &TaskOptions::curriculum},
    {"held_out", &TaskOptions::held_out},
    {"validation", &TaskOptions::validation},
};

}  // namespace

bool TaskField::is_set(const TaskOptions& options) const {
  return std::visit([&](auto pointer) { return (options.*pointer).has_value(); }, member);
}

std::span<const TaskField> task_fields() { return kTaskFields; }

}  // namespace tapehead
