# Writes OUTPUT, a header with the commit of the source tree SOURCE: asked of git in a clone, read
# from commit.txt in an archive that `git archive` made, empty elsewhere.
#     cmake -D SOURCE=… -D OUTPUT=… -P commit.cmake
set(commit "")
find_program(GIT git)
if(GIT AND EXISTS ${SOURCE}/.git)
  # The clone may belong to another user, as in a chroot or a container.
  execute_process(COMMAND ${GIT} -c safe.directory=${SOURCE} rev-parse --short=7 HEAD WORKING_DIRECTORY ${SOURCE}
                  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
else()
  file(STRINGS ${SOURCE}/packaging/commit.txt line LIMIT_COUNT 1)
  if(line MATCHES "^[0-9a-f]+$")
    string(SUBSTRING ${line} 0 7 commit)
  endif()
endif()
file(WRITE ${OUTPUT} "#define LANEWISE_COMMIT \"${commit}\"\n")
