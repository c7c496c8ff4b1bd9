#include "cases.h"

#include <exception>
#include <map>
#include <new>

#include "allocation_meter.h"
#include "mutator.h"

namespace alcedo::fuzz {
namespace {

// Neighbouring numbers give unrelated seeds (splitmix64).
std::uint64_t Mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

const std::vector<std::string>& SamplesOf(const Reader& reader) {
  static std::map<std::string, std::vector<std::string>> samples;
  const auto [entry, added] = samples.try_emplace(reader.name);
  if (added) entry->second = reader.samples();
  return entry->second;
}

}  // namespace

std::string MutantOf(const Reader& reader, std::uint64_t seed, std::uint64_t number) {
  std::uint64_t mixed = Mix(seed);
  for (const char c : reader.name) mixed = Mix(mixed ^ static_cast<unsigned char>(c));
  Mutator mutator(Mix(mixed ^ number));
  const std::vector<std::string>& samples = SamplesOf(reader);
  const std::string& sample = samples[number % samples.size()];
  return mutator.Mutate(sample, samples[mutator.Below(samples.size())]);
}

Outcome RunCase(const Reader& reader, const std::string& bytes) {
  Outcome outcome;
  ResetPeak();
  try {
    outcome.read = reader.read(bytes);
  } catch (const BrokenPromise& broken) {
    outcome.broken = broken.what();
  } catch (const std::bad_alloc&) {
    outcome.broken = "it asks for memory without bound";
  } catch (const std::exception& error) {
    outcome.broken = std::string("it throws what is not an alcedo::Error: ") + error.what();
  }
  outcome.peak = PeakBytes();
  const std::ptrdiff_t bound =
      reader.per_byte * static_cast<std::ptrdiff_t>(bytes.size()) + reader.fixed;
  if (outcome.broken.empty() && outcome.peak > bound) {
    outcome.broken = "it takes " + std::to_string(outcome.peak) +
                     " bytes of memory for a file of " + std::to_string(bytes.size());
  }
  return outcome;
}

}  // namespace alcedo::fuzz
