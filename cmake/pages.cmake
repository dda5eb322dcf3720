# SPDX-License-Identifier: Apache-2.0
# Man pages and completions, written by the program itself from the declarations of its command line.
# SOURCE_DATE_EPOCH is the date of the pages; without it, today. A program of another architecture runs
# in CMAKE_CROSSCOMPILING_EMULATOR.
set(pages ${PROJECT_BINARY_DIR}/pages)
add_custom_command(OUTPUT ${pages}/stamp
                   COMMAND enfold generate all ${pages}
                   COMMAND ${CMAKE_COMMAND} -E touch ${pages}/stamp
                   DEPENDS enfold COMMENT "Writing man pages and completions" VERBATIM)
add_custom_target(enfold_pages ALL DEPENDS ${pages}/stamp)
install(DIRECTORY ${pages}/man1 ${pages}/man5 DESTINATION ${CMAKE_INSTALL_MANDIR} COMPONENT pages)
install(FILES ${pages}/bash/enfold DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT pages)
install(FILES ${pages}/zsh/_enfold DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions COMPONENT pages)
install(FILES ${pages}/fish/enfold.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT pages)
