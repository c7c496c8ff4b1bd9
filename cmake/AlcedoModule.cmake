# One module of the library = one folder = one target = one test binary.

# For programs that use the library as others would.
add_library(alcedo_flags INTERFACE)
target_compile_features(alcedo_flags INTERFACE cxx_std_20)
target_compile_options(alcedo_flags INTERFACE
  $<BUILD_INTERFACE:-Wall -Wextra -Wpedantic -Wshadow -Wno-unknown-pragmas>
  # GCC 12 takes Eigen's packets for reads beyond small arrays whose size it knows: a warning, not an error.
  "$<$<AND:$<BOOL:${ALCEDO_WARNINGS_AS_ERRORS}>,$<BOOL:${PROJECT_IS_TOP_LEVEL}>>:-Werror;-Wno-error=array-bounds>")
if(ALCEDO_SANITIZE)
  target_compile_options(alcedo_flags INTERFACE
    -fsanitize=${ALCEDO_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(alcedo_flags INTERFACE -fsanitize=${ALCEDO_SANITIZE})
endif()
# For the library itself and all that looks inside it. Its Eigen has a namespace of its own: functions of the same name
# that a program compiles with other flags would otherwise take the place of the library's when the two are linked.
add_library(alcedo_build_options INTERFACE)
target_link_libraries(alcedo_build_options INTERFACE alcedo_flags)
target_compile_definitions(alcedo_build_options INTERFACE Eigen=alcedo_eigen)
# A precompiled header is used only by those who define what it was compiled with, and fmt defines something.
target_compile_definitions(alcedo_build_options INTERFACE $<TARGET_PROPERTY:fmt::fmt,INTERFACE_COMPILE_DEFINITIONS>)

# The headers that nearly everything includes are compiled once, not once for each file: half of the time of a
# build. Off for those who build Alcedo as a part of something else: their flags may differ.
option(ALCEDO_PRECOMPILED_HEADERS "Compile the most used headers once" ${PROJECT_IS_TOP_LEVEL})
set(standard_headers <algorithm> <array> <cmath> <cstdint> <cstring> <filesystem> <functional> <map> <memory>
  <optional> <span> <string> <string_view> <utility> <variant> <vector>)
# Compiling tests takes longer than running them: those that compute little themselves are compiled in half of the time.
set(alcedo_unoptimized $<$<CONFIG:Release>:-O0>)
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
  set(test_headers ${standard_headers} <Eigen/Core> <fmt/format.h> <gtest/gtest.h> <gmock/gmock.h>)
  alcedo_precompiled_headers(alcedo_test_headers LINK Eigen3::Eigen fmt::fmt GTest::gtest GTest::gmock
    HEADERS ${test_headers})
  alcedo_precompiled_headers(alcedo_unoptimized_test_headers
    LINK Eigen3::Eigen fmt::fmt GTest::gtest GTest::gmock nlohmann_json::nlohmann_json
    HEADERS ${test_headers} <nlohmann/json.hpp>)
  if(TARGET alcedo_unoptimized_test_headers)
    target_compile_options(alcedo_unoptimized_test_headers PRIVATE ${alcedo_unoptimized})
  endif()
endif()
function(alcedo_use_headers target headers)
  if(ALCEDO_PRECOMPILED_HEADERS)
    target_precompile_headers(${target} REUSE_FROM ${headers})
  endif()
endfunction()

# Several files of a target at once: headers and the templates that they need are compiled once for all of them. Not
# those that include themselves once for each instruction set.
option(ALCEDO_UNITY_BUILD "Compile several files of a module at once" ${PROJECT_IS_TOP_LEVEL})
function(alcedo_unity target)
  if(NOT ALCEDO_UNITY_BUILD)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    cmake_path(ABSOLUTE_PATH source OUTPUT_VARIABLE file)
    file(STRINGS "${file}" several_times REGEX "hwy/foreach_target.h")
    if(several_times)
      set_source_files_properties("${source}" PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    endif()
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0)
endfunction()

# alcedo_module(NAME SOURCES ... HEADERS ... [PUBLIC targets...] [PRIVATE targets...])
# Adds the static library alcedo_NAME, also called alcedo::NAME. HEADERS are for other modules; programs get those that
# src/alcedo/alcedo.h names.
function(alcedo_module name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;HEADERS;PUBLIC;PRIVATE")
  add_library(alcedo_${name} STATIC ${arg_SOURCES})
  add_library(alcedo::${name} ALIAS alcedo_${name})
  target_sources(alcedo_${name} PRIVATE ${arg_HEADERS})
  target_include_directories(alcedo_${name} PUBLIC "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>"
    "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
  set_target_properties(alcedo_${name} PROPERTIES EXPORT_NAME ${name}
    POSITION_INDEPENDENT_CODE ON)
  target_compile_features(alcedo_${name} PUBLIC cxx_std_20)
  target_link_libraries(alcedo_${name} PUBLIC ${arg_PUBLIC}
    PRIVATE $<BUILD_INTERFACE:alcedo_build_options> ${arg_PRIVATE})
  alcedo_use_headers(alcedo_${name} alcedo_headers)
  alcedo_unity(alcedo_${name})
  set_property(GLOBAL APPEND PROPERTY ALCEDO_MODULES alcedo_${name})
endfunction()

if(ALCEDO_BUILD_TESTS)
  add_library(alcedo_test_main STATIC "${PROJECT_SOURCE_DIR}/src/alcedo/testing/test_main.cc")
  target_link_libraries(alcedo_test_main PRIVATE alcedo_build_options PUBLIC GTest::gtest GTest::gmock)
  target_compile_options(alcedo_test_main PRIVATE ${alcedo_unoptimized})
endif()

# alcedo_test(NAME SOURCES ... [LINK targets...] [TIMEOUT seconds] [LABELS ...] [DATA tests...] [UNOPTIMIZED])
# DATA are tests that are skipped if there is no shared data beside the repository. Each is a test of its own in ctest,
# which so shows that it was skipped; inside a binary that passes nobody would see it.
function(alcedo_test name)
  if(NOT ALCEDO_BUILD_TESTS)
    return()
  endif()
  cmake_parse_arguments(PARSE_ARGV 1 arg "UNOPTIMIZED" "TIMEOUT" "SOURCES;LINK;LABELS;DATA")
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 300)
  endif()
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE alcedo_build_options ${arg_LINK} alcedo_test_main)
  if(arg_UNOPTIMIZED)
    target_compile_options(${name} PRIVATE ${alcedo_unoptimized})
    alcedo_use_headers(${name} alcedo_unoptimized_test_headers)
  else()
    alcedo_use_headers(${name} alcedo_test_headers)
  endif()
  # One ctest entry per binary: starting a process per case would dominate the run.
  list(JOIN arg_DATA ":" data)
  add_test(NAME ${name} COMMAND ${name} --gtest_brief=1 "--gtest_filter=-${data}")
  set_tests_properties(${name} PROPERTIES LABELS "${arg_LABELS}")
  set(entries ${name})
  foreach(test IN LISTS arg_DATA)
    add_test(NAME ${name}.${test} COMMAND ${name} --gtest_brief=1 "--gtest_filter=${test}")
    set_tests_properties(${name}.${test} PROPERTIES LABELS "${arg_LABELS};data")
    list(APPEND entries ${name}.${test})
  endforeach()
  # Two of one binary at the same time would write their results (GTEST_OUTPUT) into one file.
  set_tests_properties(${entries} PROPERTIES TIMEOUT ${arg_TIMEOUT} SKIP_RETURN_CODE 77 RESOURCE_LOCK ${name})
endfunction()
