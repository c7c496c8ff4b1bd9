#include "process.h"

#include <fcntl.h>
#include <grp.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>

namespace end_to_end {
namespace fs = std::filesystem;
namespace {

void Redirect(const char* file, int flags, int descriptor) {
  const int opened = open(file, flags, 0600);
  if (opened < 0 || dup2(opened, descriptor) < 0) _exit(127);
}

void BecomeNobody() {
  constexpr unsigned kNobody = 65534;
  if (setgroups(0, nullptr) != 0 || setgid(kNobody) != 0 || setuid(kNobody) != 0) _exit(127);
}

pid_t Start(const Args& command, const char* standard_error = ".stderr",
            bool unprivileged = false) {
  std::vector<char*> argv;
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  const pid_t process = fork();
  if (process < 0) throw std::runtime_error("fork failed");
  if (process == 0) {
    Redirect(".stdin", O_RDONLY, STDIN_FILENO);
    Redirect(".stdout", O_WRONLY | O_CREAT | O_TRUNC, STDOUT_FILENO);
    Redirect(standard_error, O_WRONLY | O_CREAT | O_TRUNC | O_NOCTTY, STDERR_FILENO);
    if (unprivileged && geteuid() == 0) BecomeNobody();
    execvp(argv[0], argv.data());
    _exit(127);
  }
  return process;
}

}  // namespace

TemporaryFolder::TemporaryFolder() : before_(fs::current_path()) {
  std::string name = (fs::temp_directory_path() / "alcedo-test-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp failed");
  path_ = name;
  fs::current_path(path_);
}

TemporaryFolder::~TemporaryFolder() {
  fs::current_path(before_);
  fs::remove_all(path_);
}

namespace {

Result RunToEnd(const Args& command, const std::string& input, bool unprivileged) {
  WriteFile(".stdin", input);
  Result result;
  result.exit_code = WaitFor(Start(command, ".stderr", unprivileged), &result.peak_kib);
  result.out = ReadFile(".stdout");
  result.err = ReadFile(".stderr");
  for (const char* file : {".stdin", ".stdout", ".stderr"}) fs::remove(file);
  return result;
}

}  // namespace

Result RunCommand(const Args& command, const std::string& input) {
  return RunToEnd(command, input, false);
}

Result RunUnprivileged(const Args& args) {
  fs::permissions(".", fs::perms::all);
  Args command{ALCEDO_PROGRAM};
  command.insert(command.end(), args.begin(), args.end());
  return RunToEnd(command, "", true);
}

Result RunProgram(const Args& args, const std::string& input) {
  Args command{ALCEDO_PROGRAM};
  command.insert(command.end(), args.begin(), args.end());
  return RunCommand(command, input);
}

pid_t StartProgram(const Args& args) {
  WriteFile(".stdin", "");
  Args command{ALCEDO_PROGRAM};
  command.insert(command.end(), args.begin(), args.end());
  return Start(command);
}

bool HasTerminals() {
  const int terminal = posix_openpt(O_RDWR | O_NOCTTY);
  if (terminal < 0) return false;
  const bool usable = grantpt(terminal) == 0 && unlockpt(terminal) == 0 &&
                      ptsname(terminal) != nullptr && access(ptsname(terminal), R_OK | W_OK) == 0;
  close(terminal);
  return usable;
}

Result RunOnTerminal(const Args& args) {
  Args command{ALCEDO_PROGRAM};
  command.insert(command.end(), args.begin(), args.end());
  return RunCommandOnTerminal(command);
}

bool HasCommand(const std::string& name) {
  return RunCommand({"sh", "-c", "command -v " + name}).exit_code == 0;
}

Result RunCommandOnTerminal(const Args& command) {
  const int terminal = posix_openpt(O_RDWR | O_NOCTTY);
  if (terminal < 0 || grantpt(terminal) != 0 || unlockpt(terminal) != 0) {
    throw std::runtime_error("no terminal");
  }
  const std::string name = ptsname(terminal);
  WriteFile(".stdin", "");
  const int other_end = open(name.c_str(), O_RDWR | O_NOCTTY | O_CLOEXEC);
  const pid_t process = Start(command, name.c_str());
  // Read while it runs: a terminal nobody reads is full after some kilobytes. Reading ends when the
  // other end is closed.
  Result result;
  std::thread waiter([&] {
    result.exit_code = WaitFor(process, &result.peak_kib);
    close(other_end);
  });
  char chunk[4096];
  for (ssize_t n = 0; (n = read(terminal, chunk, sizeof chunk)) > 0;) {
    result.err.append(chunk, static_cast<std::size_t>(n));
  }
  waiter.join();
  close(terminal);
  result.out = ReadFile(".stdout");
  for (const char* file : {".stdin", ".stdout"}) fs::remove(file);
  return result;
}

int WaitFor(pid_t process, long* peak_kib) {
  int status = 0;
  struct rusage usage{};
  if (wait4(process, &status, 0, &usage) != process) throw std::runtime_error("wait4 failed");
  if (peak_kib != nullptr) *peak_kib = usage.ru_maxrss;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

void WaitUntil(pid_t process, const std::function<bool()>& condition) {
  const auto ended = [process] {
    siginfo_t info{};
    // Only looks: WaitFor() still gets the exit code.
    return waitid(P_PID, static_cast<id_t>(process), &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
           info.si_pid != 0;
  };
  while (!condition() && !ended()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

std::string ReadFile(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw std::runtime_error("cannot read " + path.string());
  std::ostringstream bytes;
  bytes << stream.rdbuf();
  return bytes.str();
}

void WriteFile(const fs::path& path, const std::string& bytes) {
  if (path.has_parent_path()) fs::create_directories(path.parent_path());
  std::ofstream stream(path, std::ios::binary);
  stream << bytes;
}

std::vector<std::string> FilesHere() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(".")) names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace end_to_end
