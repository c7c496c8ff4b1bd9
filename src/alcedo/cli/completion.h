// Shell completion: the script asks the program, and the program looks at its own options.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace alcedo::cli {

// The text of completions/alcedo.SHELL, of bash, zsh or fish; null for others.
const char* CompletionScript(std::string_view shell);

// What the last of `words` can become, given the words of the command line before it (after the
// name of the command). Nothing where it is a file name or a free value.
std::vector<std::string> CompleteOptions(const CLI::App& app, std::vector<std::string> words);

// The candidates that begin with `prefix`.
std::vector<std::string> WithPrefix(const std::vector<std::string>& candidates,
                                    const std::string& prefix);

}  // namespace alcedo::cli
