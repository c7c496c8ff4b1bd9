#include "alcedo/linalg/blas_buffer.h"

#include <sys/mman.h>

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <new>
#include <vector>

// Not in OpenBLAS's headers, but in every build of it. Weak: if a build hides them, we go without.
extern "C" {
__attribute__((weak)) void* blas_memory_alloc(int kind);
__attribute__((weak)) void blas_memory_free(void* buffer);
}

namespace alcedo::internal {
namespace {

// A buffer, and a reserve for what other threads allocate between our question and OpenBLAS's own.
constexpr std::size_t kBufferBytes = std::size_t{128} << 20;
constexpr std::size_t kReserveBytes = std::size_t{16} << 20;

bool SystemHasABuffer() {
  constexpr std::size_t kBytes = kBufferBytes + kReserveBytes;
  void* memory = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return false;
  munmap(memory, kBytes);
  return true;
}

class BlasBuffers {
 public:
  void Enter() {
    std::unique_lock lock(mutex_);
    while (in_use_ == mapped_.size() && !Grow()) {
      if (in_use_ == 0) throw std::bad_alloc();
      released_.wait(lock);
    }
    ++in_use_;
  }

  void Leave() {
    {
      const std::lock_guard lock(mutex_);
      --in_use_;
    }
    released_.notify_one();
  }

  // Never destroyed: threads may still be at work when static objects are.
  static BlasBuffers& Get() {
    static BlasBuffers& buffers = *new BlasBuffers;
    return buffers;
  }

 private:
  // Has OpenBLAS map one more buffer, here, where no other thread of ours does.
  bool Grow() {
    mapped_.reserve(mapped_.size() + 1);
    if (!SystemHasABuffer()) return false;
    void* buffer = blas_memory_alloc(0);
    blas_memory_free(buffer);
    // An old one, if a thread that has left OpenBLAS is on its way to Leave().
    if (std::ranges::count(mapped_, buffer) > 0) return false;
    mapped_.push_back(buffer);
    return true;
  }

  std::mutex mutex_;
  std::condition_variable released_;
  std::vector<void*> mapped_;
  std::size_t in_use_ = 0;
};

bool Guarded() { return blas_memory_alloc != nullptr && blas_memory_free != nullptr; }

}  // namespace

BlasBuffer::BlasBuffer() {
  if (Guarded()) BlasBuffers::Get().Enter();
}

BlasBuffer::~BlasBuffer() {
  if (Guarded()) BlasBuffers::Get().Leave();
}

}  // namespace alcedo::internal
