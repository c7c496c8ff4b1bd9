# Liblinear::linear, a peer in tests and benchmarks only. Debian's package brings no CMake files.
find_path(Liblinear_INCLUDE_DIR linear.h)
find_library(Liblinear_LIBRARY linear)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Liblinear REQUIRED_VARS Liblinear_LIBRARY Liblinear_INCLUDE_DIR)
mark_as_advanced(Liblinear_INCLUDE_DIR Liblinear_LIBRARY)
if(Liblinear_FOUND AND NOT TARGET Liblinear::linear)
  add_library(Liblinear::linear UNKNOWN IMPORTED)
  set_target_properties(Liblinear::linear PROPERTIES IMPORTED_LOCATION "${Liblinear_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${Liblinear_INCLUDE_DIR}")
endif()
