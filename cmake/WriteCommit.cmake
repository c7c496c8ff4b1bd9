# Writes the commit of a checkout into a header, if it is another one than before. Run at every build.
# cmake -DSOURCE=folder -DHEADER=file -P WriteCommit.cmake
set(commit "")
find_program(GIT git)
if(GIT AND EXISTS "${SOURCE}/.git")
  execute_process(COMMAND "${GIT}" rev-parse HEAD WORKING_DIRECTORY "${SOURCE}" OUTPUT_VARIABLE commit
                  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  execute_process(COMMAND "${GIT}" status --porcelain --untracked-files=no -- src cmake CMakeLists.txt
                  WORKING_DIRECTORY "${SOURCE}" OUTPUT_VARIABLE changes ERROR_QUIET)
  if(commit AND changes)
    string(APPEND commit " with changes")
  endif()
endif()
set(text "#define ALCEDO_COMMIT \"${commit}\"\n")
if(EXISTS "${HEADER}")
  file(READ "${HEADER}" before)
endif()
if(NOT text STREQUAL "${before}")
  file(WRITE "${HEADER}" "${text}")
endif()
