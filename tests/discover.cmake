# Writes FILE, which ctest reads: the cases of the GoogleTest program EXECUTABLE, several to a process.
# Starting a program, reading the course and loading a compiler take longer than most cases. So a suite is
# one test, LAYER.SUITE; a longer one becomes several, LAYER.SUITE.1_of_3 …; of the suites ALONE each case is one.
# As one case that is skipped is not to be overlooked, its whole test counts as skipped, unless one fails.
cmake_minimum_required(VERSION 3.22)
set(most_cases 12)
execute_process(COMMAND ${EXECUTABLE} --gtest_list_tests WORKING_DIRECTORY ${FOLDER} TIMEOUT 60
                OUTPUT_VARIABLE listed ERROR_VARIABLE problem RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  file(REMOVE ${FILE} ${EXECUTABLE})
  message(FATAL_ERROR "${EXECUTABLE} lists no tests (${status}): ${listed}${problem}")
endif()

set(text "")
# NAME FILTER COST: one test. What costs more is begun earlier, until ctest knows what each takes.
macro(add name filter cost)
  string(APPEND text "add_test([=[${LAYER}.${name}]=] [=[${EXECUTABLE}]=] [=[--gtest_filter=${filter}]=])\n"
                     "set_tests_properties([=[${LAYER}.${name}]=] PROPERTIES ${PROPERTIES} COST ${cost} WORKING_DIRECTORY [=[${FOLDER}]=]\n"
                     "  SKIP_REGULAR_EXPRESSION [=[\\[  SKIPPED \\] [^\n]+\n$]=])\n")
endmacro()
# What is in `suite` and `cases`.
macro(add_suite)
  list(LENGTH cases count)
  if(suite IN_LIST ALONE)
    foreach(case IN LISTS cases)
      add(${suite}.${case} ${suite}.${case} 20)
    endforeach()
  elseif(count LESS_EQUAL most_cases AND count GREATER 0)
    add(${suite} ${suite}.* ${count})
  elseif(count GREATER 0)
    math(EXPR parts "(${count} + ${most_cases} - 1) / ${most_cases}")
    foreach(part RANGE 1 ${parts})
      math(EXPR from "(${part} - 1) * ${most_cases}")
      list(SUBLIST cases ${from} ${most_cases} of_part)
      list(TRANSFORM of_part PREPEND ${suite}.)
      list(JOIN of_part : filter)
      add(${suite}.${part}_of_${parts} "${filter}" ${most_cases})
    endforeach()
  endif()
endmacro()

string(REGEX REPLACE " +#[^\n]*" "" listed "${listed}")
string(REPLACE "\n" ";" listed "${listed}")
set(suite "")
set(cases "")
foreach(line IN LISTS listed)
  if(line MATCHES "^  (.+)$")
    list(APPEND cases ${CMAKE_MATCH_1})
  elseif(line MATCHES "^([^ ]+)\\.$")
    set(next ${CMAKE_MATCH_1})
    add_suite()
    set(suite ${next})
    set(cases "")
  endif()
endforeach()
add_suite()
file(WRITE ${FILE} "${text}")
