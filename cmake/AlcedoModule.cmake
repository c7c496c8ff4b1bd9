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
  # One ctest entry per binary: starting a process per case would dominate the run.
  add_test(NAME ${name} COMMAND ${name} --gtest_brief=1)
  set_tests_properties(${name} PROPERTIES TIMEOUT ${arg_TIMEOUT} LABELS "${arg_LABELS}")
endfunction()
