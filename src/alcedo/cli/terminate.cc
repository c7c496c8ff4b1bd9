#include "alcedo/cli/terminate.h"

#include <unistd.h>

#include <exception>
#include <new>
#include <string_view>

#include "alcedo/cli/errors.h"

namespace alcedo::cli {
namespace {

// Without allocating anything: there may be no memory left.
void PrintRaw(std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = write(STDERR_FILENO, text.data(), text.size());
    if (count <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
}

[[noreturn]] void OnTerminate() noexcept {
  try {
    if (const std::exception_ptr error = std::current_exception()) std::rethrow_exception(error);
    // The system library ends like this too if it has no memory for an exception.
    PrintRaw("alcedo: stopped by an internal error, or there is not enough memory for this\n");
  } catch (const std::bad_alloc&) {
    PrintRaw("alcedo: there is not enough memory for this\n");
  } catch (const std::exception& error) {
    PrintRaw("alcedo: internal error: ");
    PrintRaw(error.what());
    PrintRaw("\n");
  } catch (...) {
    PrintRaw("alcedo: stopped by an internal error\n");
  }
  _exit(kFailed);
}

}  // namespace

void InstallTerminate() { std::set_terminate(OnTerminate); }

}  // namespace alcedo::cli
