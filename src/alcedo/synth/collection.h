// A collection of painted images on the disk, a folder for each class.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "alcedo/base/index.h"
#include "alcedo/base/options.h"
#include "alcedo/base/run.h"
#include "alcedo/synth/scene.h"

namespace alcedo::synth {

struct SynthOptions {
  int classes = 8;
  int images = 40;
  std::uint64_t seed = 0;
  int width = 320;
  int height = 240;
  double mark_size = 1;
};
template <class Visitor>
void VisitFields(SynthOptions& o, Visitor&& visit) {
  visit("classes", o.classes, "how many, from 2 to 100");
  visit("images", o.images, "of every class, at most 10000");
  visit("seed", o.seed, "another one gives other marks, plumages, backgrounds and images");
  visit("width", o.width, "of an image in pixels, from 64 to 4096");
  visit("height", o.height, "of an image in pixels, from 64 to 4096");
  visit("mark_size", o.mark_size, "of the mark that tells the class, in [0.5, 2]");
}

// Throws InvalidArgument on options out of range.
void Check(const SynthOptions& options);

// What a collection is made of; the names of classes say which mark they have.
struct Collection {
  SynthOptions options;
  Style style;
  std::vector<Mark> marks;           // of every class
  std::vector<std::string> classes;  // their names
};
Collection MakeCollection(const SynthOptions& options);

// Image number `image` of a class. The scene does not depend on how many classes and images there
// are.
Painting PaintImage(const Collection& collection, int of_class, int image);

struct SynthResult {
  Index written = 0;  // images
  Index kept = 0;     // that were there already
};

// Writes CLASS/0001.png and so on, boxes.csv (path, and x, y, width and height of the bird and of
// the mark, in pixels from the upper left corner) and synth.json, the options. A folder that was
// begun with the same options is completed; any other that is not empty is a FormatError. Of
// `run` the threads, the progress (images) and the wrapper of writes are used.
SynthResult WriteCollection(const Collection& collection, const std::filesystem::path& folder,
                            const Run& run);

}  // namespace alcedo::synth
