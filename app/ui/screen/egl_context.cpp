#include "ui/screen/egl_context.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <glad/gl.h>

#include <vector>

#include "base/error.h"

namespace lanewise::ui {
namespace {

std::vector<EGLDisplay> candidate_displays() {
    std::vector<EGLDisplay> displays;
    auto platform_display = reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(
        eglGetProcAddress("eglGetPlatformDisplayEXT"));
    if (platform_display) {
        displays.push_back(
            platform_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr));
        auto query_devices =
            reinterpret_cast<PFNEGLQUERYDEVICESEXTPROC>(eglGetProcAddress("eglQueryDevicesEXT"));
        EGLDeviceEXT devices[8];
        EGLint found = 0;
        if (query_devices && query_devices(8, devices, &found))
            for (EGLint i = 0; i < found; ++i)
                displays.push_back(platform_display(EGL_PLATFORM_DEVICE_EXT, devices[i], nullptr));
    }
    displays.push_back(eglGetDisplay(EGL_DEFAULT_DISPLAY));
    return displays;
}

EGLContext open_context(EGLDisplay display) {
    if (display == EGL_NO_DISPLAY || !eglInitialize(display, nullptr, nullptr)) return nullptr;
    const EGLint config_wish[] = {EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_SURFACE_TYPE, 0,
                                  EGL_NONE};
    const EGLint context_wish[] = {EGL_CONTEXT_MAJOR_VERSION,
                                   3,
                                   EGL_CONTEXT_MINOR_VERSION,
                                   3,
                                   EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                   EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                   EGL_NONE};
    EGLConfig config = nullptr;
    EGLint count = 0;
    if (eglBindAPI(EGL_OPENGL_API) && eglChooseConfig(display, config_wish, &config, 1, &count) &&
        count > 0) {
        EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, context_wish);
        if (context != EGL_NO_CONTEXT &&
            eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context))
            return context;
    }
    eglTerminate(display);
    return nullptr;
}

}  // namespace

EglContext::EglContext() {
    for (EGLDisplay display : candidate_displays()) {
        EGLContext context = open_context(display);
        if (!context) continue;
        display_ = display;
        context_ = context;
        if (gladLoadGL(eglGetProcAddress)) return;
    }
    throw Error(Status::bad_input,
                "cannot draw offscreen: EGL offers no OpenGL 3.3 here. Install Mesa's software "
                "driver: apt install libegl1 libegl-mesa0 libgl1-mesa-dri");
}

EglContext::~EglContext() {
    eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroyContext(display_, context_);
    eglTerminate(display_);
}

}  // namespace lanewise::ui
