#include "alcedo/cli/stdio.h"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <system_error>

#include "alcedo/cli/errors.h"
#include "alcedo/cli/style.h"
#include "alcedo/cli/text.h"

namespace alcedo::cli {
namespace {

std::string SystemReason() { return std::generic_category().message(errno); }

}  // namespace

std::string ReadStdin() {
  std::string bytes;
  std::array<char, 1 << 16> chunk;
  while (true) {
    const ssize_t n = read(STDIN_FILENO, chunk.data(), chunk.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw IoError("cannot read standard input: " + SystemReason());
    if (n == 0) return bytes;
    bytes.append(chunk.data(), static_cast<std::size_t>(n));
  }
}

void WriteStdout(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = write(STDOUT_FILENO, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EPIPE) throw BrokenPipe();
    if (n < 0) throw IoError("cannot write to standard output: " + SystemReason());
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
}

void PrintLine(std::string_view line) {
  constexpr std::string_view kName = "alcedo:", kWarning = "alcedo: warning:";
  std::string text = OneLine(line) + "\n";
  if (text.starts_with(kName) && !text.starts_with(kWarning) && WantsStyle(STDERR_FILENO)) {
    text.replace(0, kName.size(), RedBold(kName));
  }
  std::fwrite(text.data(), 1, text.size(), stderr);
}

}  // namespace alcedo::cli
