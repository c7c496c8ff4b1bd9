#include "alcedo/io/csv.h"

namespace alcedo::internal {
namespace {

void AppendField(std::string& out, std::string_view field) {
  if (field.find_first_of(",\"\r\n") == std::string_view::npos) {
    out += field;
    return;
  }
  out += '"';
  for (const char c : field) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

}  // namespace

void AppendCsvRecord(std::string& out, std::span<const std::string_view> fields) {
  bool first = true;
  for (const std::string_view field : fields) {
    if (!first) out += ',';
    first = false;
    AppendField(out, field);
  }
  out += "\r\n";
}

void AppendCsvRecord(std::string& out, const std::vector<std::string>& fields) {
  AppendCsvRecord(out, std::vector<std::string_view>(fields.begin(), fields.end()));
}

}  // namespace alcedo::internal
