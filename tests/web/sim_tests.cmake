# sim's own tests, compiled as the page's engine is, for node and for a browser:
# `ninja -C build/web-build sim_in_node sim_in_browser`, and then
# `node --no-experimental-fetch build/web-build/bin/sim_in_node.js` or tests/web/sim_browser_test.js. GoogleTest's
# sources are those of the package googletest.
find_path(GTEST_SOURCES src/gtest-all.cc PATHS /usr/src/googletest/googletest NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH)
if(GTEST_SOURCES)
  add_library(gtest STATIC EXCLUDE_FROM_ALL ${GTEST_SOURCES}/src/gtest-all.cc ${GTEST_SOURCES}/src/gtest_main.cc)
  target_include_directories(gtest SYSTEM PUBLIC ${GTEST_SOURCES}/include PRIVATE ${GTEST_SOURCES})
  target_compile_options(gtest PRIVATE -w -O1)
  file(GLOB_RECURSE SIM_TESTS CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/sim/*.cpp)
  add_library(sim_tests OBJECT EXCLUDE_FROM_ALL ${SIM_TESTS})
  target_include_directories(sim_tests PRIVATE ${CMAKE_SOURCE_DIR}/tests)
  target_link_libraries(sim_tests PUBLIC sim gtest)
  target_compile_definitions(sim_tests PRIVATE TESTS_FOLDER="${CMAKE_SOURCE_DIR}/tests" CONTENT_FOLDER="${CMAKE_SOURCE_DIR}")
  target_compile_options(sim_tests PRIVATE -O1)
  foreach(place node browser)
    add_executable(sim_in_${place} EXCLUDE_FROM_ALL)
    target_link_libraries(sim_in_${place} PRIVATE sim_tests)
    target_link_options(sim_in_${place} PRIVATE -sALLOW_MEMORY_GROWTH=1 -sMAXIMUM_MEMORY=4GB -sABORTING_MALLOC=0
      -sTOTAL_STACK=8MB -sEXIT_RUNTIME=1)
  endforeach()
  target_link_options(sim_in_node PRIVATE -sNODERAWFS=1 -sENVIRONMENT=node)
  # In a Worker, as the page's engine; what the tests read comes along.
  target_link_options(sim_in_browser PRIVATE -sENVIRONMENT=worker -sFORCE_FILESYSTEM=1)
  foreach(file tests/sim/fixtures tests/golden/h200/narrow_boxes.txt app/sim/operation/operations.h)
    target_link_options(sim_in_browser PRIVATE "SHELL:--preload-file ${CMAKE_SOURCE_DIR}/${file}@${CMAKE_SOURCE_DIR}/${file}")
  endforeach()
endif()
