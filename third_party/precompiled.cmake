# Precompiled headers of libraries, never of our own files: what is parsed again and again is parsed
# once for each set below. Every file includes what it uses all the same, which a build with
# -DLANEWISE_PCH=OFF shows.
option(LANEWISE_PCH "Precompile the headers of libraries" ON)

set(pch_text <algorithm> <array> <atomic> <bit> <charconv> <chrono> <cmath> <condition_variable>
    <cstdint> <cstdio> <cstdlib> <cstring> <deque> <filesystem> <fstream> <functional> <map> <memory>
    <mutex> <numeric> <optional> <set> <span> <sstream> <string> <string_view> <thread> <tuple>
    <unordered_map> <utility> <variant> <vector> <fmt/format.h>)
set(pch_json ${pch_text} <nlohmann/json.hpp>)
set(pch_window ${pch_text} <imgui.h>)
set(pch_test ${pch_text} <gtest/gtest.h>)
set(pch_test_json ${pch_json} <gtest/gtest.h>)
set(pch_test_window ${pch_window} <gtest/gtest.h>)
# What the sets' headers need to be found.
set(pch_json_libraries nlohmann_json::nlohmann_json)
set(pch_window_libraries imgui)
set(pch_test_libraries GTest::gtest)
set(pch_test_json_libraries ${pch_json_libraries} GTest::gtest)
set(pch_test_window_libraries imgui GTest::gtest)

# lanewise_precompile(TARGET SET): TARGET's files begin with the headers of SET. A set is compiled
# once, with the options of the folder that asks first.
function(lanewise_precompile target set)
  if(NOT LANEWISE_PCH)
    return()
  endif()
  if(NOT TARGET precompiled_${set})
    file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/precompiled/${set}.cpp CONTENT "" @ONLY)
    add_library(precompiled_${set} OBJECT ${CMAKE_BINARY_DIR}/precompiled/${set}.cpp)
    target_link_libraries(precompiled_${set} PRIVATE fmt_once ${pch_${set}_libraries})
    target_precompile_headers(precompiled_${set} PRIVATE ${pch_${set}})
  endif()
  target_precompile_headers(${target} REUSE_FROM precompiled_${set})
endfunction()
