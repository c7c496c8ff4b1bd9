// `alcedo info`: what a file holds, and whether it is whole.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "alcedo/cli/app.h"
#include "alcedo/cli/commands.h"
#include "alcedo/cli/errors.h"
#include "alcedo/cli/stdio.h"
#include "alcedo/info/file_check.h"
#include "alcedo/info/file_info.h"
#include "alcedo/learn/vocabulary.h"

namespace alcedo::cli {
namespace {

constexpr const char* kInfoFooter =
    R"(Examples:
  # What a vocabulary was learned from, and with which options.
  alcedo info vocabulary.safetensors
  # The options of a feature store, as a file for the next run.
  alcedo info features/ --json | jq .config > encode.json
  # Whether every byte is still what was written.
  alcedo info features/ --verify

Exit codes:
  0    it was told; with --verify, nothing is damaged
  1    an error, in one sentence on standard error; with --verify, something is damaged
  2    a mistake in the command line
)";

int Verify(const std::string& file, int threads, bool json) {
  std::error_code error;
  const std::vector<std::string> bundled = BuiltinVocabularyNames();
  if (!std::filesystem::exists(file, error) && std::ranges::count(bundled, file) > 0) {
    OpenVocabulary(file);  // throws if it is damaged
    WriteStdout(fmt::format("whole       {}: bundled vocabulary\n", file));
    return kOk;
  }
  const std::vector<info::FileCheck> checks = info::CheckFiles(file, threads);
  WriteStdout(json ? FileChecksJson(checks) : FileChecksText(checks));
  const auto damaged =
      std::ranges::count(checks, info::FileState::kDamaged, &info::FileCheck::state);
  if (damaged == 0) return kOk;
  const auto first = std::ranges::find(checks, info::FileState::kDamaged, &info::FileCheck::state);
  PrintLine(fmt::format("alcedo: {} {} damaged, first {}: {}", damaged,
                        damaged == 1 ? "file is" : "files are", first->file, first->text));
  return kFailed;
}

}  // namespace

int InfoCommand(const Words& args) {
  App app("alcedo info",
          "Says what a vocabulary, a model, a feature store, an array file or an image holds.",
          kInfoFooter);
  std::string file;
  bool json = false, verify = false;
  int threads = 1;
  app.Add("FILE", "PATH", "a file, a feature store, or sift or color: the bundled vocabularies",
          file);
  app.AddFlag("--json", "as JSON, with everything there is to say", json);
  app.AddFlag("--verify",
              "read all bytes of the file, the feature store or the work folder, and say what is "
              "whole and what is damaged",
              verify);
  AddThreads(app, threads);
  if (!app.Parse(args)) return kOk;
  RequireUsage(!file.empty(), "no FILE given (see 'alcedo info --help')");
  if (verify) return Verify(file, threads, json);
  const info::FileInfo info = info::DescribeFile(file);
  WriteStdout(json ? info.json : FileInfoText(info));
  if (info.values_unchecked && !json) {
    PrintLine("note: values were not read; --verify checks them");
  }
  return kOk;
}

}  // namespace alcedo::cli
