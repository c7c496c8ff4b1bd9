#include "alcedo/base/version.h"

namespace alcedo {

std::string Version() { return ALCEDO_VERSION; }

}  // namespace alcedo
