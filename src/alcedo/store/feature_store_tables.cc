#include "alcedo/store/feature_store_tables.h"

#include <initializer_list>
#include <string>
#include <string_view>

#include "alcedo/io/atomic_file.h"
#include "alcedo/io/csv.h"
#include "alcedo/base/escape.h"

namespace alcedo::internal {
namespace {

// Writes a .csv of any length without holding it in memory.
class CsvFile {
 public:
  explicit CsvFile(const std::filesystem::path& path) : file_(path) {}
  void Write(std::initializer_list<std::string_view> fields) {
    AppendCsvRecord(buffer_, fields);
    if (buffer_.size() >= kFlush) Flush();
  }
  void Commit() {
    Flush();
    file_.Commit();
  }

 private:
  static constexpr std::size_t kFlush = 1 << 20;
  void Flush() {
    file_.Write(buffer_);
    buffer_.clear();
  }

  AtomicFile file_;
  std::string buffer_;
};

}  // namespace

void WriteIndexCsv(const std::filesystem::path& path, const StoreIndex& index) {
  CsvFile file(path);
  file.Write({"name", "shard", "row", "hash"});
  for (std::size_t i = 0; i < index.entries(); ++i) {
    const StoreIndex::Entry entry = index.Get(i);
    if (entry.row < 0 || !index.Counts(i)) continue;
    file.Write({EscapeText(entry.name), std::to_string(entry.shard), std::to_string(entry.row),
                EscapeText(entry.hash)});
  }
  file.Commit();
}

void WriteFailuresCsv(const std::filesystem::path& path, const StoreIndex& index) {
  CsvFile file(path);
  file.Write({"name", "reason"});
  for (const std::uint32_t i : index.failed()) {
    if (!index.Counts(i)) continue;
    const StoreIndex::Entry entry = index.Get(i);
    file.Write({EscapeText(entry.name), EscapeText(entry.failure)});
  }
  file.Commit();
}

}  // namespace alcedo::internal
