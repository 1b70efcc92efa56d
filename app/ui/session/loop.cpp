#include "ui/session/loop.h"

#include "ui/screen/gl.h"
// OpenGL comes first: glad replaces the system's header.
#include <GLFW/glfw3.h>
#include <imgui_impl_glfw.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/files.h"
#include "service/client.h"
#include "ui/class/assignment_work.h"
#include "ui/class/class_link.h"
#include "ui/desk/moving.h"
#include "ui/desk/tools.h"
#include "ui/imgui/imgui_compat.h"
#include "ui/kit/audit.h"
#include "ui/launch/products.h"
#include "ui/look/density.h"
#include "ui/look/look.h"
#include "ui/session/session.h"
#include "ui/shell/engine_requests.h"
#include "ui/state/settings.h"

namespace lanewise::ui {
namespace {

// After an event a few frames, because Dear ImGui settles some things one frame late.
constexpr int kSettlingFrames = 3;

bool moves(const App& app) { return is_moving(app) || flow_moves(app) || walk_plays(app) || figures_move(app); }

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

void write_title(GLFWwindow* handle, const App& app, std::string& written) {
    std::string title = (app.own ? app.stage().file : app.stage().title) + " – Lanewise";
    if (title != written) glfwSetWindowTitle(handle, title.c_str());
    written = title;
}

}  // namespace

Loop::Loop(App& app, Window& window, const Options& options)
    : app_(app),
      window_(window),
      options_(options),
      watch_(wake_window),
      run_pressed_(!options.run),
      frames_left_(kSettlingFrames) {
    audit().on = !options.files.dump_widgets.empty();
#ifdef __EMSCRIPTEN__
    // Its engine is a Worker, which computes while the first frame is drawn.
    engine_ = link();
    engine_->update(app_, glfwGetTime());
#endif
    draw_frame(app_, window_, renderer_, glfwGetTime());  // before anything has arrived
    if (!engine_) engine_ = link();
}

std::unique_ptr<EngineLink> Loop::link() const {
    use_class(engine_command(app_.saved.engine), wake_window);
    return std::make_unique<EngineLink>(
        std::make_unique<EngineClient>(engine_command(app_.saved.engine), wake_window),
        engine_requests());
}

void Loop::dump_widgets() {
    if (options_.files.dump_widgets.empty()) return;
    std::string state = dump(app_);
    if (state != dumped_) write_file(options_.files.dump_widgets, state);
    dumped_ = state;
}

void Loop::frame() {
    watch_.follow(app_.own ? app_.own->stage.path : std::filesystem::path());
    if (watch_.take_change()) reload_kernel(app_);
    if (std::exchange(app_.wanted.another_engine, false)) {
        engine_.reset();  // the old one ends before the new one starts
        engine_ = link();
    }
    if (take_deed()) frames_left_ = kSettlingFrames;
    begun_ = glfwGetTime();
    engine_->update(app_, begun_);
    follow_class(app_);
    follow_assignment(app_);
    if (!run_pressed_ && app_.engine.known && app_.arrived.picture) {
        press_run(app_);
        run_pressed_ = true;
    }
    draw_frame(app_, window_, renderer_, glfwGetTime());
    write_title(window_.handle(), app_, title_);
    dump_widgets();
    if (events_waiting()) frames_left_ = kSettlingFrames;
    --frames_left_;
}

// Of what moves there are further frames anyway.
void Loop::draw_again() {
    if (!moves(app_)) frames_left_ = std::max(frames_left_, 1);
}

double Loop::due() {
    if (!(app_.saved == saved_)) save_state(app_);
    saved_ = app_.saved;
    heap_.after_work();  // pictures come and go
    double due = engine_->next_due(app_, glfwGetTime());
    if (moves(app_)) due = std::max(0.0, begun_ + frame_time() - glfwGetTime());
    if (!app_.said.toast.text.empty()) due = due < 0 ? kToastSeconds : std::min(due, kToastSeconds);
    if (double clock = tools_due(app_, glfwGetTime()); clock >= 0)
        due = due < 0 ? clock : std::min(due, clock);
    return due;
}

void Loop::wake(bool in_time) {
    frames_left_ = moves(app_) || in_time ? 1 : kSettlingFrames;
    if (look().fonts_changed) frames_left_ = kSettlingFrames;
}

}  // namespace lanewise::ui
