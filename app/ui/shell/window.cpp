#include "ui/shell/window.h"

#include <glad/gl.h>
// glad comes first: it replaces the system's OpenGL header.
#include <GLFW/glfw3.h>
#include <imgui_impl_glfw.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/files.h"
#include "base/heap.h"
#include "service/client.h"
#include "ui/desk/products.h"
#include "ui/desk/tools.h"
#include "ui/kit/audit.h"
#include "ui/kit/density.h"
#include "ui/kit/file_watch.h"
#include "ui/kit/look.h"
#include "ui/shell/engine_requests.h"
#include "ui/shell/render.h"
#include "ui/shell/session.h"
#include "ui/state/settings.h"

namespace lanewise::ui {
namespace {

// After an event a few frames, because Dear ImGui settles some things one frame late.
constexpr int kSettlingFrames = 3;

// Whether a person has done something since the last frame began. A press and its release that come
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

bool moves(const App& app) {
    return is_moving(app) || flow_moves(app) || walk_plays(app) || figures_move(app);
}

class Glfw {
  public:
    Glfw() {
        glfwSetErrorCallback([](int, const char* text) { last_error() = text; });
        if (!glfwInit())
            throw Error(Status::bad_input,
                        "cannot open a window: " + last_error() +
                            ". Without a display, draw a picture with --offscreen --screenshot "
                            "FILE.png, or work in the terminal: ./lanewise run");
    }
    ~Glfw() { glfwTerminate(); }
    Glfw(const Glfw&) = delete;
    Glfw& operator=(const Glfw&) = delete;
    static std::string& last_error() {
        static std::string text;
        return text;
    }
};

class Window {
  public:
    Window(int width, int height) {
        glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
        glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
        glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
        glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
#ifdef GLFW_WAYLAND_APP_ID  // GLFW 3.4; the name of the .desktop file. X11's class is the first \
                            // title.
        glfwWindowHintString(GLFW_WAYLAND_APP_ID, "lanewise");
#endif
        handle_ = glfwCreateWindow(width, height, "Lanewise", nullptr, nullptr);
        if (!handle_)
            throw Error(Status::bad_input,
                        "cannot open a window with OpenGL 3.3: " + Glfw::last_error() +
                            ". Try software drawing: LIBGL_ALWAYS_SOFTWARE=1");
        glfwSetWindowSizeLimits(handle_, 480, 320, GLFW_DONT_CARE, GLFW_DONT_CARE);
        glfwMakeContextCurrent(handle_);
        if (!gladLoadGL(glfwGetProcAddress))
            throw Error(Status::bad_input, "the OpenGL driver offers less than version 3.3");
        glfwSwapInterval(1);
        ImGui_ImplGlfw_InitForOpenGL(handle_, true);
        hold_short_presses(handle_);
        hear(handle_);
    }
    ~Window() {
        ImGui_ImplGlfw_Shutdown();
        glfwDestroyWindow(handle_);
    }
    Window(const Window&) = delete;
    Window& operator=(const Window&) = delete;
    GLFWwindow* handle() const { return handle_; }

    // How many pixels the screen itself puts into a point. Where the system counts windows in
    // pixels (X11) that is the content scale; where it counts in points, Dear ImGui's own scaling
    // of the frame buffer does the rest.
    float density() const {
        float scale = 1;
        glfwGetWindowContentScale(handle_, &scale, nullptr);
        // GLFW asks an X server for it once, so that no test could see it change.
        if (const char* file = std::getenv("LANEWISE_DENSITY_FILE")) std::ifstream(file) >> scale;
        int points = 0, pixels = 0;
        glfwGetWindowSize(handle_, &points, nullptr);
        glfwGetFramebufferSize(handle_, &pixels, nullptr);
        return points > 0 && pixels > points ? 1 : std::clamp(scale, 1.f, 4.f);
    }

