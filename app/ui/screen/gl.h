// OpenGL as it is here: 3.3 core through glad, in a browser WebGL 2, which is OpenGL ES 3.
#pragma once
#ifdef __EMSCRIPTEN__
#include <GLES3/gl3.h>
#define LANEWISE_SHADER_HEAD "#version 300 es\nprecision highp float;\n"
#else
#include <glad/gl.h>
#define LANEWISE_SHADER_HEAD "#version 330 core\n"
#endif
