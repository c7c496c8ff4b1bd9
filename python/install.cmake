# Where Debian has the packages of its Python, with the files by which pip knows that the package is there; without them
# it would install a second one. Another place: -DALCEDO_PYTHON_DESTINATION=...
set(ALCEDO_PYTHON_DESTINATION "lib/python3/dist-packages" CACHE STRING "Folder of Python packages, below the prefix")
install(TARGETS alcedo_python LIBRARY DESTINATION "${ALCEDO_PYTHON_DESTINATION}/alcedo" COMPONENT python)
foreach(file IN LISTS python_files)
  cmake_path(GET file PARENT_PATH folder)
  install(FILES "${sources}/${file}" DESTINATION "${ALCEDO_PYTHON_DESTINATION}/alcedo/${folder}" COMPONENT python)
endforeach()

# What pyproject.toml says of the package is said here, too, in the words of METADATA.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/pyproject.toml")
file(READ "${PROJECT_SOURCE_DIR}/pyproject.toml" pyproject)
string(REGEX MATCH "requires-python = \"([^\"]+)\"" unused "${pyproject}")
set(requires_python "${CMAKE_MATCH_1}")
string(REGEX MATCH "\ndependencies = \\[\"([^\"]+)\"\\]" unused "${pyproject}")
set(requires "${CMAKE_MATCH_1}")
if(NOT requires_python OR NOT requires)
  message(FATAL_ERROR "pyproject.toml has no requires-python or no dependencies of one entry")
endif()
set(dist_info "${CMAKE_CURRENT_BINARY_DIR}/alcedo-${PROJECT_VERSION}.dist-info")
file(CONFIGURE OUTPUT "${dist_info}/METADATA" @ONLY CONTENT "Metadata-Version: 2.1
Name: alcedo
Version: @PROJECT_VERSION@
Summary: @PROJECT_DESCRIPTION@
Home-page: @PROJECT_HOMEPAGE_URL@
License: BSD-3-Clause
Requires-Python: @requires_python@
Requires-Dist: @requires@
")
file(CONFIGURE OUTPUT "${dist_info}/INSTALLER" CONTENT "cmake\n")
file(CONFIGURE OUTPUT "${dist_info}/top_level.txt" CONTENT "alcedo\n")
install(DIRECTORY "${dist_info}" DESTINATION "${ALCEDO_PYTHON_DESTINATION}" COMPONENT python)

# The module is for one version of Python: python3 (>= 3.11~), python3 (<< 3.12).
math(EXPR next "${Python_VERSION_MINOR} + 1")
set_property(GLOBAL PROPERTY ALCEDO_PYTHON_DEPENDS "python3 (>= ${Python_VERSION_MAJOR}.${Python_VERSION_MINOR}~), \
python3 (<< ${Python_VERSION_MAJOR}.${next}), python3-numpy")
