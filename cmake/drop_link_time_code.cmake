# SPDX-License-Identifier: Apache-2.0
# Removes the code for link-time optimisation from the libraries in FOLDER, with OBJCOPY. With it, every link
# of a user's program would optimise all of Enfold again: a minute instead of less than a second.
file(GLOB libraries ${FOLDER}/libenfold_*.a)
foreach(library IN LISTS libraries)
  execute_process(COMMAND ${OBJCOPY} --enable-deterministic-archives --remove-section=.gnu.lto_*
                          --remove-section=.gnu.debuglto_* ${library}
                  COMMAND_ERROR_IS_FATAL ANY)
endforeach()
