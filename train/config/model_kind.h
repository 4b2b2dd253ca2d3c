#pragma once

#include <string_view>

namespace tapehead {

/// True for the kinds that are recurrent networks.
bool is_recurrent(std::string_view kind);

}  // namespace tapehead
