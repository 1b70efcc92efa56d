# What only the window needs in a browser: emscripten's own GLFW and WebGL 2, Dear ImGui, stb.
find_path(STB_FOLDER stb_image_write.h PATHS /usr/include /usr/local/include PATH_SUFFIXES stb REQUIRED
          NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH)
file(CREATE_LINK ${STB_FOLDER} ${HEADERS}/stb SYMBOLIC)
set(STB_INCLUDE ${HEADERS}/stb)

add_library(glfw INTERFACE)
target_link_options(glfw INTERFACE -sUSE_GLFW=3 -lglfw.js)
add_library(glad INTERFACE)
target_link_options(glad INTERFACE -sMIN_WEBGL_VERSION=2 -sMAX_WEBGL_VERSION=2 -lGL -lhtml5.js)
add_library(OpenGL::EGL INTERFACE IMPORTED)

set(IMGUI ${SOURCES}/imgui)
add_library(imgui STATIC
  ${IMGUI}/imgui.cpp ${IMGUI}/imgui_draw.cpp ${IMGUI}/imgui_tables.cpp ${IMGUI}/imgui_widgets.cpp
  ${IMGUI}/misc/cpp/imgui_stdlib.cpp ${IMGUI}/backends/imgui_impl_glfw.cpp)
target_include_directories(imgui SYSTEM PUBLIC ${IMGUI} ${IMGUI}/backends ${IMGUI}/misc/cpp)
# WebGL knows no offset of vertices, so that the indices have to be wide.
target_compile_definitions(imgui PUBLIC "ImDrawIdx=unsigned int")
target_compile_options(imgui PRIVATE -w)
target_link_libraries(imgui PUBLIC glfw)
