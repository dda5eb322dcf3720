# SPDX-License-Identifier: Apache-2.0
# cmake -DCOMPILER=… -DCASE=… -DINCLUDE=… -P compile_case.cmake
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
