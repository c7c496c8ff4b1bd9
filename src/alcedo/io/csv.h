// Comma-separated values as RFC 4180 has them: lines end in CR LF, a field that needs it is quoted.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace alcedo::internal {

void AppendCsvRecord(std::string& out, std::span<const std::string_view> fields);
void AppendCsvRecord(std::string& out, const std::vector<std::string>& fields);

}  // namespace alcedo::internal
