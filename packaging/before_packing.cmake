# CPack runs this between installing into its own folder and packing that folder, once for each kind of package.

# Notices of what is linked into the programs or, in the .tar.gz, lies beside them.
set(LINKED_PACKAGES libfmt-dev nlohmann-json3-dev libtomlplusplus-dev libcmark-dev libcli11-dev libboost-dev libimgui-dev
                    python3-glad libstb-dev liblzma-dev)

# The tree that is packed: share/lanewise/kernels shows where its prefix is.
file(GLOB_RECURSE found FOLLOW_SYMLINKS ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/*/lanewise-engine)
list(FILTER found INCLUDE REGEX "/bin/lanewise-engine$")
list(LENGTH found count)
if(NOT count EQUAL 1)
  message(FATAL_ERROR "expected one lanewise-engine below ${CPACK_TEMPORARY_INSTALL_DIRECTORY}, found: ${found}")
endif()
get_filename_component(prefix ${found} DIRECTORY)
get_filename_component(prefix ${prefix} DIRECTORY)
set(documents ${prefix}/share/doc/lanewise)

function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE said)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${ARGV} failed: ${said}")
  endif()
endfunction()

# notices FILE PACKAGE…: what each Debian package says of copyright, one after the other.
function(notices file)
  file(WRITE ${file} "What Lanewise is linked with or brings along, as Debian's packages tell of it.\n")
  foreach(package ${ARGN})
    set(copyright /usr/share/doc/${package}/copyright)
    if(EXISTS ${copyright})
      file(READ ${copyright} text)
      file(APPEND ${file} "\n\n======== ${package} ========\n\n${text}")
    endif()
  endforeach()
  run(gzip -9nf ${file})
endfunction()

# owners VARIABLE FILE…: the Debian packages that own the files.
function(owners variable)
  set(packages "")
  foreach(file ${ARGN})
    get_filename_component(real ${file} REALPATH)
    get_filename_component(name ${real} NAME)
    execute_process(COMMAND dpkg -S "*/${name}" OUTPUT_VARIABLE said ERROR_QUIET)
    if(said MATCHES "^([a-z0-9.+-]+)")
      list(APPEND packages ${CMAKE_MATCH_1})
    endif()
  endforeach()
  list(REMOVE_DUPLICATES packages)
  set(${variable} ${packages} PARENT_SCOPE)
endfunction()

# A .deb: what Debian's policy asks for. The libraries come from other packages, so no path to them.
function(prepare_deb)
  if(EXISTS ${prefix}/bin/lanewise)
    file(RPATH_REMOVE FILE ${prefix}/bin/lanewise)
  endif()
  file(REMOVE ${documents}/LICENSE ${documents}/CHANGELOG.md)
  configure_file(${CPACK_LANEWISE_PACKAGING}/debian/copyright ${documents}/copyright COPYONLY)
  configure_file(${CPACK_LANEWISE_CHANGELOG} ${documents}/changelog COPYONLY)
  file(GLOB pages ${prefix}/share/man/man1/*.1)
  run(gzip -9nf ${documents}/changelog ${pages})
  notices(${documents}/third-party ${LINKED_PACKAGES})
endfunction()

# A .tar.gz: what a desktop may lack, GLFW and stb, and fonts. GLFW lies beside the program, because Debian has no static
# one. libc, OpenGL, EGL and X11 are the machine's own, as they belong to its drivers; so is FreeType, which every
# desktop draws its text with: a copy of it would bring libz along, and an older libz breaks the machine's newer drivers.
function(prepare_tar)
  set(libraries "")
  if(EXISTS ${prefix}/bin/lanewise)
    file(GET_RUNTIME_DEPENDENCIES EXECUTABLES ${prefix}/bin/lanewise RESOLVED_DEPENDENCIES_VAR libraries
         PRE_EXCLUDE_REGEXES "^ld-linux" "^lib(c|m|dl|rt|pthread)\\.so" "^lib(GL|EGL|OpenGL|GLX|GLdispatch)\\.so"
                             "^lib(X11|xcb|freetype)\\.so")
    foreach(library ${libraries})
      file(INSTALL ${library} DESTINATION ${prefix}/lib/lanewise FOLLOW_SYMLINK_CHAIN)
    endforeach()
  endif()
  file(GLOB fonts /usr/share/fonts/*/inter/Inter-Regular.otf /usr/share/fonts/*/inter/Inter-SemiBold.otf
       /usr/share/fonts/*/*/JetBrainsMono-Regular.ttf /usr/share/fonts/*/dejavu/DejaVuSans.ttf)
  file(INSTALL ${fonts} DESTINATION ${prefix}/share/lanewise/fonts)
  owners(brought ${libraries} ${fonts})
  notices(${documents}/third-party ${LINKED_PACKAGES} ${brought})
  configure_file(${CPACK_LANEWISE_PACKAGING}/README.tar ${prefix}/README COPYONLY)
endfunction()

if(CPACK_GENERATOR STREQUAL "DEB")
  prepare_deb()
else()
  prepare_tar()
endif()
