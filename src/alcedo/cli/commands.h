// The commands of the program. Each is one file: it parses its arguments, makes one call and
// prints.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace alcedo::cli {

using Words = std::vector<std::string>;

// All give the exit code of the program, and throw what went wrong.
int EncodeCommand(const Words& args);
int LearnCommand(const Words& args);
int TrainCommand(const Words& args);
int EvaluateCommand(const Words& args);
int ClassifyCommand(const Words& args);
int PoolCommand(const Words& args);
int WeightsCommand(const Words& args);
int Figure1Command(const Words& args);
int ReproduceCommand(const Words& args);
int SynthCommand(const Words& args);
int InfoCommand(const Words& args);
int DoctorCommand(const Words& args);
int CompletionCommand(const Words& args);

// The text of completions/alcedo.SHELL, of bash, zsh or fish; null for others.
const char* CompletionScript(std::string_view shell);

}  // namespace alcedo::cli
