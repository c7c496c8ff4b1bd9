// Files, folders and lists of files as a list of images with names.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "alcedo/base/run.h"
#include "alcedo/image/read_image.h"

namespace alcedo {

struct ImageList {
  std::vector<Input> images;
  bool several = false;  // a folder, a list, or more than one: a bad image does not stop the others
  bool arrays = false;   // files of descriptors instead of images
  ForeignImages left_out;    // of folders: images in formats that are not read
  std::size_t repeated = 0;  // paths that were given before, and count once

  // Sentences about what was left out and what was repeated.
  std::vector<std::string> Notes() const;
};

// The largest list that is read.
inline constexpr std::int64_t kMaxListBytes = std::int64_t{1} << 30;

struct ImageSources {
  std::vector<std::string> inputs;   // files and folders
  std::string list;                  // a file of such, one a line; "": none
  std::optional<std::string> lines;  // the text of that list, if it is not to be read from a file
  std::vector<std::string> outputs;  // not entered if they lie inside of a folder
  bool null = false;                 // a NUL byte ends a path of the list, not the end of a line
};

// Files as they are, and of folders, with all folders in them, the files that look like images by
// their name, or with `arrays` like array files. Sorted by name within each folder given. Hidden
// files and folders are left out, links to folders not followed. Without a value for `arrays`, they
// are chosen if there is nothing else.
//
// A file is called as it was given, a file of a folder by its path in that folder; if two have the
// same name, both are called by their whole path. The same path twice counts once.
//
// A list is UTF-8 text, or any bytes but NUL and line ends; if `null` is set, all bytes of a path
// are its own.
//
// A folder inside of another that cannot be opened becomes a bad image: its name ends with a slash,
// and reading it will say what is wrong.
//
// Throws IoError if an input is not there or cannot be listed (one of the list may be so, and
// becomes a bad image), FormatError if a folder has nothing in it, or if the list is UTF-16 or has
// NUL bytes that it should not have.
ImageList ListImages(const ImageSources& sources, std::optional<bool> arrays);

}  // namespace alcedo
