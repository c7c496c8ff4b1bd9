// A .npy or .safetensors of vectors that come one after the other, in any number.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "alcedo/base/index.h"
#include "alcedo/base/run.h"
#include "alcedo/config/options.h"
#include "alcedo/io/atomic_file.h"

namespace alcedo {

// Bytes on the disk that have no name: nobody finds them, and nothing is left of them when the
// process ends, however it does.
class Spill {
 public:
  // On the disk of the file that they will become part of.
  explicit Spill(const std::string& beside);
  Spill(const Spill&) = delete;
  Spill& operator=(const Spill&) = delete;
  ~Spill();

  void Append(std::string_view bytes);
  void CopyTo(AtomicFile& file) const;

 private:
  std::string path_;  // in messages
  int descriptor_ = -1;
  std::int64_t size_ = 0;
};

enum class VectorForm { kNpy, kSafetensors };

// What goes with the vectors of a run.
struct VectorsHeader {
  std::string config;  // all options, as JSON
  std::string vocabulary_checksum;
  std::vector<std::string> names;  // of the images that have a vector
  std::vector<Failure> failures;   // the other images
  bool several = false;            // rows, or the one vector alone
  std::vector<Index> shape;        // of one image's values
  ValueType type = ValueType::kFloat32;
  std::uint64_t seed = 0;
};

// The files that an output in `form` consists of.
std::vector<std::string> VectorFiles(const std::string& output, VectorForm form, bool several);

// Writes them, the array last: if it is there, all is.
void WriteVectors(const std::string& output, VectorForm form, const VectorsHeader& header,
                  const Spill& values);

}  // namespace alcedo
