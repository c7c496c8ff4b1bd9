# Installs the build to a folder of its own, then configures, builds and runs projects outside the tree.
file(REMOVE_RECURSE "${WORK}")
function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "failed: ${ARGV}\n${output}")
  endif()
  message(STATUS "${output}")
endfunction()

run("${CMAKE_COMMAND}" --install "${BUILD_DIR}" --prefix "${WORK}/prefix")
file(COPY "${SOURCE}/consumer" "${SOURCE}/core" "${SOURCE}/any_flags.cc" DESTINATION "${WORK}")
foreach(project consumer core)
  run("${CMAKE_COMMAND}" -S "${WORK}/${project}" -B "${WORK}/build_${project}" -G "${GENERATOR}"
      "-DCMAKE_PREFIX_PATH=${WORK}/prefix" "-DSANITIZE=${SANITIZE}")
  run("${CMAKE_COMMAND}" --build "${WORK}/build_${project}")
  run("${WORK}/build_${project}/${project}")
endforeach()
run("${WORK}/prefix/bin/alcedo" --version)
