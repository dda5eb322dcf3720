# enfold_embed(TARGET FUNCTION FILES…): the texts of FILES become part of TARGET as
#   std::span<const enfold::EmbeddedFile> FUNCTION();
# FUNCTION is a qualified name, declared by the header that offers the files. Names keep the file name only.
function(enfold_embed target function)
  cmake_parse_arguments(arg "" "" "FILES" ${ARGN})
  string(REGEX REPLACE "::[^:]*$" "" namespace ${function})
  string(REGEX REPLACE "^.*::" "" name ${function})
  set(entries "")
  foreach(file IN LISTS arg_FILES)
    get_filename_component(file_name ${file} NAME)
    file(READ ${file} text)
    set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    string(APPEND entries "    {\"${file_name}\",\n     R\"embedded(${text})embedded\"},\n")
  endforeach()
  set(output ${PROJECT_BINARY_DIR}/embedded/${target}_${name}.cc)
  file(CONFIGURE OUTPUT ${output} @ONLY CONTENT [=[
// Written by cmake/embed.cmake.
#include "enfold/base/embedded.h"

namespace @namespace@ {
namespace {
constexpr enfold::EmbeddedFile kFiles[] = {
@entries@};
}  // namespace

std::span<const enfold::EmbeddedFile> @name@();
std::span<const enfold::EmbeddedFile> @name@() { return kFiles; }

}  // namespace @namespace@
]=])
  target_sources(${target} PRIVATE ${output})
endfunction()
