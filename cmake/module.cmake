# SPDX-License-Identifier: Apache-2.0
# enfold_module(NAME DEPENDS … PARTS …): the one way to declare a module.
# src/enfold/NAME/*.cc (and sub-folders) become the target enfold_NAME, alias enfold::NAME; the
# sub-folders in PARTS become targets of their own, enfold::NAME_PART, for what not every program needs.
# tests/NAME/*_test.cc become one test program, found by their mirror path. Headers are installed if
# public_headers.cmake lists them; all_verify_interface_header_sets compiles each alone, listed or not.
include(public_headers)
include(portable)
find_package(OpenSSL REQUIRED)
find_package(fmt REQUIRED)
enfold_portable_fmt(enfold_fmt_target)
find_package(tl-expected REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(re2 REQUIRED IMPORTED_TARGET re2)
foreach(library IN ITEMS sqlite3 libzstd hiredis)
  pkg_check_modules(${library} REQUIRED IMPORTED_TARGET ${library})
endforeach()

# Headers only: included by one file of the gateway.
find_path(tomlplusplus_headers toml++/toml.h REQUIRED)

set(enfold_third_party_base OpenSSL::Crypto ${enfold_fmt_target} tl::expected)
set(enfold_third_party_schema PkgConfig::re2)
set(enfold_third_party_redact PkgConfig::re2)
set(enfold_third_party_retrieve PkgConfig::re2)
set(enfold_third_party_retrieve_sql PkgConfig::sqlite3)
set(enfold_third_party_store PkgConfig::libzstd)
set(enfold_third_party_store_sqlite PkgConfig::sqlite3)
set(enfold_third_party_store_redis PkgConfig::hiredis)
set(enfold_third_party_net OpenSSL::SSL)

add_library(enfold_flags INTERFACE)
target_compile_options(enfold_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-missing-field-initializers
  # clang blames its users for what std::stable_sort of libstdc++ 12 calls inside.
  $<$<CXX_COMPILER_ID:Clang>:-Wno-deprecated-declarations -Wno-missing-designated-field-initializers>
  # With -O2 g++ 12 takes members of moved-from variants and maps for uninitialized.
  $<$<AND:$<CXX_COMPILER_ID:GNU>,$<CONFIG:Release>>:-Wno-maybe-uninitialized>)
# Against faults that were not found: what Debian's hardening-check looks for, and checked indexes.
# The other builds have sanitizers or none, so that each error is found where it happens.
target_compile_options(enfold_flags INTERFACE
  $<$<CONFIG:Release>:-fstack-protector-strong -fstack-clash-protection -D_GLIBCXX_ASSERTIONS
  -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3>)
target_link_options(enfold_flags INTERFACE -Wl,-z,relro,-z,now)
set_property(GLOBAL PROPERTY enfold_modules "")

# No path of the machine that built it is in a program or library.
target_compile_options(enfold_flags INTERFACE
  $<$<CONFIG:Release>:-ffile-prefix-map=${PROJECT_SOURCE_DIR}=.>)
# The release program is optimised as a whole when it is linked. The objects hold ordinary code too:
# that is what is installed (drop_link_time_code.cmake).
option(ENFOLD_LTO "Optimise the release program as a whole when it is linked" ON)
set(enfold_link_time $<$<AND:$<BOOL:${ENFOLD_LTO}>,$<CXX_COMPILER_ID:GNU>,$<CONFIG:Release>>:-flto=2;-ffat-lto-objects>)

function(enfold_module name)
  cmake_parse_arguments(arg "" "" "DEPENDS;PARTS" ${ARGN})
  set(folder ${PROJECT_SOURCE_DIR}/src/enfold/${name})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${folder}/*.cc)
  foreach(part IN LISTS arg_PARTS)
    list(FILTER sources EXCLUDE REGEX "^${folder}/${part}/")
  endforeach()
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${folder}/*.h)
  if(NOT sources)
    return()
  endif()
  set(target enfold_${name})
  enfold_library(${name} ${sources})
  set_target_properties(${target} PROPERTIES VERIFY_INTERFACE_HEADER_SETS ON)
  set(public ${enfold_public_headers})
  list(TRANSFORM public PREPEND ${PROJECT_SOURCE_DIR}/src/)
  set(private ${headers})
  list(REMOVE_ITEM private ${public})
  list(REMOVE_ITEM headers ${private} "")
  target_sources(${target} PUBLIC FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR}/src
                 FILES ${headers})
  target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>)
  add_library(${target}_private INTERFACE)
  target_sources(${target}_private INTERFACE FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR}/src
                 FILES ${private})
  target_link_libraries(${target}_private INTERFACE ${target})
  set_target_properties(${target}_private PROPERTIES VERIFY_INTERFACE_HEADER_SETS ON)
  foreach(dependency IN LISTS arg_DEPENDS)
    target_link_libraries(${target} PUBLIC enfold_${dependency})
  endforeach()
  set_property(GLOBAL APPEND PROPERTY enfold_modules ${name})
  foreach(part IN LISTS arg_PARTS)
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${folder}/${part}/*.cc)
    enfold_library(${name}_${part} ${sources})
    target_link_libraries(${target}_${part} PUBLIC ${target})
    set_property(GLOBAL APPEND PROPERTY enfold_parts ${name}_${part})
  endforeach()
endfunction()

# The target of a module or a part.
function(enfold_library name)
  set(target enfold_${name})
  add_library(${target} STATIC ${ARGN})
  add_library(enfold::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name} LINKER_LANGUAGE CXX
                        POSITION_INDEPENDENT_CODE ON)
  target_compile_features(${target} PUBLIC cxx_std_20)
  # Code that may go into a shared library is still ours: nobody replaces one of its functions, so
  # they may be inlined. clang takes that for granted.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fno-semantic-interposition>)
  target_compile_options(${target} PRIVATE ${enfold_link_time})
  target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:enfold_flags>)
  target_link_libraries(${target} PUBLIC ${enfold_third_party_${name}})
endfunction()

# What the linker takes from a part although the module refers to it only weakly: with it, the part is
# in every program that links the target.
function(enfold_part_symbol name symbol)
  target_link_options(enfold_${name} INTERFACE LINKER:-u,${symbol})
endfunction()

# enfold_test_program(NAME SOURCES… LIBRARIES… [LABEL] [SHARDS n]): a GoogleTest program registered with
# ctest, one entry per program; a long one in n parts, which ctest runs side by side.
function(enfold_test_program name)
  cmake_parse_arguments(arg "" "LABEL;SHARDS" "SOURCES;LIBRARIES" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ${arg_LIBRARIES} enfold_all_parts enfold_flags GTest::gtest_main GTest::gmock)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  target_compile_definitions(${name} PRIVATE ENFOLD_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  if(NOT arg_LABEL)
    set(arg_LABEL unit)
  endif()
  if(NOT arg_SHARDS)
    add_test(NAME ${name} COMMAND ${name})
    set_tests_properties(${name} PROPERTIES LABELS ${arg_LABEL})
    return()
  endif()
  math(EXPR last "${arg_SHARDS} - 1")
  foreach(shard RANGE ${last})
    add_test(NAME ${name}_${shard} COMMAND ${name})
    set_tests_properties(${name}_${shard} PROPERTIES LABELS ${arg_LABEL}
      ENVIRONMENT "GTEST_TOTAL_SHARDS=${arg_SHARDS};GTEST_SHARD_INDEX=${shard}")
  endforeach()
endfunction()

# Kernels that are compiled for one instruction set each and chosen at run time.
function(enfold_instruction_sets)
  if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    return()
  endif()
  set(json ${PROJECT_SOURCE_DIR}/src/enfold/json/detail)
  set_source_files_properties(${json}/utf8_avx2.cc PROPERTIES COMPILE_OPTIONS "-mavx2")
  set_source_files_properties(${json}/scan_avx2.cc PROPERTIES COMPILE_OPTIONS "-mavx2;-mbmi;-mbmi2")
  set_source_files_properties(${json}/escape_avx512.cc PROPERTIES COMPILE_OPTIONS
    "-mavx512f;-mavx512bw;-mavx512vl;-mavx512vbmi;-mavx512vbmi2;-mbmi;-mbmi2;-mpopcnt;-mlzcnt")
endfunction()
enfold_instruction_sets()
