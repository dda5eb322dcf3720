# SPDX-License-Identifier: Apache-2.0
# cmake -DCOMPILER=… -DCASE=… -DINCLUDE=… [-DMOST_LINES=…] -P compile_case.cmake
file(STRINGS ${CASE} expectation REGEX "^// expect: ")
string(REGEX REPLACE "^// expect: " "" expectation "${expectation}")
if(expectation STREQUAL "")
  message(FATAL_ERROR "${CASE}: no line \"// expect: TEXT\"")
endif()

execute_process(COMMAND ${COMPILER} -std=c++20 -fsyntax-only -I ${INCLUDE} ${CASE}
                RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)

if(expectation STREQUAL "success")
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "expected ${CASE} to compile, found:\n${output}")
  endif()
  return()
endif()
if(status EQUAL 0)
  message(FATAL_ERROR "expected ${CASE} not to compile, but it does")
endif()
string(FIND "${output}" "${expectation}" found)
if(found EQUAL -1)
  message(FATAL_ERROR "expected the compiler to say \"${expectation}\", found:\n${output}")
endif()

# An author reads the first lines; more of them hide what is wrong.
if(DEFINED MOST_LINES)
  string(REGEX MATCHALL "\n" breaks "${output}")
  list(LENGTH breaks lines)
  if(lines GREATER MOST_LINES)
    message(FATAL_ERROR "expected at most ${MOST_LINES} lines, found ${lines}:\n${output}")
  endif()
endif()
