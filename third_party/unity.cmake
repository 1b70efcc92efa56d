# Up to 24 files of a folder are compiled as one, so that the libraries' templates are made once for all of
# them. That takes half the time. But one file then sees what another has in an anonymous namespace: such a
# name is defined once in its folder. And a missing include does not show: `./lanewise build --apart`
# compiles every file by itself, as the sanitizers' builds do.
option(LANEWISE_UNITY "Compile several files of a folder as one" OFF)
set(LANEWISE_UNITY_FILES 24 CACHE STRING "Files that are compiled as one, at most")

# lanewise_unite(TARGET): TARGET's files are compiled so; those with options of their own stay by themselves.
function(lanewise_unite target)
  if(NOT LANEWISE_UNITY)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    if(NOT source MATCHES "\\.cpp$")
      continue()
    endif()
    cmake_path(GET source PARENT_PATH room)
    string(MAKE_C_IDENTIFIER "of_${room}" room)
    if(NOT DEFINED files_${room})
      set(files_${room} 0)
    endif()
    math(EXPR number "${files_${room}} / ${LANEWISE_UNITY_FILES}")
    math(EXPR files_${room} "${files_${room}} + 1")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${room}_${number})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  # g++ takes a file that was included for a header, and warns of each test whose fixture has no linkage. It also
  # sees more overflows of strings and vectors that are not there; of real ones the debug build warns.
  foreach(warning subobject-linkage array-bounds stringop-overflow stringop-overread free-nonheap-object)
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-${warning}>)
  endforeach()
endfunction()
