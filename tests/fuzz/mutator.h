// Damages files in the ways that matter to a parser. The same seed gives the same mutants.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>

namespace alcedo::fuzz {

class Mutator {
 public:
  explicit Mutator(std::uint64_t seed) : engine_(seed) {}

  // One to three changes: flipped bits, hostile numbers and texts, a cut, a piece that is repeated
  // or left out, a piece of `other`.
  std::string Mutate(std::string file, const std::string& other);

  // A number in [0, limit); 0 if the limit is 0.
  std::size_t Below(std::size_t limit) { return limit == 0 ? 0 : engine_() % limit; }

 private:
  void FlipBits(std::string& file);
  void SetNumber(std::string& file, std::size_t position);
  std::size_t LengthField(const std::string& file);
  void ReplaceDigits(std::string& file);
  void InsertText(std::string& file);
  void Splice(std::string& file, const std::string& other);
  void Repeat(std::string& file);

  std::mt19937_64 engine_;
};

}  // namespace alcedo::fuzz
