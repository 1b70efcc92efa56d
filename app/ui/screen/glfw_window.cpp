#include "ui/screen/glfw_window.h"

#include "ui/screen/gl.h"
// OpenGL comes first: glad replaces the system's header.
#include <GLFW/glfw3.h>
#include <imgui_impl_glfw.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <utility>
#ifdef __EMSCRIPTEN__
#include <emscripten/html5.h>
#endif

#include "base/error.h"
#include "ui/imgui/imgui_compat.h"

namespace lanewise::ui {
namespace {

// A press and its release that come
// together are two frames' work, also where both come while the frames after another event are drawn.
bool something_done = false;
struct {
    GLFWmousebuttonfun button;
    GLFWcursorposfun pointer;
    GLFWscrollfun wheel;
    GLFWkeyfun key;
    GLFWcharfun character;
} heard;  // who was told before us

void hear(GLFWwindow* window) {
    heard.button = glfwSetMouseButtonCallback(window, [](GLFWwindow* w, int b, int action, int m) {
        something_done = true;
        if (heard.button) heard.button(w, b, action, m);
    });
    heard.pointer = glfwSetCursorPosCallback(window, [](GLFWwindow* w, double x, double y) {
        something_done = true;
        if (heard.pointer) heard.pointer(w, x, y);
    });
    heard.wheel = glfwSetScrollCallback(window, [](GLFWwindow* w, double x, double y) {
        something_done = true;
        if (heard.wheel) heard.wheel(w, x, y);
    });
    heard.key = glfwSetKeyCallback(window, [](GLFWwindow* w, int k, int code, int action, int m) {
        something_done = true;
        if (heard.key) heard.key(w, k, code, action, m);
    });
    heard.character = glfwSetCharCallback(window, [](GLFWwindow* w, unsigned c) {
        something_done = true;
        if (heard.character) heard.character(w, c);
    });
}

bool load_functions() {
#ifdef __EMSCRIPTEN__
    return true;
#else
    return gladLoadGL(glfwGetProcAddress) != 0;
#endif
}

float scale_of(GLFWwindow* window) {
#ifdef __EMSCRIPTEN__
    (void)window;
    return static_cast<float>(emscripten_get_device_pixel_ratio());
#else
    float scale = 1;
    glfwGetWindowContentScale(window, &scale, nullptr);
    // GLFW asks an X server for it once, so that no test could see it change.
    if (const char* file = std::getenv("LANEWISE_DENSITY_FILE")) std::ifstream(file) >> scale;
    return scale;
#endif
}

}  // namespace

// The version of OpenGL, and what the system is told of the window.
void set_window_hints() {
#ifdef __EMSCRIPTEN__
    glfwWindowHint(GLFW_CLIENT_API, GLFW_OPENGL_ES_API);  // WebGL 2
#else
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
#ifdef GLFW_WAYLAND_APP_ID  // GLFW 3.4; the name of the .desktop file. X11's class is the first title.
    glfwWindowHintString(GLFW_WAYLAND_APP_ID, "lanewise");
#endif
#endif
}

bool take_deed() { return std::exchange(something_done, false); }
void note_deed() { something_done = true; }

void wake_window() {
#ifdef __EMSCRIPTEN__
    something_done = true;  // nobody waits: the page calls, and looks
#else
    glfwPostEmptyEvent();
#endif
}

Glfw::Glfw() {
    glfwSetErrorCallback([](int, const char* text) { last_error() = text; });
    if (!glfwInit())
        throw Error(Status::bad_input,
                    "cannot open a window: " + last_error() +
                        ". Without a display, draw a picture with --offscreen --screenshot "
                        "FILE.png, or work in the terminal: ./lanewise run");
}
Glfw::~Glfw() { glfwTerminate(); }

std::string& Glfw::last_error() {
    static std::string text;
    return text;
}

Window::Window(int width, int height) {
    set_window_hints();
    handle_ = glfwCreateWindow(width, height, "Lanewise", nullptr, nullptr);
    if (!handle_)
        throw Error(Status::bad_input,
                    "cannot open a window with OpenGL 3.3: " + Glfw::last_error() +
                        ". Try software drawing: LIBGL_ALWAYS_SOFTWARE=1");
    glfwSetWindowSizeLimits(handle_, 480, 320, GLFW_DONT_CARE, GLFW_DONT_CARE);
    glfwMakeContextCurrent(handle_);
    if (!load_functions())
        throw Error(Status::bad_input, "the OpenGL driver offers less than version 3.3");
    glfwSwapInterval(1);
    ImGui_ImplGlfw_InitForOpenGL(handle_, true);
    hold_short_presses(handle_);
    hear(handle_);
}

Window::~Window() {
    ImGui_ImplGlfw_Shutdown();
    glfwDestroyWindow(handle_);
}

float Window::density() const {
    int points = 0, pixels = 0;
    glfwGetWindowSize(handle_, &points, nullptr);
    glfwGetFramebufferSize(handle_, &pixels, nullptr);
    return points > 0 && pixels > points ? 1 : std::clamp(scale_of(handle_), 1.f, 4.f);
}

}  // namespace lanewise::ui
