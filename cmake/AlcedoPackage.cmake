# Packages for Debian: `cpack -G DEB` in the build folder, or scripts/package. The program with its vocabularies, manual
# and completions is `alcedo`; the library is `libalcedo-dev`; the Python package is `python3-alcedo`.
set(CPACK_PACKAGE_NAME alcedo)
set(CPACK_PACKAGE_VENDOR "The Alcedo authors")
set(CPACK_PACKAGE_CONTACT "The Alcedo authors <alcedo@alcedo.example>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_PACKAGE_DIRECTORY "${PROJECT_BINARY_DIR}/packages")
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
  WORLD_READ WORLD_EXECUTE)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL development)
if(ALCEDO_BUILD_PROGRAM)
  list(PREPEND CPACK_COMPONENTS_ALL program)
endif()
if(TARGET alcedo_python)
  list(APPEND CPACK_COMPONENTS_ALL python)
endif()
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_HOMEPAGE "${PROJECT_HOMEPAGE_URL}")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME alcedo)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
if(ALCEDO_SERIAL_OPENBLAS)
  set(CPACK_DEBIAN_PROGRAM_PACKAGE_DEPENDS libopenblas0-serial)
endif()
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION "Turns sets of local descriptors, such as those of the patches of a
picture, into one vector each by generalized max pooling (Murray and
Perronnin, CVPR 2014) and its relatives: dense SIFT and colour, Fisher
Vectors, VLAD and others, linear classifiers on top of them, and the
experiments of the paper. Vocabularies for SIFT and colour come along.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libalcedo-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(dev_depends libeigen3-dev "libopenblas-serial-dev | libopenblas-dev" libhwy-dev libfmt-dev zlib1g-dev nlohmann-json3-dev
  "libjpeg-dev | libjpeg62-turbo-dev" libpng-dev libwebp-dev libgif-dev libexif-dev libxxhash-dev libpugixml-dev)
if(ALCEDO_THREADS STREQUAL "tbb")
  list(APPEND dev_depends libtbb-dev)
endif()
string(JOIN ", " CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS ${dev_depends})
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "Headers and static libraries for C++20, with files for CMake's
find_package and for pkg-config. See the package alcedo for what it does.")

get_property(python_depends GLOBAL PROPERTY ALCEDO_PYTHON_DEPENDS)
set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-alcedo)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "${python_depends}")
set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS "python3-sklearn, python3-torch, python3-pil")
set(control "${PROJECT_BINARY_DIR}/debian/python")
foreach(script postinst prerm)
  configure_file("${PROJECT_SOURCE_DIR}/cmake/debian/python3-alcedo.${script}" "${control}/${script}" COPYONLY)
endforeach()
set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA "${control}/postinst;${control}/prerm")
set(CPACK_COMPONENT_PYTHON_DESCRIPTION "Pools NumPy arrays of local descriptors, and does from Python what the
package alcedo does in a terminal: encodes images, applies models, reads
feature stores and datasets. Vocabularies for SIFT and colour are inside.")

# Files that Debian wants and others do not; gzipped, and moved where Debian looks for them, by the script.
string(TIMESTAMP ALCEDO_PACKAGE_DATE "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(READ "${PROJECT_SOURCE_DIR}/LICENSE" license)
string(REGEX REPLACE "^.*(Redistribution and use)" "\\1" license "${license}")
string(REGEX REPLACE "\n\n" "\n.\n" license "${license}")
string(REGEX REPLACE "\n([^\n])" "\n \\1" ALCEDO_LICENSE_TEXT " ${license}")
configure_file("${PROJECT_SOURCE_DIR}/cmake/debian/changelog.in" "${PROJECT_BINARY_DIR}/debian/changelog" @ONLY)
configure_file("${PROJECT_SOURCE_DIR}/cmake/debian/copyright.in" "${PROJECT_BINARY_DIR}/debian/copyright" @ONLY)
configure_file("${PROJECT_SOURCE_DIR}/cmake/debian/finish.cmake.in" "${PROJECT_BINARY_DIR}/debian/finish.cmake" @ONLY)
set(CPACK_PRE_BUILD_SCRIPTS "${PROJECT_BINARY_DIR}/debian/finish.cmake")
include(CPack)
