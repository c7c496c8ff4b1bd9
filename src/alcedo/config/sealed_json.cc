#include "alcedo/config/sealed_json.h"

#include "alcedo/base/error.h"
#include "alcedo/io/checksummed_file.h"
#include "alcedo/io/json_text.h"

namespace alcedo {
namespace {

constexpr const char* kChecksumField = "checksum";

}  // namespace

std::string SealedJsonText(Json json) {
  json[kChecksumField] = ContentHash(Dump(json));
  return Dump(json, 1) + "\n";
}

Json ParseSealedJson(const std::string& text, const std::string& file) {
  Json json = ParseJsonIfItIs(text);
  if (!json.is_object() || !json.contains(kChecksumField)) {
    throw FormatError(file, "is damaged, or was written by another version of the program");
  }
  const Json checksum = json[kChecksumField];
  json.erase(kChecksumField);
  if (checksum != ContentHash(Dump(json))) {
    throw FormatError(file, "is damaged: its checksum is wrong");
  }
  return json;
}

}  // namespace alcedo
