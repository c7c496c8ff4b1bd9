# The installed package: find_package(alcedo) gives alcedo::alcedo and one target per module, pkg-config
# the same by the name of alcedo. Two components: program, and development for the library.
include(CMakePackageConfigHelpers)

get_property(modules GLOBAL PROPERTY ALCEDO_MODULES)
add_library(alcedo INTERFACE)
add_library(alcedo::alcedo ALIAS alcedo)
target_link_libraries(alcedo INTERFACE ${modules})

if(NOT ALCEDO_INSTALL)
  return()
endif()
install(TARGETS alcedo ${modules} EXPORT alcedoTargets
  ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT development
  FILE_SET HEADERS DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" COMPONENT development)
install(EXPORT alcedoTargets NAMESPACE alcedo::
  DESTINATION "${CMAKE_INSTALL_LIBDIR}/cmake/alcedo" COMPONENT development)
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/alcedoConfig.cmake.in"
  "${CMAKE_CURRENT_BINARY_DIR}/alcedoConfig.cmake"
  INSTALL_DESTINATION "${CMAKE_INSTALL_LIBDIR}/cmake/alcedo")
write_basic_package_version_file("${CMAKE_CURRENT_BINARY_DIR}/alcedoConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/alcedoConfig.cmake"
  "${CMAKE_CURRENT_BINARY_DIR}/alcedoConfigVersion.cmake"
  "${PROJECT_SOURCE_DIR}/cmake/FindLibExif.cmake" "${PROJECT_SOURCE_DIR}/cmake/FindWebP.cmake"
  "${PROJECT_SOURCE_DIR}/cmake/FindMatio.cmake" "${PROJECT_SOURCE_DIR}/cmake/FindXxhash.cmake"
  DESTINATION "${CMAKE_INSTALL_LIBDIR}/cmake/alcedo" COMPONENT development)

# For pkg-config. A static library stands before those it uses; the prefix is found from where the file lies, so
# that the whole folder can be moved.
set(pc_modules ${modules})
list(REVERSE pc_modules)
list(TRANSFORM pc_modules PREPEND "-l")
string(JOIN " " ALCEDO_PC_LIBS ${pc_modules})
set(ALCEDO_PC_THREADS "$<$<STREQUAL:${ALCEDO_THREADS},tbb>:, tbb>")
set(pc_folder "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
file(RELATIVE_PATH ALCEDO_PC_PREFIX "/prefix/${pc_folder}" "/prefix")
configure_file("${PROJECT_SOURCE_DIR}/cmake/alcedo.pc.in" "${CMAKE_CURRENT_BINARY_DIR}/alcedo.pc.genex" @ONLY)
file(GENERATE OUTPUT "${CMAKE_CURRENT_BINARY_DIR}/alcedo.pc" INPUT "${CMAKE_CURRENT_BINARY_DIR}/alcedo.pc.genex")
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/alcedo.pc" DESTINATION "${pc_folder}" COMPONENT development)

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
