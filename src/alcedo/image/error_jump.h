// How errors leave C libraries that must not return from their error function.
#pragma once

#include <algorithm>
#include <csetjmp>
#include <cstring>
#include <type_traits>

namespace alcedo::internal {

// An exception may not pass through a library compiled as C, so its errors jump, and only then
// become exceptions. A jump runs no destructors: what is called through Try may own nothing, and
// neither may the callbacks that the library calls.
class ErrorJump {
 public:
  // Calls `body`; false if it ended by Jump.
  template <class Body>
  [[nodiscard]] bool Try(Body body) {
    static_assert(std::is_trivially_destructible_v<Body>);
    if (setjmp(target_) != 0) return false;
    body();
    return true;
  }

  [[noreturn]] void Jump(const char* message) {
    const std::size_t length = std::min(std::strlen(message), sizeof message_ - 1);
    std::memcpy(message_, message, length);
    message_[length] = '\0';
    std::longjmp(target_, 1);
  }

  const char* message() const { return message_; }

 private:
  std::jmp_buf target_;
  char message_[256] = "";
};

}  // namespace alcedo::internal
