# How each dependency is found where the program is built for a browser, by emscripten. Libraries that
# are headers come from the distribution; cmark, liblzma and Dear ImGui are compiled from sources that
# web_sources.sh gets. README.md beside this file gives minimum versions and licences.
# Its clang warns of more than g++ does under the same names; sizes are 32 bits wide there.
add_compile_options(-Wno-sign-conversion -Wno-shorten-64-to-32 -Wno-unused-private-field)
find_package(Python3 REQUIRED COMPONENTS Interpreter)
add_library(Threads::Threads INTERFACE IMPORTED)  # a page without special headers has none

# Of the system's folder only these headers may be seen: the C library there is another one.
set(HEADERS ${CMAKE_BINARY_DIR}/headers)
file(MAKE_DIRECTORY ${HEADERS})
foreach(library fmt nlohmann toml++ CLI)
  find_path(FOLDER_OF_${library} ${library} PATHS /usr/include /usr/local/include REQUIRED NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH)
  file(CREATE_LINK ${FOLDER_OF_${library}}/${library} ${HEADERS}/${library} SYMBOLIC)
endforeach()
add_library(fmt_once STATIC ${CMAKE_CURRENT_LIST_DIR}/fmt.cpp)
target_include_directories(fmt_once SYSTEM PUBLIC ${HEADERS})
foreach(library nlohmann_json::nlohmann_json CLI11::CLI11 tomlplusplus)
  add_library(${library} INTERFACE IMPORTED)
  target_include_directories(${library} SYSTEM INTERFACE ${HEADERS})
endforeach()
include_directories(BEFORE SYSTEM ${CMAKE_CURRENT_LIST_DIR}/json)  # before the headers of all
set_property(TARGET tomlplusplus PROPERTY INTERFACE_COMPILE_DEFINITIONS TOML_HEADER_ONLY=1)

set(SOURCES ${CMAKE_BINARY_DIR}/sources)
if(NOT EXISTS ${SOURCES}/complete)
  execute_process(COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/web_sources.sh ${SOURCES} COMMAND_ERROR_IS_FATAL ANY)
endif()

set(CMARK ${SOURCES}/cmark/src)
foreach(file blocks buffer cmark cmark_ctype commonmark houdini_href_e houdini_html_e houdini_html_u html
        inlines iterator latex man node references render scanners utf8 xml)
  list(APPEND CMARK_FILES ${CMARK}/${file}.c)
endforeach()
add_library(cmark STATIC ${CMARK_FILES})
set(CMARK_GENERATED ${CMAKE_BINARY_DIR}/generated/cmark)
file(CONFIGURE OUTPUT ${CMARK_GENERATED}/config.h @ONLY CONTENT
"#include <stdbool.h>
#define HAVE_STDBOOL_H
#define HAVE___BUILTIN_EXPECT
#define HAVE___ATTRIBUTE__
#define CMARK_ATTRIBUTE(list) __attribute__(list)
#ifndef CMARK_INLINE
#define CMARK_INLINE inline
#endif
")
file(CONFIGURE OUTPUT ${CMARK_GENERATED}/cmark_export.h @ONLY CONTENT
"#define CMARK_EXPORT
#define CMARK_NO_EXPORT
")
file(CONFIGURE OUTPUT ${CMARK_GENERATED}/cmark_version.h @ONLY CONTENT
"#define CMARK_VERSION ((0 << 16) | (30 << 8) | 2)
#define CMARK_VERSION_STRING \"0.30.2\"
")
target_include_directories(cmark SYSTEM PUBLIC ${CMARK} ${CMARK_GENERATED})
target_compile_definitions(cmark PUBLIC CMARK_STATIC_DEFINE)
target_compile_options(cmark PRIVATE -w -Os)

# What reads and writes LZMA2, in one thread.
set(XZ ${SOURCES}/xz/src)
file(GLOB XZ_FILES ${XZ}/liblzma/common/*.c ${XZ}/liblzma/lz/*.c ${XZ}/liblzma/lzma/*.c)
list(FILTER XZ_FILES EXCLUDE REGEX "_mt\\.c|outqueue|hardware_|tablegen|file_info|string_conversion")
add_library(lzma STATIC ${XZ_FILES} ${XZ}/liblzma/rangecoder/price_table.c ${XZ}/liblzma/check/check.c
  ${XZ}/liblzma/check/crc32_fast.c ${XZ}/liblzma/check/crc32_table.c
  ${XZ}/liblzma/check/crc64_fast.c ${XZ}/liblzma/check/crc64_table.c)
target_include_directories(lzma SYSTEM PUBLIC ${XZ}/liblzma/api)
foreach(folder common check lz rangecoder lzma delta simple)
  target_include_directories(lzma PRIVATE ${XZ}/liblzma/${folder})
endforeach()
target_include_directories(lzma PRIVATE ${XZ}/common)
target_compile_definitions(lzma PRIVATE TUKLIB_SYMBOL_PREFIX=lzma_ HAVE_STDBOOL_H HAVE__BOOL HAVE_STDINT_H
  HAVE_INTTYPES_H HAVE_CHECK_CRC32 HAVE_CHECK_CRC64 HAVE_DECODERS HAVE_DECODER_LZMA1 HAVE_DECODER_LZMA2
  HAVE_ENCODERS HAVE_ENCODER_LZMA1 HAVE_ENCODER_LZMA2 HAVE_MF_HC3 HAVE_MF_HC4 HAVE_MF_BT2 HAVE_MF_BT3
  HAVE_MF_BT4 PACKAGE_NAME="xz" PACKAGE_BUGREPORT="" PACKAGE_URL="")
target_compile_options(lzma PRIVATE -w -O2)

if(LANEWISE_WINDOW)
  include(${CMAKE_CURRENT_LIST_DIR}/web_window.cmake)
endif()
