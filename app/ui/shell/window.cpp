#include "ui/shell/window.h"

#include <GLFW/glfw3.h>

#include "ui/desk/presenter.h"
#include "ui/shell/apart_window.h"
#include "ui/shell/audience_window.h"
#include "ui/shell/loop.h"
#include "ui/shell/session.h"
#include "ui/shell/shell.h"

namespace lanewise::ui {
namespace {

void run(App& app, Window& window, const Options& options) {
    Loop loop(app, window, options);
    ApartKeeper apart(app, window.handle());
    AudienceKeeper audience(app, window.handle());
    while (!glfwWindowShouldClose(window.handle())) {
        loop.frame();
        apart.turn();
        if (audience.turn()) loop.draw_again();
        if (loop.settles()) {
            glfwPollEvents();
            continue;
        }
        double due = loop.due(), waits = glfwGetTime();
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
