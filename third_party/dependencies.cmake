# How each dependency is found. README.md beside this file gives minimum versions and licences.
# Distribution packages only; Dear ImGui alone has a fallback, because some platforms lack its package.
find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
find_package(Python3 REQUIRED COMPONENTS Interpreter)
find_package(fmt 9 REQUIRED)
add_library(fmt_once STATIC ${CMAKE_CURRENT_LIST_DIR}/fmt.cpp)
target_include_directories(fmt_once SYSTEM PUBLIC
  $<TARGET_PROPERTY:fmt::fmt-header-only,INTERFACE_INCLUDE_DIRECTORIES>)
find_package(nlohmann_json 3.10 REQUIRED)
target_include_directories(nlohmann_json::nlohmann_json BEFORE INTERFACE ${CMAKE_CURRENT_LIST_DIR}/json)
find_package(CLI11 2.1 REQUIRED)
find_path(TOMLPLUSPLUS_INCLUDE toml++/toml.h REQUIRED)
add_library(tomlplusplus INTERFACE)
target_include_directories(tomlplusplus SYSTEM INTERFACE ${TOMLPLUSPLUS_INCLUDE})
target_compile_definitions(tomlplusplus INTERFACE TOML_HEADER_ONLY=1)
# The static library where there is one: the engine is copied to servers as one file.
find_path(CMARK_INCLUDE cmark.h REQUIRED)
find_library(CMARK_LIBRARY NAMES libcmark.a cmark REQUIRED)
add_library(cmark INTERFACE)
target_include_directories(cmark SYSTEM INTERFACE ${CMARK_INCLUDE})
target_compile_definitions(cmark INTERFACE CMARK_STATIC_DEFINE)
target_link_libraries(cmark INTERFACE ${CMARK_LIBRARY})
# Likewise.
find_path(LZMA_INCLUDE lzma.h REQUIRED)
find_library(LZMA_LIBRARY NAMES liblzma.a lzma REQUIRED)
add_library(lzma INTERFACE)
target_include_directories(lzma SYSTEM INTERFACE ${LZMA_INCLUDE})
target_link_libraries(lzma INTERFACE ${LZMA_LIBRARY} Threads::Threads)

# Headers alone; the engine still needs libc and nothing else.
find_path(BOOST_INCLUDE boost/beast.hpp)
if(NOT BOOST_INCLUDE)
  message(FATAL_ERROR "Boost's headers with Beast are missing, which serve a class by HTTP. "
                      "Install them (Debian, Ubuntu: apt install libboost-dev) and configure again.")
endif()
add_library(boost INTERFACE)
target_include_directories(boost SYSTEM INTERFACE ${BOOST_INCLUDE})
target_link_libraries(boost INTERFACE Threads::Threads)

# CUTLASS's headers, for the CuTe stages at run time: nothing here is built with them.
option(LANEWISE_FETCH_CUTLASS "fetch CUTLASS's headers, for the CuTe stages" OFF)
if(LANEWISE_FETCH_CUTLASS)
  include(FetchContent)
  FetchContent_Declare(cutlass GIT_REPOSITORY https://github.com/NVIDIA/cutlass.git
                       GIT_TAG v3.4.1 GIT_SHALLOW TRUE SOURCE_DIR ${CMAKE_BINARY_DIR}/cutlass)
  FetchContent_GetProperties(cutlass)
  if(NOT cutlass_POPULATED)
    FetchContent_Populate(cutlass)
  endif()
endif()

if(LANEWISE_WINDOW)
  include(${CMAKE_CURRENT_LIST_DIR}/window.cmake)
endif()
if(LANEWISE_TESTS)
  find_package(GTest 1.11 REQUIRED)
  find_package(benchmark 1.6 REQUIRED)
endif()
