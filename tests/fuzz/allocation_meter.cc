#include "allocation_meter.h"

#include <malloc.h>

#include <algorithm>
#include <cstdlib>
#include <new>

namespace {

thread_local std::ptrdiff_t live = 0;
thread_local std::ptrdiff_t base = 0;
thread_local std::ptrdiff_t peak = 0;

void* Added(void* memory) {
  if (memory != nullptr) live += static_cast<std::ptrdiff_t>(malloc_usable_size(memory));
  peak = std::max(peak, live);
  return memory;
}

void Remove(void* memory) {
  if (memory != nullptr) live -= static_cast<std::ptrdiff_t>(malloc_usable_size(memory));
}

}  // namespace

// The linker sends the program's calls of malloc to __wrap_malloc, and __real_malloc to malloc.
extern "C" {
void* __real_malloc(std::size_t size);
void* __real_calloc(std::size_t count, std::size_t size);
void* __real_realloc(void* memory, std::size_t size);
void __real_free(void* memory);

void* __wrap_malloc(std::size_t size) { return Added(__real_malloc(size)); }
void* __wrap_calloc(std::size_t count, std::size_t size) {
  return Added(__real_calloc(count, size));
}
void* __wrap_realloc(void* memory, std::size_t size) {
  Remove(memory);
  return Added(__real_realloc(memory, size));
}
void __wrap_free(void* memory) {
  Remove(memory);
  __real_free(memory);
}
}

void* operator new(std::size_t size) {
  if (void* memory = Added(__real_malloc(size))) return memory;
  throw std::bad_alloc();
}
// As std::stable_sort asks for its buffer.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return Added(__real_malloc(size));
}
void operator delete(void* memory) noexcept {
  Remove(memory);
  __real_free(memory);
}
void operator delete(void* memory, std::size_t) noexcept { operator delete(memory); }
// Arrays of the library are aligned.
void* operator new(std::size_t size, std::align_val_t alignment) {
  void* memory = nullptr;
  if (posix_memalign(&memory, static_cast<std::size_t>(alignment), size) != 0) {
    throw std::bad_alloc();
  }
  return Added(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept { operator delete(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  operator delete(memory);
}

namespace alcedo::fuzz {

void ResetPeak() { peak = base = live; }

std::ptrdiff_t PeakBytes() { return peak - base; }

}  // namespace alcedo::fuzz
