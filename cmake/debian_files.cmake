# SPDX-License-Identifier: Apache-2.0
# What CPack is about to pack: without sections that no program reads, and as old as the commit, so that the
# same commit gives the same bytes.
file(GLOB folders ${CPACK_TEMPORARY_DIRECTORY}/*)
foreach(folder IN LISTS folders)
  file(GLOB programs ${folder}/usr/bin/*)
  file(GLOB_RECURSE libraries ${folder}/usr/lib/*.a)
  foreach(file IN LISTS programs)
    execute_process(COMMAND strip --strip-unneeded --remove-section=.comment --remove-section=.note ${file}
                    COMMAND_ERROR_IS_FATAL ANY)
  endforeach()
  foreach(file IN LISTS libraries)
    execute_process(COMMAND strip --strip-debug --enable-deterministic-archives --remove-section=.comment ${file}
                    COMMAND_ERROR_IS_FATAL ANY)
  endforeach()
  execute_process(COMMAND find ${folder} -exec touch --no-dereference --date=@$ENV{SOURCE_DATE_EPOCH} {} +
                  COMMAND_ERROR_IS_FATAL ANY)
endforeach()
