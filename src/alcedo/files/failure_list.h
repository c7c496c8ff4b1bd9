// Lists of failures as files.
#pragma once

#include <span>
#include <string>

#include "alcedo/base/run.h"

namespace alcedo {

// "NAME: REASON"
std::string Sentence(const Failure& failure);

// All of them as name,reason, with the names as a feature store spells them.
std::string FailuresCsv(std::span<const Failure> failures);

// Writes that to a file, or removes the file if there are none: the failures of an earlier output
// of the same name say nothing about this one.
void WriteFailures(const std::string& file, std::span<const Failure> failures);

}  // namespace alcedo
