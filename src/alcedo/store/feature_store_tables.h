// index.csv and failures.csv: what counts in a store, for people and scripts. Nothing here is read
// back: the shards know it all.
#pragma once

#include <filesystem>

#include "alcedo/store/feature_store_index.h"

namespace alcedo::internal {

void WriteIndexCsv(const std::filesystem::path& path, const StoreIndex& index);
void WriteFailuresCsv(const std::filesystem::path& path, const StoreIndex& index);

}  // namespace alcedo::internal
