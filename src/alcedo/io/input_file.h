// The file of one image, for everything that reads many. Internal.
#pragma once

#include <filesystem>
#include <string>

namespace alcedo {

// The bytes of a file of at most max_mib (image.max_image_memory: the limit on what reading a
// picture may take holds for its file too, before it is read). IoError and FormatError otherwise.
std::string ReadInputFile(const std::filesystem::path& path, double max_mib);

// Messages of readers begin with the name of the file, which a failure has already.
std::string WithoutName(const std::string& reason, const std::string& name);

}  // namespace alcedo
