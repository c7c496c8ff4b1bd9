// The memory that OpenBLAS works in, so that too little of it is an error.
//
// OpenBLAS maps a buffer of 128 MiB of address space for every thread that is inside of it at the
// same time, and keeps it. If the system refuses, it asks again without end (blas_memory_alloc of
// 0.3.21): the call never returns. So nobody enters OpenBLAS before there is a buffer for them. Nor
// do two threads ever get the same one (blas_buffer.cc).
#pragma once

#include <mutex>

namespace alcedo::internal {

// Held during a call of OpenBLAS. If there is no memory for one more buffer, waits for one that
// another thread holds. std::bad_alloc if there is none at all.
class BlasBuffer {
 public:
  BlasBuffer();
  BlasBuffer(const BlasBuffer&) = delete;
  BlasBuffer& operator=(const BlasBuffer&) = delete;
  ~BlasBuffer();

 private:
  std::unique_lock<std::mutex> alone_;  // held if only whole calls can be kept apart
};

}  // namespace alcedo::internal
