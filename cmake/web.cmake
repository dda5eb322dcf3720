# SPDX-License-Identifier: Apache-2.0
# The page of the dashboard becomes part of enfold_gateway as gateway::web_files(): npm builds it from
# web/ into the build tree. Target: enfold_web_files. Without ENFOLD_WEB the list is empty and npm is
# not needed.
option(ENFOLD_WEB "Build the dashboard's page with npm and embed it" ${PROJECT_IS_TOP_LEVEL})

set(enfold_web_output ${PROJECT_BINARY_DIR}/web)
set(enfold_web_source ${enfold_web_output}/web_files.cc)
if(ENFOLD_WEB)
  find_program(NPM npm)
  if(NOT NPM)
    message(FATAL_ERROR "expected npm to build the dashboard's page, found none\n"
                        "hint: run tools/setup build, or configure with -DENFOLD_WEB=OFF")
  endif()
  set(web ${PROJECT_SOURCE_DIR}/web)
  file(GLOB_RECURSE web_sources CONFIGURE_DEPENDS ${web}/src/*)
  # In web/ itself, so that every build tree uses the same packages. Returns at once if they are there.
  add_custom_command(OUTPUT ${enfold_web_output}/packages
    COMMAND ${PROJECT_SOURCE_DIR}/tools/setup --quiet web
    COMMAND ${CMAKE_COMMAND} -E touch ${enfold_web_output}/packages
    DEPENDS ${web}/package.json ${web}/package-lock.json ${web}/.npmrc
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} COMMENT "Installing the packages of web/" VERBATIM)
  add_custom_command(OUTPUT ${enfold_web_source}
    COMMAND ${NPM} run --silent build -- --outdir ${enfold_web_output} --embed ${enfold_web_source}
    DEPENDS ${enfold_web_output}/packages ${web}/build.mjs ${web}/tsconfig.json ${web_sources}
    WORKING_DIRECTORY ${web} COMMENT "Building the dashboard's page" VERBATIM)
else()
  file(CONFIGURE OUTPUT ${enfold_web_source} @ONLY CONTENT [=[
#include "enfold/gateway/admin/web_files.h"
std::span<const enfold::gateway::WebFile> enfold::gateway::web_files() { return {}; }
]=])
endif()
add_custom_target(enfold_web_files DEPENDS ${enfold_web_source})
target_sources(enfold_gateway PRIVATE ${enfold_web_source})
