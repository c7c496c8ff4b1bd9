# LibExif::libexif. Debian's package brings no CMake files.
find_path(LibExif_INCLUDE_DIR libexif/exif-data.h)
find_library(LibExif_LIBRARY exif)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LibExif REQUIRED_VARS LibExif_LIBRARY LibExif_INCLUDE_DIR)
mark_as_advanced(LibExif_INCLUDE_DIR LibExif_LIBRARY)
if(LibExif_FOUND AND NOT TARGET LibExif::libexif)
  add_library(LibExif::libexif UNKNOWN IMPORTED)
  set_target_properties(LibExif::libexif PROPERTIES IMPORTED_LOCATION "${LibExif_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${LibExif_INCLUDE_DIR}")
endif()
