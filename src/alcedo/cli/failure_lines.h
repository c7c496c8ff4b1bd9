// Bad images on standard error.
#pragma once

#include <span>
#include <string>

namespace alcedo::cli {

struct BadImage {
  std::string name;
  std::string reason;
};

// The reason with the name of the image, once.
std::string Sentence(const BadImage& image);

// How many of how many, one line for each of the first 20, and where to find the rest (empty:
// nowhere).
void PrintBadImages(std::span<const BadImage> bad, std::size_t total, const std::string& rest);

// All of them as name,reason, with the names as a feature store spells them.
std::string FailuresCsv(std::span<const BadImage> bad);

// Writes that to a file, or removes the file where there are none: the bad images of an earlier
// output of the same name say nothing about this one.
void WriteFailures(const std::string& file, std::span<const BadImage> bad);

}  // namespace alcedo::cli
