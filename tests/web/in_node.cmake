# sim's own tests, compiled as the page's engine is and run by node: `ninja -C build/web-build sim_in_node`
# and then `node --no-experimental-fetch build/web-build/bin/sim_in_node.js`. GoogleTest's sources are those
# of the package googletest.
find_path(GTEST_SOURCES src/gtest-all.cc PATHS /usr/src/googletest/googletest NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH)
if(GTEST_SOURCES)
  add_library(gtest STATIC EXCLUDE_FROM_ALL ${GTEST_SOURCES}/src/gtest-all.cc ${GTEST_SOURCES}/src/gtest_main.cc)
  target_include_directories(gtest SYSTEM PUBLIC ${GTEST_SOURCES}/include PRIVATE ${GTEST_SOURCES})
  target_compile_options(gtest PRIVATE -w -O1)
  file(GLOB_RECURSE SIM_TESTS CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/sim/*.cpp)
  add_executable(sim_in_node EXCLUDE_FROM_ALL ${SIM_TESTS})
  target_include_directories(sim_in_node PRIVATE ${CMAKE_SOURCE_DIR}/tests)
  target_link_libraries(sim_in_node PRIVATE sim gtest)
  target_compile_definitions(sim_in_node PRIVATE TESTS_FOLDER="${CMAKE_SOURCE_DIR}/tests" CONTENT_FOLDER="${CMAKE_SOURCE_DIR}")
  target_compile_options(sim_in_node PRIVATE -O1)
  target_link_options(sim_in_node PRIVATE -sNODERAWFS=1 -sENVIRONMENT=node -sALLOW_MEMORY_GROWTH=1 -sMAXIMUM_MEMORY=4GB
    -sABORTING_MALLOC=0 -sTOTAL_STACK=8MB -sEXIT_RUNTIME=1)
endif()
