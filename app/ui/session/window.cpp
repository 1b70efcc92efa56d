#include "ui/session/window.h"

#include <GLFW/glfw3.h>

#include <algorithm>

#include "ui/class/class_link.h"
#include "ui/desk/presenter.h"
#include "ui/session/apart_window.h"
#include "ui/session/audience_window.h"
#include "ui/session/loop.h"
#include "ui/session/session.h"
#include "ui/shell/shell.h"

namespace lanewise::ui {
namespace {

// A window that hands in stays until the class's server has said that it has it, or why not: nobody is to take
// for handed in what is not. Closed again, it goes at once.
class Leaving {
  public:
    enum class Turn { stays, has_spoken, goes };
    Turn turn(App& app, GLFWwindow* handle, double now) {
        if (glfwWindowShouldClose(handle)) {
            if (since_ >= 0 || !is_handing_in()) return Turn::goes;
            glfwSetWindowShouldClose(handle, GLFW_FALSE);
            since_ = now;
            app.said.toast = {};
        }
        if (since_ < 0) return Turn::stays;
        if (!is_handing_in()) {
            since_ = -1;
            // Why it did not come is read in a window that stays.
            return was_handed_in() ? Turn::goes : Turn::stays;
        }
        if (now - since_ < kPatience) {
            if (!app.said.toast.text.empty()) return Turn::stays;
            app.said.toast = {"Handing in … Then the window closes; close it again not to wait."};
            return Turn::has_spoken;
        }
        since_ = -1;
        stop_waiting_for_hand_in(app, static_cast<int>(kPatience));
        return Turn::has_spoken;
    }
    // Seconds until it is to be asked again; negative: it need not.
    double due(double now) const { return since_ < 0 ? -1 : std::max(0.0, since_ + kPatience - now); }

  private:
    static constexpr double kPatience = 20;  // s; a server that computes for others answers within
    double since_ = -1;
};

void run(App& app, Window& window, const Options& options) {
    Loop loop(app, window, options);
    Leaving leaving;
    recall_hand_in(app);
    ApartKeeper apart(app, window.handle());
    AudienceKeeper audience(app, window.handle());
    for (;;) {
        loop.frame();
        apart.turn();
        if (audience.turn()) loop.draw_again();
        if (loop.settles()) {
            glfwPollEvents();
            continue;
        }
        // After all that was struck before: a click and the window's end may come in one batch.
        const Leaving::Turn turn = leaving.turn(app, window.handle(), glfwGetTime());
        if (turn == Leaving::Turn::goes) break;
        if (turn == Leaving::Turn::has_spoken) {
            loop.wake(false);
            continue;
        }
        double due = loop.due(), waits = glfwGetTime();
        if (double closes = leaving.due(waits); closes >= 0)
            due = due < 0 ? closes : std::min(due, closes);
        if (due < 0)
            glfwWaitEvents();
        else if (due > 0)
            glfwWaitEventsTimeout(due);
        else
            glfwPollEvents();
        loop.wake(due > 0 && glfwGetTime() - waits >= due);
    }
    stop_presenting(app);
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
    if (options.embed) show_embedded();
    run(app, window, options);
}

}  // namespace lanewise::ui
