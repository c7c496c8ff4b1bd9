# The installed package: find_package(alcedo) gives alcedo::alcedo and one target per module, pkg-config the same by the
# name of alcedo. With COMPONENTS core, or by the name of alcedo-core, only what works on rows of descriptors, without
# the libraries for images and files. To install: program, and development for the library.
include(CMakePackageConfigHelpers)

set(core base linalg projection vocabulary encoding_types encoding pooling normalization classifier evaluation)
list(TRANSFORM core PREPEND alcedo_)
get_property(modules GLOBAL PROPERTY ALCEDO_MODULES)
add_library(alcedo_core INTERFACE)
add_library(alcedo::core ALIAS alcedo_core)
set_target_properties(alcedo_core PROPERTIES EXPORT_NAME core)
target_link_libraries(alcedo_core INTERFACE ${core})
add_library(alcedo INTERFACE)
add_library(alcedo::alcedo ALIAS alcedo)
target_link_libraries(alcedo INTERFACE ${modules})

if(NOT ALCEDO_INSTALL)
  return()
endif()
# The headers that alcedo/alcedo.h includes, and those that these include.
function(alcedo_installed_headers variable)
  set(to_read alcedo/alcedo.h)
  set(headers "")
  while(to_read)
    list(POP_FRONT to_read header)
    if(header IN_LIST headers)
      continue()
    endif()
    list(APPEND headers "${header}")
    set(file "${PROJECT_SOURCE_DIR}/src/${header}")
    if(NOT EXISTS "${file}")
      message(FATAL_ERROR "${header} is to be installed, by src/alcedo/alcedo.h or a header that it includes, and is not there")
    endif()
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
    file(STRINGS "${file}" includes REGEX "^#include \"alcedo/")
    list(TRANSFORM includes REPLACE "^#include \"([^\"]+)\".*" "\\1")
    list(APPEND to_read ${includes})
  endwhile()
  set(${variable} "${headers}" PARENT_SCOPE)
endfunction()
alcedo_installed_headers(headers)
foreach(header IN LISTS headers)
  cmake_path(GET header PARENT_PATH folder)
  install(FILES "${PROJECT_SOURCE_DIR}/src/${header}" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/${folder}"
    COMPONENT development)
endforeach()

set(others ${modules})
list(REMOVE_ITEM others ${core})
set(package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/alcedo")
install(TARGETS alcedo_core ${core} EXPORT alcedoCoreTargets
  ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT development)
install(EXPORT alcedoCoreTargets NAMESPACE alcedo:: DESTINATION "${package_folder}" COMPONENT development)
install(TARGETS alcedo ${others} EXPORT alcedoTargets
  ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT development)
install(EXPORT alcedoTargets NAMESPACE alcedo:: DESTINATION "${package_folder}" COMPONENT development)
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/alcedoConfig.cmake.in"
  "${CMAKE_CURRENT_BINARY_DIR}/alcedoConfig.cmake"
  INSTALL_DESTINATION "${package_folder}")
write_basic_package_version_file("${CMAKE_CURRENT_BINARY_DIR}/alcedoConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/alcedoConfig.cmake"
  "${CMAKE_CURRENT_BINARY_DIR}/alcedoConfigVersion.cmake"
  "${PROJECT_SOURCE_DIR}/cmake/FindLibExif.cmake" "${PROJECT_SOURCE_DIR}/cmake/FindWebP.cmake"
  "${PROJECT_SOURCE_DIR}/cmake/FindXxhash.cmake"
  DESTINATION "${package_folder}" COMPONENT development)

# For pkg-config. A static library comes before those it uses; the prefix is found from where the file is, so
# that the whole folder can be moved.
function(alcedo_link_flags variable)
  list(REVERSE ARGN)
  list(TRANSFORM ARGN PREPEND "-l")
  string(JOIN " " flags ${ARGN})
  set(${variable} "${flags}" PARENT_SCOPE)
endfunction()
alcedo_link_flags(ALCEDO_PC_LIBS ${others})
alcedo_link_flags(ALCEDO_PC_CORE_LIBS ${core})
set(ALCEDO_PC_THREADS "")
if(ALCEDO_THREADS STREQUAL "tbb")
  set(ALCEDO_PC_THREADS ", tbb")
endif()
set(pc_folder "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
file(RELATIVE_PATH ALCEDO_PC_PREFIX "/prefix/${pc_folder}" "/prefix")
foreach(name alcedo alcedo-core)
  configure_file("${PROJECT_SOURCE_DIR}/cmake/${name}.pc.in" "${CMAKE_CURRENT_BINARY_DIR}/${name}.pc" @ONLY)
  install(FILES "${CMAKE_CURRENT_BINARY_DIR}/${name}.pc" DESTINATION "${pc_folder}" COMPONENT development)
endforeach()

install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT program)
if(ALCEDO_BUILD_PROGRAM)
  install(TARGETS alcedo_program RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT program)
  set(completions "${PROJECT_SOURCE_DIR}/src/alcedo/cli/completions")
  install(FILES "${completions}/alcedo.bash" RENAME alcedo COMPONENT program
    DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")
  install(FILES "${completions}/alcedo.zsh" RENAME _alcedo COMPONENT program
    DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/site-functions")
  install(FILES "${completions}/alcedo.fish" COMPONENT program
    DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d")
  if(NOT CMAKE_CROSSCOMPILING)
    install(DIRECTORY "${PROJECT_BINARY_DIR}/man/" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1" COMPONENT program
      FILES_MATCHING PATTERN "*.1")
  endif()
endif()
if(PROJECT_IS_TOP_LEVEL)
  include(AlcedoPackage)
endif()
