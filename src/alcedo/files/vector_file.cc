#include "alcedo/files/vector_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <system_error>

#include "alcedo/base/utf8.h"
#include "alcedo/base/version.h"
#include "alcedo/config/field_json.h"
#include "alcedo/io/array_writer.h"

namespace alcedo {
namespace {
namespace fs = std::filesystem;

[[noreturn]] void ThrowSystem(const std::string& path, std::string_view what) {
  throw IoError(path, fmt::format("cannot {} a temporary file beside it: {}", what,
                                  std::generic_category().message(errno)));
}

std::string NamesFile(const std::string& output) { return output + ".names.txt"; }
std::string HeaderFile(const std::string& output) { return output + ".json"; }

Json Names(const VectorsHeader& header) {
  Json names = Json::array();
  for (const std::string& name : header.names) names.push_back(internal::EscapeText(name));
  return names;
}

std::string NameLines(const VectorsHeader& header) {
  std::string lines;
  for (const std::string& name : header.names) lines += internal::EscapeText(name) + "\n";
  return lines;
}

Json Failures(const VectorsHeader& header) {
  Json failures = Json::array();
  for (const auto& [name, reason] : header.failures) {
    failures.push_back(
        {{"name", internal::EscapeText(name)}, {"reason", internal::EscapeText(reason)}});
  }
  return failures;
}

std::string HeaderText(const VectorsHeader& header) {
  const Json json{{"alcedo", Version()},
                  {"config", Json::parse(header.config)},
                  {"vocabulary_checksum", header.vocabulary_checksum},
                  {"images", header.names.size()},
                  {"failures", Failures(header)}};
  return Dump(json, 2) + "\n";
}

std::string ArrayHeader(VectorForm form, const VectorsHeader& header) {
  std::vector<Index> shape = header.shape;
  if (header.several) shape.insert(shape.begin(), static_cast<Index>(header.names.size()));
  const ElementType type =
      header.type == ValueType::kFloat32 ? ElementType::kFloat32 : ElementType::kFloat64;
  if (form == VectorForm::kNpy) return NpyHeaderBytes(shape, type);
  return SafetensorsHeaderBytes({"pooled", shape, type},
                                {{"alcedo_version", Version()},
                                 {"config", header.config},
                                 {"vocabulary_checksum", header.vocabulary_checksum},
                                 {"names", Dump(Names(header))},
                                 {"failures", Dump(Failures(header))},
                                 {"seed", std::to_string(header.seed)}});
}

}  // namespace

Spill::Spill(const std::string& beside) : path_(beside) {
  const fs::path folder = fs::path(beside).parent_path();
  std::string name = (folder / ".alcedo-rows-XXXXXX").string();
  descriptor_ = mkostemp(name.data(), O_CLOEXEC);
  if (descriptor_ < 0) ThrowSystem(path_, "make");
  unlink(name.c_str());
}

Spill::~Spill() { close(descriptor_); }

void Spill::Append(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = pwrite(descriptor_, bytes.data(), bytes.size(), size_);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) ThrowSystem(path_, "write to");
    bytes.remove_prefix(static_cast<std::size_t>(n));
    size_ += n;
  }
}

void Spill::CopyTo(AtomicFile& file) const {
  std::string chunk(1 << 20, '\0');
  for (std::int64_t at = 0; at < size_;) {
    const ssize_t n = pread(descriptor_, chunk.data(), chunk.size(), at);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) ThrowSystem(path_, "read");
    file.Write(std::string_view(chunk).substr(0, static_cast<std::size_t>(n)));
    at += n;
  }
}

std::vector<std::string> VectorFiles(const std::string& output, VectorForm form, bool several) {
  std::vector<std::string> files{output};
  if (form != VectorForm::kNpy) return files;
  files.push_back(HeaderFile(output));
  if (several) files.push_back(NamesFile(output));
  return files;
}

void WriteVectors(const std::string& output, VectorForm form, const VectorsHeader& header,
                  const Spill& values) {
  AtomicFile array(output);
  array.Write(ArrayHeader(form, header));
  values.CopyTo(array);
  if (form == VectorForm::kNpy) {
    WriteWholeFile(HeaderFile(output), HeaderText(header));
    if (header.several) WriteWholeFile(NamesFile(output), NameLines(header));
  }
  array.Commit();
}

}  // namespace alcedo
