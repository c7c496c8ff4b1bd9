// A work folder belongs to one experiment: to the contents of its images, to the options, and to
// the version of the program and the revision of its numbers. Results of anything else would be
// stale.
#pragma once

#include "alcedo/base/run.h"
#include "alcedo/config/field_json.h"
#include "alcedo/dataset/dataset.h"
#include "alcedo/dataset/image_hashes.h"

namespace alcedo::reproduce {

// Raised by every change within a version that changes numbers of an experiment: of descriptors,
// vocabularies, solvers or the search.
inline constexpr int kNumbersRevision = 3;

// Claims run.work, which may be empty or claimed before by the same experiment. InvalidArgument
// that names the first difference if it is another's: `config` is what the names of intermediate
// files do not tell.
void ClaimFolder(const Run& run, const Dataset& dataset, const ImageHashes& hashes,
                 const Json& config);

}  // namespace alcedo::reproduce
