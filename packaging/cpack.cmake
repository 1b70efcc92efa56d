# The packages that `./lanewise package` leaves in build/package: a .deb for Debian and its kin, and a .tar.gz that runs
# from any folder. before_packing.cmake gives each what the other must not have.
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/package)
set(CPACK_PACKAGE_NAME lanewise)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_VENDOR "The Lanewise authors")
set(CPACK_PACKAGE_CONTACT ${LANEWISE_MAINTAINER})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "see how a GPU moves memory, and learn to make it fast")
set(CPACK_PACKAGE_DESCRIPTION
"Lanewise is a laboratory for CUDA memory access. You take matrix transposition,
and then products of matrices, from a few percent of a card's speed towards all
of it, stage by stage. At every stage you predict, run the kernel, and look at
every access of every lane: sectors, banks, wavefronts.
.
A kernel is compiled once; the same code is interpreted lane by lane, which
gives every picture and every count, and launched on the GPU, which gives every
time. Without a GPU everything but the times works.
.
The package holds the window, lanewise, and the same laboratory for the command
line, lanewise-engine.")
set(CPACK_PACKAGE_FILE_NAME lanewise-${PROJECT_VERSION}-linux-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS ${CMAKE_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS})
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/before_packing.cmake)
set(CPACK_LANEWISE_PACKAGING ${CMAKE_CURRENT_LIST_DIR})
set(CPACK_LANEWISE_CHANGELOG ${PACKAGE_FILES}/changelog)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION education)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS OFF)
# Fonts are read from the system's folders, which no linker knows of.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "fonts-inter, fonts-jetbrains-mono, fonts-dejavu-core")
# clang compiles kernels where there is no CUDA toolkit; bubblewrap is for --sandbox.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "clang-19 | clang (>= 1:16), bubblewrap")
include(CPack)
