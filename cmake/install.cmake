# SPDX-License-Identifier: Apache-2.0
# Installs every module and part as the CMake package `enfold` (find_package(enfold), link enfold::server,
# enfold::retrieve or any other).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
install(TARGETS enfold COMPONENT program)
include(pages)
if(ENFOLD_PORTABLE)
  return()  # for others to link, there are the libraries that use those of the system
endif()
get_property(modules GLOBAL PROPERTY enfold_modules)
get_property(parts GLOBAL PROPERTY enfold_parts)
list(APPEND modules ${parts})
list(TRANSFORM modules PREPEND enfold_ OUTPUT_VARIABLE targets)
install(TARGETS ${targets} EXPORT enfold_targets ARCHIVE COMPONENT dev FILE_SET HEADERS COMPONENT dev)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  install(CODE "set(OBJCOPY \"${CMAKE_OBJCOPY}\")
set(FOLDER \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}\")" COMPONENT dev)
  install(SCRIPT ${PROJECT_SOURCE_DIR}/cmake/drop_link_time_code.cmake COMPONENT dev)
endif()
install(EXPORT enfold_targets NAMESPACE enfold:: FILE enfold-targets.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/enfold COMPONENT dev)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/enfold-config.cmake.in
  ${PROJECT_BINARY_DIR}/enfold-config.cmake INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/enfold)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/enfold-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/enfold-config.cmake ${PROJECT_BINARY_DIR}/enfold-config-version.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/enfold COMPONENT dev)
# The documentation with everything that it links to, at the same relative places.
# Of docs and examples what is committed: examples leave their data in the tree when they run.
install(CODE "set(SOURCE \"${PROJECT_SOURCE_DIR}\")
set(TARGET \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DOCDIR}\")" COMPONENT docs)
install(SCRIPT ${PROJECT_SOURCE_DIR}/cmake/install_documentation.cmake COMPONENT docs)
file(GLOB promises RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/promises/*_test.cc)
foreach(file IN ITEMS README.md ARCHITECTURE.md CHANGELOG.md CONTRIBUTING.md SECURITY.md LICENSE bench/README.md
                      data/tokens/README.md schema/settings/fit-policy.json tests/contract/conversion_test.cc
                      ${promises})
  get_filename_component(folder ${file} DIRECTORY)
  install(FILES ${PROJECT_SOURCE_DIR}/${file} DESTINATION ${CMAKE_INSTALL_DOCDIR}/${folder} COMPONENT docs)
endforeach()
