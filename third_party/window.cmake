# What only the window needs: GLFW, OpenGL 3.3 core through glad, EGL, Dear ImGui, stb.
find_package(glfw3 3.3 REQUIRED)
find_package(OpenGL REQUIRED COMPONENTS EGL)
find_path(STB_INCLUDE stb_image_write.h PATH_SUFFIXES stb REQUIRED)

# The OpenGL 3.3 core loader, generated offline by python3-glad at build time.
set(GLAD_FOLDER ${CMAKE_BINARY_DIR}/generated/glad)
find_program(GLAD glad REQUIRED)
add_custom_command(
  OUTPUT ${GLAD_FOLDER}/src/gl.c ${GLAD_FOLDER}/include/glad/gl.h
  COMMAND ${GLAD} --reproducible --out-path ${GLAD_FOLDER} --api gl:core=3.3 --extensions "" c --loader
  COMMENT "Generating the OpenGL 3.3 core loader" VERBATIM)
add_library(glad STATIC ${GLAD_FOLDER}/src/gl.c ${GLAD_FOLDER}/include/glad/gl.h)
target_include_directories(glad SYSTEM PUBLIC ${GLAD_FOLDER}/include)
target_compile_options(glad PRIVATE -w)
target_link_libraries(glad PUBLIC ${CMAKE_DL_LIBS})

# Dear ImGui 1.86 … 1.92: the package where there is one, else the pinned upstream release.
pkg_check_modules(IMGUI IMPORTED_TARGET imgui>=1.86)
if(IMGUI_FOUND)
  add_library(imgui INTERFACE)
  find_package(Freetype REQUIRED)
  find_library(STB_LIBRARY stb)
  target_link_libraries(imgui INTERFACE PkgConfig::IMGUI glfw OpenGL::GL Freetype::Freetype
                                        ${CMAKE_DL_LIBS})
  if(STB_LIBRARY)
    target_link_libraries(imgui INTERFACE ${STB_LIBRARY})
  endif()
else()
  include(FetchContent)
  FetchContent_Declare(imgui_upstream GIT_REPOSITORY https://github.com/ocornut/imgui.git
                       GIT_TAG v1.91.9b GIT_SHALLOW TRUE)
  FetchContent_MakeAvailable(imgui_upstream)
  set(IMGUI_FOLDER ${imgui_upstream_SOURCE_DIR})
  add_library(imgui STATIC
    ${IMGUI_FOLDER}/imgui.cpp ${IMGUI_FOLDER}/imgui_draw.cpp ${IMGUI_FOLDER}/imgui_tables.cpp
    ${IMGUI_FOLDER}/imgui_widgets.cpp ${IMGUI_FOLDER}/misc/cpp/imgui_stdlib.cpp
    ${IMGUI_FOLDER}/backends/imgui_impl_glfw.cpp ${IMGUI_FOLDER}/backends/imgui_impl_opengl3.cpp)
  target_include_directories(imgui SYSTEM PUBLIC ${IMGUI_FOLDER} ${IMGUI_FOLDER}/backends
                                                 ${IMGUI_FOLDER}/misc/cpp)
  target_compile_options(imgui PRIVATE -w)
  target_link_libraries(imgui PUBLIC glfw OpenGL::GL ${CMAKE_DL_LIBS})
endif()
