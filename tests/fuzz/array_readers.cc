// .npy, .npz and .safetensors; also with the checksums of a zip made right.
#include "alcedo/io/array_reader.h"
#include "alcedo/io/io_testing.h"
#include "readers.h"
#include "sample_files.h"

namespace alcedo::fuzz {
namespace {

bool ReadAll(std::string bytes) {
  bool all = true;
  const bool opened = Succeeds([&] {
    const ArrayReader reader = ArrayReader::FromBytes(std::move(bytes), "file");
    for (std::size_t i = 0; i < reader.arrays().size(); ++i) {
      const bool rows = Succeeds([&] { ExpectFiniteArray(reader.ReadRows(i), "a row"); });
      const bool doubles = Succeeds([&] { ExpectFinite(reader.ReadDoubles(i), "a double"); });
      const bool integers = Succeeds([&] { reader.ReadIntegers(i); });
      all = all && (rows || doubles || integers);
    }
  });
  return opened && all;
}

std::vector<std::string> SamplesThat(const std::function<bool(const std::string&)>& belong) {
  std::vector<std::string> samples;
  for (const std::string& file : SampleFiles()) {
    if (belong(file)) samples.push_back(file);
  }
  return samples;
}

bool IsNpy(const std::string& file) { return file.starts_with("\x93NUMPY"); }
bool IsZip(const std::string& file) { return file.starts_with("PK"); }

// The bytes are a .npy; the zip around them is sound.
std::string Zipped(const std::string& npy) {
  return io_testing::Zip({{"a.npy", npy, true}, {"b.npy", npy}});
}

}  // namespace

void internal::AddArrayReaders(std::vector<Reader>& readers) {
  // An int8 becomes an int64, eight times its size; the constant is a few inflate buffers.
  const auto add = [&](const char* name, auto samples, auto read) {
    readers.push_back({name, samples, read, 16, 512 << 10});
  };
  add("npy", [] { return SamplesThat(IsNpy); }, ReadAll);
  add("npz", [] { return SamplesThat(IsZip); }, ReadAll);
  add(
      "npz-right-checksum", [] { return SamplesThat(IsNpy); },
      [](const std::string& bytes) { return ReadAll(Zipped(bytes)); });
  add(
      "safetensors", [] { return SamplesThat([](auto& f) { return !IsNpy(f) && !IsZip(f); }); },
      ReadAll);
}

}  // namespace alcedo::fuzz
