# What is installed where, and what is generated for it. Included by the top CMakeLists.txt; cpack.cmake makes packages of it.
include(GNUInstallDirs)
set(LANEWISE_MAINTAINER "The Lanewise authors <maintainers@lanewise.invalid>")
set(LANEWISE_PROGRAMS lanewise-engine)
if(LANEWISE_WINDOW)
  list(APPEND LANEWISE_PROGRAMS lanewise)
endif()

# Man pages, changelog, AppStream metadata: from the programs' help and CHANGELOG.md.
set(PACKAGE_FILES ${CMAKE_BINARY_DIR}/packaging)
file(GLOB PACKAGING CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*.py ${CMAKE_CURRENT_LIST_DIR}/*/*.in)
set(PROGRAM_FILES "")
foreach(program ${LANEWISE_PROGRAMS})
  list(APPEND PROGRAM_FILES $<TARGET_FILE:${program}>)
endforeach()
add_custom_command(
  OUTPUT ${PACKAGE_FILES}/changelog
  COMMAND Python3::Interpreter ${CMAKE_CURRENT_LIST_DIR}/generate.py ${CMAKE_SOURCE_DIR} ${PACKAGE_FILES}
          ${PROJECT_VERSION} ${LANEWISE_MAINTAINER} ${PROGRAM_FILES}
  DEPENDS ${LANEWISE_PROGRAMS} ${PACKAGING} ${CMAKE_SOURCE_DIR}/CHANGELOG.md
  COMMENT "Writing man pages, changelog and metadata" VERBATIM)
add_custom_target(package_files ALL DEPENDS ${PACKAGE_FILES}/changelog)

# Where the .tar.gz has the libraries that a desktop may lack; nothing is there otherwise.
if(LANEWISE_WINDOW)
  set_target_properties(lanewise PROPERTIES BUILD_RPATH "$ORIGIN/../lib/lanewise" INSTALL_RPATH "$ORIGIN/../lib/lanewise")
endif()

set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)  # cpack would build every test first
set(CMAKE_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
install(TARGETS ${LANEWISE_PROGRAMS})
install(DIRECTORY kernels lessons assets DESTINATION ${CMAKE_INSTALL_DATADIR}/lanewise
        PATTERN screenshots EXCLUDE)  # those are README's
install(FILES LICENSE CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})

# OPTIONAL: `./lanewise build` makes the programs alone.
set(COMPLETIONS ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
foreach(program ${LANEWISE_PROGRAMS})
  install(FILES ${PACKAGE_FILES}/${program}.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 OPTIONAL)
  install(FILES packaging/lanewise.bash DESTINATION ${COMPLETIONS} RENAME ${program})
endforeach()
if(LANEWISE_WINDOW)
  set(desktop ${CMAKE_CURRENT_LIST_DIR}/desktop)
  install(FILES ${desktop}/lanewise.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications)
  install(FILES ${desktop}/lanewise.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages)
  install(FILES ${desktop}/lanewise.svg DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps)
  install(FILES ${PACKAGE_FILES}/org.lanewise.Lanewise.metainfo.xml
          DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo OPTIONAL)
endif()
include(${CMAKE_CURRENT_LIST_DIR}/cpack.cmake)
