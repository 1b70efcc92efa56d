# How everything is compiled for a browser. Exceptions and vectors are WebAssembly's own: every browser
# has both since 2023.
set(lanewise_quick $<$<CONFIG:Release>:-Os>)
# Clang 14 puts two doubles into one vector where it must not (model/traffic.cpp lost a count that way;
# tests/web/engine_test.js found it), so that only loops become vectors.
add_compile_options(-fno-slp-vectorize -fwasm-exceptions -msimd128 -include ${CMAKE_CURRENT_LIST_DIR}/web/library.h)
add_link_options(-fwasm-exceptions)
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
set(CMAKE_C_FLAGS_RELEASE "-O2 -DNDEBUG")
# Debian keeps the modules that emscripten's scripts want where node alone does not look.
set_property(GLOBAL PROPERTY RULE_LAUNCH_LINK "${CMAKE_COMMAND} -E env NODE_PATH=/usr/share/nodejs")
