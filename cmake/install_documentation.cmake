# SPDX-License-Identifier: Apache-2.0
# Installs docs/ and examples/ of SOURCE to TARGET: the files that git knows. A tree without git is an
# unpacked archive of a commit, which has no others.
execute_process(COMMAND git -C ${SOURCE} ls-files docs examples
                OUTPUT_VARIABLE listed RESULT_VARIABLE failed ERROR_QUIET)
if(failed)
  file(INSTALL ${SOURCE}/docs ${SOURCE}/examples DESTINATION ${TARGET} PATTERN node_modules EXCLUDE)
  return()
endif()
string(REGEX REPLACE "\n$" "" listed "${listed}")
string(REPLACE "\n" ";" listed "${listed}")
foreach(file IN LISTS listed)
  get_filename_component(folder ${file} DIRECTORY)
  file(INSTALL ${SOURCE}/${file} DESTINATION ${TARGET}/${folder})
endforeach()
