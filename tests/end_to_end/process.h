// Runs the program in a folder of its own.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace end_to_end {

struct Result {
  int exit_code = -1;  // 1000 + the signal for a process that a signal ended
  std::string out;
  std::string err;
  long peak_kib = 0;  // the most memory it had at once
};

using Args = std::vector<std::string>;

// A fresh folder that lives as long as the object; the current folder while it lives.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();

 private:
  std::filesystem::path path_;
  std::filesystem::path before_;
};

// The program with these arguments and this standard input, to its end.
Result RunProgram(const Args& args, const std::string& input = "");
// The same without the powers of root, to whom nothing is forbidden: as "nobody", if the test is
// run by root. The current folder is opened to everybody.
Result RunUnprivileged(const Args& args);
// Any command, found on the path.
Result RunCommand(const Args& command, const std::string& input = "");

// False where the system gives no terminals, as in a bare chroot without /dev/pts.
bool HasTerminals();

// The program with a terminal for its standard error: what a person would see of it.
Result RunOnTerminal(const Args& args);
// Any command so.
Result RunCommandOnTerminal(const Args& command);

// Whether there is such a command on the path.
bool HasCommand(const std::string& name);

// A program left running; its standard error is in the file ".stderr".
pid_t StartProgram(const Args& args);
int WaitFor(pid_t process, long* peak_kib = nullptr);
// Waits until `condition` holds or the program has ended.
void WaitUntil(pid_t process, const std::function<bool()>& condition);

std::string ReadFile(const std::filesystem::path& path);
void WriteFile(const std::filesystem::path& path, const std::string& bytes);

// The names in the current folder, sorted.
std::vector<std::string> FilesHere();

}  // namespace end_to_end
