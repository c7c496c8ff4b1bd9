#include "alcedo/learn/learn_work_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <system_error>

#include "alcedo/base/error.h"
#include "alcedo/config/field_json.h"
#include "alcedo/config/sealed_json.h"
#include "alcedo/io/atomic_file.h"
#include "alcedo/io/checksummed_file.h"
#include "alcedo/io/file_bytes.h"
#include "alcedo/io/json_text.h"

namespace alcedo {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kProgressFormat = "alcedo-learn-progress";
constexpr int kProgressFormatVersion = 2;
constexpr std::string_view kJournal = "progress.json";
constexpr std::int64_t kMaxJournalBytes = std::int64_t{1} << 24;

// The journal first: a folder that was half removed is never taken for one to resume.
constexpr std::array<std::string_view, 6> kFiles = {
    kJournal, "state.safetensors", "projected.f32", "samples.f32", "failures.jsonl", "lock"};

// Also what AtomicFile leaves behind when the process is killed: ".progress.json.tmp-1-2".
bool IsOurs(const std::string& name) {
  return std::any_of(kFiles.begin(), kFiles.end(), [&](std::string_view file) {
    return name == file || name.starts_with(fmt::format(".{}.tmp-", file));
  });
}

bool IsLeftover(const std::string& name) { return name.starts_with('.') && IsOurs(name); }

std::vector<std::string> NamesIn(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  fs::directory_iterator entry(folder, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    names.push_back(entry->path().filename().string());
  }
  if (error) throw IoError(folder.string(), "cannot be listed: " + error.message());
  std::sort(names.begin(), names.end());
  return names;
}

void Remove(const fs::path& file) {
  std::error_code error;
  fs::remove(file, error);
  if (error) throw IoError(file.string(), "cannot be removed: " + error.message());
}

// Names are chained, not joined: a list of millions needs no second copy.
std::string NamesHash(const std::vector<Input>& inputs) {
  std::string hash;
  for (const Input& input : inputs) hash = ContentHash(hash + input.name);
  return hash;
}

Json IdentityOf(const std::vector<Input>& inputs, const LearnConfig& config,
                const std::string& version) {
  Json json;
  json["version"] = version;
  json["images"] = inputs.size();
  json["names_hash"] = NamesHash(inputs);
  json["config"] = ToJson(config);
  return json;
}

// What of `now` is not as it was, in words; empty if all is.
std::string Difference(const Json& was, const Json& now) {
  const Json patch = Json::diff(was, now);
  if (patch.empty()) return "";
  std::string name = patch[0].at("path").get<std::string>();
  if (name.starts_with("/version")) return "another version of the program";
  if (!name.starts_with("/config/")) return "other images";
  name = name.substr(std::string_view("/config/").size());
  std::replace(name.begin(), name.end(), '/', '.');
  return fmt::format("another value of {}", name);
}

}  // namespace

