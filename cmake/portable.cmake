# SPDX-License-Identifier: Apache-2.0
# ENFOLD_PORTABLE: a program that needs nothing but the C library, for the npm package and the archive.
# Debian has static libraries of all that it links but fmt, whose implementation is in its headers; see
# docs/decisions/0013-portable-program.md.
option(ENFOLD_PORTABLE "Link everything but the C library into the program" OFF)
if(ENFOLD_PORTABLE)
  set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
  set(OPENSSL_USE_STATIC_LIBS ON)
endif()

# The target of fmt to link: that of Debian's shared library, or one of its headers.
function(enfold_portable_fmt result)
  set(${result} fmt::fmt PARENT_SCOPE)
  if(NOT ENFOLD_PORTABLE)
    return()
  endif()
  add_library(enfold_fmt STATIC ${PROJECT_SOURCE_DIR}/cmake/portable_fmt.cc)
  set_target_properties(enfold_fmt PROPERTIES POSITION_INDEPENDENT_CODE ON)
  # FMT_SHARED as with the shared library: so the objects are the same, and a compiler cache has them.
  target_compile_definitions(enfold_fmt PUBLIC FMT_SHARED)
  set(${result} enfold_fmt PARENT_SCOPE)
endfunction()

function(enfold_portable_link program)
  if(ENFOLD_PORTABLE)
    target_sources(${program} PRIVATE ${PROJECT_SOURCE_DIR}/cmake/portable_random.cc)
    target_link_options(${program} PRIVATE -static-libstdc++ -static-libgcc)
  endif()
endfunction()
