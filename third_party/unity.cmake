# Files of one folder that are compiled as one, a few at a time: the libraries' templates are then made
# once for all of them. It takes half the time or less, and one file's names without linkage are in
# another's sight, so that within a folder each of them is there once. A missing include does not
# show in such a build: `./lanewise build --apart` compiles every file by itself, as the sanitizers' builds do.
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
  # g++ says of each test that its fixture is in an anonymous namespace and the file not the main one, and sees overflows and
  # wrong frees of strings and vectors that are not there (those of the app show in a build apart).
  target_compile_options(${target} PRIVATE "$<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage;-Wno-stringop-overflow;-Wno-free-nonheap-object>")
endfunction()
