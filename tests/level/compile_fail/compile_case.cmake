# SPDX-License-Identifier: Apache-2.0
# cmake -DCOMPILER=… -DCASE=… -DINCLUDE=… [-DMOST_LINES=…] -P compile_case.cmake
# A case says in the line "// expect: TEXT" what the first line of the first error has to say, and in
# "// names: TEXT" what that line has to name: a member, a type, or the type of a handler.
foreach(key expect names)
  file(STRINGS ${CASE} ${key} REGEX "^// ${key}: ")
  string(REGEX REPLACE "^// ${key}: " "" ${key} "${${key}}")
endforeach()
if(expect STREQUAL "")
  message(FATAL_ERROR "${CASE}: no line \"// expect: TEXT\"")
endif()

execute_process(COMMAND ${COMPILER} -std=c++20 -fsyntax-only -I ${INCLUDE} ${CASE}
                RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)

if(expect STREQUAL "success")
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "expected ${CASE} to compile, found:\n${output}")
  endif()
  return()
endif()
if(status EQUAL 0)
  message(FATAL_ERROR "expected ${CASE} not to compile, but it does")
endif()
if(names STREQUAL "")
  message(FATAL_ERROR "${CASE}: no line \"// names: TEXT\"")
endif()
string(REGEX MATCH "error: [^\n]*" first "${output}")
foreach(key expect names)
  string(FIND "${first}" "${${key}}" found)
  if(found EQUAL -1)
    message(FATAL_ERROR "expected the first error to say \"${${key}}\", found:\n${output}")
  endif()
endforeach()

# An author reads the first lines; more of them hide what is wrong.
if(DEFINED MOST_LINES)
  string(REGEX MATCHALL "\n" breaks "${output}")
  list(LENGTH breaks lines)
  if(lines GREATER MOST_LINES)
    message(FATAL_ERROR "expected at most ${MOST_LINES} lines, found ${lines}:\n${output}")
  endif()
endif()
