#include "alcedo/info/commit.h"

#include "alcedo_commit.h"  // made by the build

namespace alcedo::info {

std::string Commit() { return ALCEDO_COMMIT; }

}  // namespace alcedo::info
