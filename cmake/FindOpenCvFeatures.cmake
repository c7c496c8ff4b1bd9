# OpenCv::features, a peer in benchmarks only. OpenCV's own CMake files come with all of its modules; these three are enough.
find_path(OpenCvFeatures_INCLUDE_DIR opencv2/features2d.hpp PATH_SUFFIXES opencv4)
foreach(module core imgproc features2d)
  find_library(OpenCvFeatures_${module}_LIBRARY opencv_${module})
  mark_as_advanced(OpenCvFeatures_${module}_LIBRARY)
endforeach()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(OpenCvFeatures REQUIRED_VARS OpenCvFeatures_features2d_LIBRARY
  OpenCvFeatures_imgproc_LIBRARY OpenCvFeatures_core_LIBRARY OpenCvFeatures_INCLUDE_DIR)
mark_as_advanced(OpenCvFeatures_INCLUDE_DIR)
if(OpenCvFeatures_FOUND AND NOT TARGET OpenCv::features)
  add_library(OpenCv::features INTERFACE IMPORTED)
  set_target_properties(OpenCv::features PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${OpenCvFeatures_INCLUDE_DIR}"
    INTERFACE_LINK_LIBRARIES
    "${OpenCvFeatures_features2d_LIBRARY};${OpenCvFeatures_imgproc_LIBRARY};${OpenCvFeatures_core_LIBRARY}")
endif()
