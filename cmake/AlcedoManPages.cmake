# Writes the manual to FOLDER: the program PROGRAM knows its commands, and prints a page of each.
function(print_to variable)
  execute_process(COMMAND "${PROGRAM}" ${ARGN} OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
  set(${variable} "${output}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE "${FOLDER}")
print_to(page __man)
file(WRITE "${FOLDER}/alcedo.1" "${page}")
# What the empty word can become: all commands, and options.
execute_process(COMMAND "${PROGRAM}" __complete "" OUTPUT_VARIABLE commands COMMAND_ERROR_IS_FATAL ANY)
string(REPLACE "\n" ";" commands "${commands}")
foreach(command IN LISTS commands)
  if(command MATCHES "^[a-z]")
    print_to(page __man "${command}")
    file(WRITE "${FOLDER}/alcedo-${command}.1" "${page}")
  endif()
endforeach()
