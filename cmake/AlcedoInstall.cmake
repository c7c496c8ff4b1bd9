# The installed package: find_package(alcedo) gives alcedo::alcedo and one target per module.
include(CMakePackageConfigHelpers)

get_property(modules GLOBAL PROPERTY ALCEDO_MODULES)
add_library(alcedo INTERFACE)
add_library(alcedo::alcedo ALIAS alcedo)
target_link_libraries(alcedo INTERFACE ${modules})

if(NOT ALCEDO_INSTALL)
  return()
endif()
install(TARGETS alcedo ${modules} EXPORT alcedoTargets
  ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
  FILE_SET HEADERS DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(EXPORT alcedoTargets NAMESPACE alcedo::
  DESTINATION "${CMAKE_INSTALL_LIBDIR}/cmake/alcedo")
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/alcedoConfig.cmake.in"
  "${CMAKE_CURRENT_BINARY_DIR}/alcedoConfig.cmake"
  INSTALL_DESTINATION "${CMAKE_INSTALL_LIBDIR}/cmake/alcedo")
write_basic_package_version_file("${CMAKE_CURRENT_BINARY_DIR}/alcedoConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/alcedoConfig.cmake"
  "${CMAKE_CURRENT_BINARY_DIR}/alcedoConfigVersion.cmake"
  "${PROJECT_SOURCE_DIR}/cmake/FindLibExif.cmake" "${PROJECT_SOURCE_DIR}/cmake/FindWebP.cmake"
  "${PROJECT_SOURCE_DIR}/cmake/FindMatio.cmake" "${PROJECT_SOURCE_DIR}/cmake/FindXxhash.cmake"
  DESTINATION "${CMAKE_INSTALL_LIBDIR}/cmake/alcedo")
if(ALCEDO_BUILD_PROGRAM)
  install(TARGETS alcedo_program RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
  install(FILES "${PROJECT_SOURCE_DIR}/src/alcedo/cli/completion.bash" RENAME alcedo
    DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")
endif()
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}")
