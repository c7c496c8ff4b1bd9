# One module of the library = one folder = one target = one test binary.

add_library(alcedo_build_options INTERFACE)
target_compile_features(alcedo_build_options INTERFACE cxx_std_20)
target_compile_options(alcedo_build_options INTERFACE
  $<BUILD_INTERFACE:-Wall -Wextra -Wpedantic -Wshadow -Wno-unknown-pragmas>
  $<$<AND:$<BOOL:${ALCEDO_WARNINGS_AS_ERRORS}>,$<BOOL:${PROJECT_IS_TOP_LEVEL}>>:-Werror>)
if(ALCEDO_SANITIZE)
  target_compile_options(alcedo_build_options INTERFACE
    -fsanitize=${ALCEDO_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(alcedo_build_options INTERFACE -fsanitize=${ALCEDO_SANITIZE})
endif()

# The headers that nearly everything includes are compiled once, not once for each file: half of the time of a
# build. Off for those who build Alcedo as a part of something else: their flags may differ.
option(ALCEDO_PRECOMPILED_HEADERS "Compile the most used headers once" ${PROJECT_IS_TOP_LEVEL})
set(standard_headers <algorithm> <array> <cmath> <cstdint> <cstring> <filesystem> <functional> <map> <memory>
  <optional> <span> <string> <string_view> <utility> <variant> <vector>)
function(alcedo_precompiled_headers name)
  if(NOT ALCEDO_PRECOMPILED_HEADERS)
    return()
  endif()
  file(WRITE "${CMAKE_BINARY_DIR}/${name}.cc.new" "// Only for its precompiled header.\n")
  file(COPY_FILE "${CMAKE_BINARY_DIR}/${name}.cc.new" "${CMAKE_BINARY_DIR}/${name}.cc" ONLY_IF_DIFFERENT)
  add_library(${name} STATIC EXCLUDE_FROM_ALL "${CMAKE_BINARY_DIR}/${name}.cc")
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LINK;HEADERS")
  target_link_libraries(${name} PRIVATE alcedo_build_options ${arg_LINK})
  target_compile_features(${name} PUBLIC cxx_std_20)
  target_precompile_headers(${name} PRIVATE ${arg_HEADERS})
endfunction()
alcedo_precompiled_headers(alcedo_headers LINK Eigen3::Eigen fmt::fmt HEADERS ${standard_headers} <Eigen/Core>
  <fmt/format.h>)
if(TARGET alcedo_headers)
  set_target_properties(alcedo_headers PROPERTIES POSITION_INDEPENDENT_CODE ON)
endif()
if(ALCEDO_BUILD_TESTS)
  alcedo_precompiled_headers(alcedo_test_headers LINK Eigen3::Eigen fmt::fmt GTest::gtest GTest::gmock
    HEADERS ${standard_headers} <Eigen/Core> <fmt/format.h> <gtest/gtest.h> <gmock/gmock.h>)
endif()
function(alcedo_use_headers target headers)
  if(ALCEDO_PRECOMPILED_HEADERS)
    target_precompile_headers(${target} REUSE_FROM ${headers})
  endif()
endfunction()

# alcedo_module(NAME SOURCES ... HEADERS ... [PUBLIC targets...] [PRIVATE targets...])
# Adds the static library alcedo_NAME, also called alcedo::NAME.
function(alcedo_module name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;HEADERS;PUBLIC;PRIVATE")
  add_library(alcedo_${name} STATIC ${arg_SOURCES})
  add_library(alcedo::${name} ALIAS alcedo_${name})
  target_sources(alcedo_${name} PUBLIC FILE_SET HEADERS
    BASE_DIRS "${PROJECT_SOURCE_DIR}/src" FILES ${arg_HEADERS})
  set_target_properties(alcedo_${name} PROPERTIES EXPORT_NAME ${name}
    POSITION_INDEPENDENT_CODE ON)
  target_compile_features(alcedo_${name} PUBLIC cxx_std_20)
  target_link_libraries(alcedo_${name} PUBLIC ${arg_PUBLIC}
    PRIVATE $<BUILD_INTERFACE:alcedo_build_options> ${arg_PRIVATE})
  alcedo_use_headers(alcedo_${name} alcedo_headers)
  set_property(GLOBAL APPEND PROPERTY ALCEDO_MODULES alcedo_${name})
endfunction()

# alcedo_test(NAME SOURCES ... [LINK targets...] [TIMEOUT seconds] [LABELS ...])
function(alcedo_test name)
  if(NOT ALCEDO_BUILD_TESTS)
    return()
  endif()
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TIMEOUT" "SOURCES;LINK;LABELS")
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 300)
  endif()
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE alcedo_build_options ${arg_LINK} GTest::gtest_main GTest::gmock)
  alcedo_use_headers(${name} alcedo_test_headers)
  # One ctest entry per binary: starting a process per case would dominate the run.
  add_test(NAME ${name} COMMAND ${name} --gtest_brief=1)
  set_tests_properties(${name} PROPERTIES TIMEOUT ${arg_TIMEOUT} LABELS "${arg_LABELS}")
endfunction()
