// The IMAGES of a command as a list of files with names.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "alcedo/cli/paths.h"
#include "alcedo/image/foreign_pictures.h"
#include "alcedo/encode/encode_batch.h"
#include "alcedo/config/options.h"

namespace alcedo::cli {

struct ImageList {
  std::vector<EncodeInput> images;
  bool several = false;  // a folder, a list, or more than one: a bad image does not stop the others
  bool arrays = false;   // descriptors instead of pictures
  ForeignPictures left_out;  // of folders, where pictures are looked for
  std::size_t repeated = 0;  // paths that were given before, and count once
};

struct ImageSources {
  std::vector<std::string> inputs;   // files and folders
  std::string list;                  // a file of such, one a line; "-": standard input; "": none
  std::vector<std::string> outputs;  // not entered, where they lie inside of a folder
};

// Files as they are, and of folders, with all folders in them, the files that look like pictures by
// their name; where `descriptor` is external, those that look like arrays. Sorted by name within
// each folder given. Hidden files and folders are left out, links to folders not followed. Without
// a descriptor, arrays are chosen where there is nothing else.
//
// A file is called as it was given, a file of a folder by its path in that folder; where two are
// called the same, both by their whole path. The same path twice counts once.
//
// Throws IoError where an input is not there (one of the list may be missing, and becomes a bad
// image), InvalidArgument where a folder has nothing in it.
ImageList ListImages(const ImageSources& sources, std::optional<DescriptorKind> descriptor);

// Notes on standard error of the pictures that were left out and of repeated ones, where there are
// any.
void PrintLeftOut(const ImageList& list, bool quiet);

// Refuses to write over what is read: the files, the folders around them, and `more` (those that
// are not empty).
void CheckImagePaths(const ImageList& list, const std::vector<NamedPath>& more,
                     const std::vector<NamedPath>& written);

}  // namespace alcedo::cli