  private:
    GLFWwindow* handle_ = nullptr;
};

void draw_frame(App& app, Window& window, Renderer& renderer, double now) {
    adopt_density(window.density());
    renderer.upload_fonts();
    ImGui_ImplGlfw_NewFrame();
    int width = 0, height = 0;
    glfwGetWindowSize(window.handle(), &width, &height);
    if (width <= 0 || height <= 0) return;
    build_frame(app, width, height, now);
    release_held_keys();
    renderer.draw(*ImGui::GetDrawData());
    glfwSwapBuffers(window.handle());
    app.saved.width = width;
    app.saved.height = height;
}

// Whether a processor draws, which has other things to do.
bool drawn_in_software() {
    auto name = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
    std::string_view renderer = name ? name : "";
    for (std::string_view each : {"llvmpipe", "softpipe", "SwiftShader", "swrast"})
        if (renderer.find(each) != renderer.npos) return true;
    return false;
}

// Seconds between two frames of something that moves: the display's own, where it tells; twice as
// long or more where a processor draws.
double frame_time() {
    static const bool software = drawn_in_software();
    if (software) return 1.0 / 30;
    GLFWmonitor* monitor = glfwGetPrimaryMonitor();
    const GLFWvidmode* mode = monitor ? glfwGetVideoMode(monitor) : nullptr;
    return 1.0 / (mode && mode->refreshRate > 0 ? mode->refreshRate : 60);
}

void write_title(GLFWwindow* handle, const App& app, std::string& shown) {
    std::string title = (app.own ? app.stage().file : app.stage().title) + " – Lanewise";
    if (title != shown) glfwSetWindowTitle(handle, title.c_str());
    shown = title;
}

void loop(App& app, Window& window, const Options& options) {
    Renderer renderer;
    audit().on = !options.dump_widgets.empty();
    draw_frame(app, window, renderer, glfwGetTime());  // before anything has arrived
    auto link = [&] {
        return std::make_unique<EngineLink>(
            std::make_unique<EngineClient>(engine_command(app.saved.engine), glfwPostEmptyEvent),
            engine_requests());
    };
    std::unique_ptr<EngineLink> engine = link();
    FileWatch watch(glfwPostEmptyEvent);
    WindowState saved = app.saved;
    std::string title, dumped;
    bool run_pressed = !options.run;
    int frames_left = kSettlingFrames;
    HeapTrimmer heap;
    while (!glfwWindowShouldClose(window.handle())) {
        watch.follow(app.own ? app.own->stage.path : std::filesystem::path());
        if (watch.take_change()) reload_kernel(app);
        if (std::exchange(app.wanted.another_engine, false)) {
            engine.reset();  // the old one ends before the new one starts
            engine = link();
        }
        if (std::exchange(something_done, false)) frames_left = kSettlingFrames;
        double frame_begun = glfwGetTime();
        engine->update(app, frame_begun);
        if (!run_pressed && app.engine.known && app.arrived.picture) {
            press_run(app);
            run_pressed = true;
        }
        draw_frame(app, window, renderer, glfwGetTime());
        write_title(window.handle(), app, title);
        if (audit().on) {
            std::string state = dump(app);
            if (state != dumped) write_file(options.dump_widgets, state);
            dumped = state;
        }
        if (events_waiting()) frames_left = kSettlingFrames;
        if (--frames_left > 0) {
            glfwPollEvents();
            continue;
        }
        if (!(app.saved == saved)) save_state(app);
        saved = app.saved;
        heap.after_work();  // pictures come and go
        double due = engine->next_due(app, glfwGetTime());
        if (moves(app)) due = std::max(0.0, frame_begun + frame_time() - glfwGetTime());
        if (!app.said.toast.text.empty())
            due = due < 0 ? kToastSeconds : std::min(due, kToastSeconds);
        if (double clock = tools_due(app, glfwGetTime()); clock >= 0)
            due = due < 0 ? clock : std::min(due, clock);
        double waits = glfwGetTime();
        if (due < 0)
            glfwWaitEvents();
        else if (due > 0)
            glfwWaitEventsTimeout(due);
        else
            glfwPollEvents();
        // Nothing has to settle where only time has passed.
        bool in_time = due > 0 && glfwGetTime() - waits >= due;
        frames_left = moves(app) || in_time ? 1 : kSettlingFrames;
        if (look().fonts_changed) frames_left = kSettlingFrames;
    }
    save_state(app);
}

}  // namespace

void run_window(const Options& options) {
    Glfw glfw;
    Context context;
    App app = open_app(options);
    int width = options.size_given ? options.width : app.saved.width;
    int height = options.size_given ? options.height : app.saved.height;
    Window window(width, height);
    loop(app, window, options);
}

}  // namespace lanewise::ui
