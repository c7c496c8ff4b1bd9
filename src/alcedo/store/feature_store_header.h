// store.json: what all shards of a store have in common.
#pragma once

#include <filesystem>
#include <string>

#include "alcedo/store/feature_store.h"

namespace alcedo::internal {

// Checks the header (InvalidArgument) and gives it as store.json would give it back: config values
// that JSON text does not tell apart become the same.
StoreHeader NormalizedHeader(const StoreHeader& header);

// Of a normalized header's config.
std::string ConfigHash(const StoreHeader& header);

// The number of bytes of one image's values.
Index RowBytes(const StoreHeader& header);

// The text of store.json for a normalized header, and back: FormatError that `where` opens.
std::string StoreText(const StoreHeader& header);
StoreHeader ParseStoreText(const std::string& text, const std::string& where);

// InvalidArgument that names the first difference. Both are normalized.
void CheckSameHeader(const std::filesystem::path& folder, const StoreHeader& stored,
                     const StoreHeader& wanted);

}  // namespace alcedo::internal
