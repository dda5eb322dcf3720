# SPDX-License-Identifier: Apache-2.0
# ENFOLD_DEBIAN: the packages enfold and libenfold-dev, by CPack. tools/package runs it; it puts what is
# generated (man pages, completions, changelog) into debian/program and debian/dev of the build folder.
option(ENFOLD_DEBIAN "Prepare Debian packages" OFF)
if(NOT ENFOLD_DEBIAN)
  return()
endif()
set(debian ${PROJECT_SOURCE_DIR}/packaging/debian)
foreach(component IN ITEMS program dev)
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/debian/${component})
  install(DIRECTORY ${PROJECT_BINARY_DIR}/debian/${component}/ DESTINATION /usr COMPONENT ${component}
          FILE_PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
endforeach()
install(FILES ${debian}/enfold.service DESTINATION /lib/systemd/system COMPONENT program)
install(FILES ${debian}/enfold.toml DESTINATION /etc/enfold COMPONENT program)
install(DIRECTORY DESTINATION /etc/enfold/keys COMPONENT program
        DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)

set(CPACK_GENERATOR DEB)
set(CPACK_SET_DESTDIR ON)
set(CPACK_INSTALL_PREFIX /usr)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL program dev)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "fits answers of MCP tools to a token budget")
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "Enfold maintainers <maintainers@enfold.dev>")
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
    WORLD_READ WORLD_EXECUTE)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/debian_files.cmake)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_HOMEPAGE https://enfold.dev)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME enfold)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION net)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS ca-certificates)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS "npm, nginx, redis-server")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_CONTROL_EXTRA
    "${debian}/conffiles;${debian}/postinst;${debian}/prerm;${debian}/postrm")
set(CPACK_DEBIAN_PROGRAM_DESCRIPTION "Enfold runs in front of MCP servers, over stdio or HTTP. Every tool answer
gets one response contract, loses its credentials, and fits the token budget
of the client; what was cut is archived and can be fetched.")

set(CPACK_DEBIAN_DEV_PACKAGE_NAME libenfold-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS
    "g++ (>= 4:12), libexpected-dev, libfmt-dev, libhiredis-dev, libre2-dev, libsqlite3-dev, libssl-dev, libzstd-dev, pkg-config")
set(CPACK_DEBIAN_DEV_PACKAGE_SUGGESTS cmake)
set(CPACK_DEBIAN_DEV_DESCRIPTION "Headers, static libraries and the CMake package of Enfold, for C++20 programs:
MCP servers with typed tools, MCP clients, and shaping of tool answers to a
token budget.")
include(CPack)
