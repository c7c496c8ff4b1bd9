# Vlfeat::vl, a peer in tests and benchmarks only. Debian's package brings no CMake files.
find_path(Vlfeat_INCLUDE_DIR vl/dsift.h)
find_library(Vlfeat_LIBRARY vl)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Vlfeat REQUIRED_VARS Vlfeat_LIBRARY Vlfeat_INCLUDE_DIR)
mark_as_advanced(Vlfeat_INCLUDE_DIR Vlfeat_LIBRARY)
if(Vlfeat_FOUND AND NOT TARGET Vlfeat::vl)
  add_library(Vlfeat::vl UNKNOWN IMPORTED)
  set_target_properties(Vlfeat::vl PROPERTIES IMPORTED_LOCATION "${Vlfeat_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${Vlfeat_INCLUDE_DIR}")
endif()