namespace internal {

WorkFolder::WorkFolder(const LearnRun& run, const std::vector<Input>& inputs,
                       const LearnConfig& config, const std::string& version)
    : path_(run.work), write_(run.write), identity_(IdentityOf(inputs, config, version)) {
  if (path_.empty()) throw InvalidArgument("the work folder must have a name, got none");
  std::error_code error;
  if (fs::exists(path_, error)) {
    if (!fs::is_directory(path_, error)) {
      throw InvalidArgument(fmt::format("the work folder {} is not a folder", path_.string()));
    }
    if (!fs::exists(path_ / kJournal, error)) CheckStranger();
  }
  Write([&] {
    fs::create_directories(path_, error);
    if (error) throw IoError(path_.string(), "cannot be made: " + error.message());
    lock_.emplace(path_);
  });
  const bool resumed = ReadJournal();
  Write([&] {
    // Files without a journal belong to a run that never came so far, or to one that was removed.
    for (const std::string& name : NamesIn(path_)) {
      if (resumed ? IsLeftover(name) : IsOurs(name) && name != "lock") Remove(path_ / name);
    }
    if (!resumed) Commit({});
  });
}

void WorkFolder::Write(const std::function<void()>& action) const {
  if (write_) {
    write_(action);
  } else {
    action();
  }
}

std::string WorkFolder::Identity() const {
  return ContentHash(identity_.dump() + journal_.inputs_hash);
}

Hint WorkFolder::Advice() const {
  return {.text = fmt::format("remove the folder {} to start again", path_.string())};
}

void WorkFolder::CheckStranger() const {
  for (const std::string& name : NamesIn(path_)) {
    if (IsOurs(name)) continue;
    throw InvalidArgument(
        fmt::format("the work folder {} must be new or empty, or that of a run to resume; it "
                    "holds '{}'",
                    path_.string(), name));
  }
}

bool WorkFolder::ReadJournal() {
  const fs::path file = path_ / kJournal;
  std::error_code error;
  if (!fs::exists(file, error)) return false;
  const Json json = ParseJsonIfItIs(ReadFileBytes(file, kMaxJournalBytes));
  // It may be anybody's: no advice to remove it.
  if (!json.is_object() || !json.contains("format") || json["format"] != kProgressFormat) {
    throw InvalidArgument(fmt::format(
        "the work folder {} must be new or empty, or that of a run to resume; its {} is "
        "something else",
        path_.string(), kJournal));
  }
  const auto refuse = [&](std::string_view why) {
    throw InvalidArgument(fmt::format("the work folder {} {}", path_.string(), why), Advice());
  };
  try {
    if (json.at("format_version") != kProgressFormatVersion) {
      refuse("belongs to another version of the program");
    }
    try {
      ParseSealedJson(Dump(json), file.string());
    } catch (const FormatError&) {
      refuse("has a damaged progress.json");
    }
    const std::string difference = Difference(json.at("of"), identity_);
    if (!difference.empty()) refuse("belongs to a run with " + difference);
    const Json& sampling = json.at("sampling");
    const auto count = [&](const char* name) {
      const Json& field = sampling.at(name);
      if (!field.is_number_unsigned() || field.get<Index>() < 0) {
        refuse("has a damaged progress.json");
      }
      return field.get<Index>();
    };
    journal_.next_image = count("next_image");
    journal_.rows = count("rows");
    journal_.dimension = count("dimension");
    journal_.dimension_image = count("dimension_image");
    journal_.used_images = count("used_images");
    journal_.failures = count("failures");
    journal_.failure_bytes = count("failure_bytes");
    sampling.at("inputs_hash").get_to(journal_.inputs_hash);
    sampling.at("samples_hash").get_to(journal_.samples_hash);
    sampling.at("failures_hash").get_to(journal_.failures_hash);
  } catch (const Json::exception&) {
    refuse("has a damaged progress.json");
  }
  return true;
}

void WorkFolder::Commit(const SamplingJournal& journal) {
  Json json;
  json["format"] = kProgressFormat;
  json["format_version"] = kProgressFormatVersion;
  json["of"] = identity_;
  Json& sampling = json["sampling"];
  sampling["next_image"] = journal.next_image;
  sampling["rows"] = journal.rows;
  sampling["dimension"] = journal.dimension;
  sampling["dimension_image"] = journal.dimension_image;
  sampling["used_images"] = journal.used_images;
  sampling["failures"] = journal.failures;
  sampling["failure_bytes"] = journal.failure_bytes;
  sampling["inputs_hash"] = journal.inputs_hash;
  sampling["samples_hash"] = journal.samples_hash;
  sampling["failures_hash"] = journal.failures_hash;
  WriteWholeFile(path_ / kJournal, SealedJsonText(json));
  journal_ = journal;
}

}  // namespace internal

bool IsLearnFolder(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path / kJournal, error);
}

std::vector<Failure> DamagedLearnFiles(const fs::path& path) {
  std::vector<Failure> damaged;
  const fs::path journal = path / kJournal;
  constexpr std::int64_t kMaxJournal = std::int64_t{1} << 30;
  try {
    const Json json = ParseSealedJson(ReadFileBytes(journal, kMaxJournal), journal.string());
    const Json& sampling = json.at("sampling");
    const auto check = [&](const char* name, std::int64_t bytes, const std::string& hash) {
      if (bytes == 0) return;
      const fs::path file = path / name;
      try {
        RunningHash running;
        running.AddFile(file, bytes);
        if (running.Get() == hash) return;
        damaged.push_back({file.string(), "is damaged: its checksum is wrong"});
      } catch (const FileError& error) {
        damaged.push_back({error.file(), error.reason()});
      }
    };
    check("samples.f32",
          sampling.at("rows").get<std::int64_t>() * sampling.at("dimension").get<std::int64_t>() *
              static_cast<std::int64_t>(sizeof(float)),
          sampling.at("samples_hash"));
    check("failures.jsonl", sampling.at("failure_bytes"), sampling.at("failures_hash"));
  } catch (const FileError& error) {
    damaged.push_back({error.file(), error.reason()});
  } catch (const Json::exception&) {
    damaged.push_back({journal.string(), "is not the journal of a learning run"});
  }
  return damaged;
}

void RemoveWorkFolder(const fs::path& path) {
  std::error_code error;
  if (!fs::is_directory(path, error)) return;
  for (const std::string_view file : kFiles) Remove(path / file);
  for (const std::string& name : NamesIn(path)) {
    if (IsLeftover(name)) Remove(path / name);
  }
  fs::remove(path, error);  // fails, as it should, where somebody put something of their own there
}

}  // namespace alcedo
