#include "alcedo/reproduce/work_folder.h"

#include <fmt/format.h>

#include "alcedo/base/error.h"
#include "alcedo/base/utf8.h"
#include "alcedo/base/version.h"
#include "alcedo/io/checksummed_file.h"
#include "alcedo/reproduce/recorded_options.h"
#include "alcedo/reproduce/work_files.h"

namespace alcedo::reproduce {
namespace {
namespace fs = std::filesystem;

// What an image is to the experiment, beside its contents.
std::string RoleOf(const DatasetImage& image) {
  std::string role = fmt::format("{} {}", image.label, Name(image.split));
  for (const std::int8_t target : image.targets) role += fmt::format(" {}", target);
  return role;
}

Json ImagesJson(const Dataset& dataset, const ImageHashes& hashes) {
  Json images = Json::array();
  for (std::size_t i = 0; i < dataset.images.size(); ++i) {
    const DatasetImage& image = dataset.images[i];
    images.push_back({internal::EscapeText(image.name), ContentHash(RoleOf(image)), hashes[i]});
  }
  return images;
}

[[noreturn]] void Refuse(const Run& run, const std::string& what) {
  throw InvalidArgument(
      fmt::format("{} {}; choose another folder or remove it", run.work.string(), what));
}

// Throws for the first image that is not what it was.
void RequireSameImages(const Run& run, const Json& old, const Json& mine) {
  if (old == mine) return;
  std::size_t replaced = 0;
  std::string first;
  const bool same_list = old.size() == mine.size();
  for (std::size_t i = 0; same_list && i < mine.size(); ++i) {
    if (old[i].at(0) != mine[i].at(0) || old[i].at(1) != mine[i].at(1)) {
      Refuse(run, fmt::format("holds the files of other images: now {} is number {} of them",
                              mine[i].at(0).get<std::string>(), i + 1));
    }
    if (old[i].at(2) == mine[i].at(2)) continue;
    if (replaced++ == 0) first = mine[i].at(0).get<std::string>();
  }
  if (!same_list) {
    Refuse(run, fmt::format("holds the files of {} images, and now there are {}", old.size(),
                            mine.size()));
  }
  Refuse(run, fmt::format("holds the files of other images: {} of {} have other contents now, "
                          "{} the first",
                          replaced, mine.size(), first));
}

void RequireSame(const Run& run, const Json& old, const Json& mine) {
  if (old.at("version") != mine.at("version")) {
    Refuse(run, fmt::format("holds the files of version {}, and this is version {}",
                            old.at("version").get<std::string>(),
                            mine.at("version").get<std::string>()));
  }
  if (old.at("revision") != mine.at("revision")) {
    Refuse(run, "holds the files of another state of this version, whose numbers may differ");
  }
  for (const auto& [name, value] : mine.at("config").items()) {
    const Json before = RecordedOption(old.at("config"), name);
    if (before == value) continue;
    Refuse(run, fmt::format("holds the files of other options: {} was {}, and now is {}", name,
                            before.dump(), value.dump()));
  }
  RequireSameImages(run, old.at("images"), mine.at("images"));
}

}  // namespace

void ClaimFolder(const Run& run, const Dataset& dataset, const ImageHashes& hashes,
                 const Json& config) {
  const Json mine{{"version", Version()},
                  {"revision", kNumbersRevision},
                  {"config", config},
                  {"images", ImagesJson(dataset, hashes)}};
  const fs::path file = run.work / "experiment.json";
  if (!fs::exists(file)) {
    WriteJson(run, file, mine);
    return;
  }
  const Hint hint{.text = fmt::format("choose another folder or remove {}", run.work.string())};
  try {
    RequireSame(run, ReadJson(file), mine);
  } catch (const FormatError& error) {
    throw FormatError(error.file(), error.reason(), hint);
  } catch (const Json::exception&) {
    throw FormatError(file.string(), "is of another version of the program", hint);
  }
}

}  // namespace alcedo::reproduce
