#include "alcedo/linalg/blas_buffer.h"

#include <cblas.h>
#include <dlfcn.h>
#include <sys/mman.h>

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <cstdlib>
#include <mutex>
#include <new>
#include <vector>

// The serial variant of OpenBLAS 0.3.21, as Debian builds it, hands out its buffers without a lock:
// two threads that enter it in the same moment may get the same one, and both results are wrong
// (seen in 7 of 113,560 products of 256 x 96 on four threads). These two stand before OpenBLAS's
// own functions of the same names, so that its calls of them come here first. Weak: beside a static
// OpenBLAS they give way to its own.
extern "C" {
__attribute__((weak, visibility("default"))) void* blas_memory_alloc(int kind);
__attribute__((weak, visibility("default"))) void blas_memory_free(void* buffer);
}

namespace {

// Before any constructor: OpenBLAS may call while it is being loaded.
constinit std::mutex handing_out;
constinit thread_local bool asked = false;  // on this thread

template <class Function>
Function* OpenBlasOwn(const char* name) {
  auto* own = reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
  if (own == nullptr) std::abort();  // only OpenBLAS calls these
  return own;
}

// The other variants have locks of their own, and threads that may wait for memory for ever.
bool NeedsLock() { return openblas_get_parallel() == OPENBLAS_SEQUENTIAL; }

}  // namespace

void* blas_memory_alloc(int kind) {
  static auto* const own = OpenBlasOwn<void*(int)>("blas_memory_alloc");
  asked = true;
  if (!NeedsLock()) return own(kind);
  const std::lock_guard lock(handing_out);
  return own(kind);
}

void blas_memory_free(void* buffer) {
  static auto* const own = OpenBlasOwn<void(void*)>("blas_memory_free");
  if (!NeedsLock()) return own(buffer);
  const std::lock_guard lock(handing_out);
  own(buffer);
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

// Whether OpenBLAS's calls come to the functions above. They do not if it was loaded before us, or
// is linked statically.
bool Intercepted() {
  const double a = 1;
  double c = 0;
  asked = false;
  cblas_dsyrk(CblasRowMajor, CblasLower, CblasTrans, 1, 1, 1, &a, 1, 0, &c, 1);
  return asked;
}

std::mutex* MutexForCalls() {
  static std::mutex& mutex = *new std::mutex;  // never destroyed, as the buffers
  static const bool needed = NeedsLock() && !Intercepted();
  return needed ? &mutex : nullptr;
}

}  // namespace

BlasBuffer::BlasBuffer() {
  BlasBuffers::Get().Enter();
  if (std::mutex* mutex = MutexForCalls()) alone_ = std::unique_lock(*mutex);
}

BlasBuffer::~BlasBuffer() {
  if (alone_) alone_.unlock();
  BlasBuffers::Get().Leave();
}

}  // namespace alcedo::internal
