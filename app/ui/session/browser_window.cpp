// The window in a browser: the page calls it once for each picture of the screen, keeps what it writes
// (IndexedDB), offers what it saves for download, and has the clipboard. The page's side of all that is
// window.js.
#include <GLFW/glfw3.h>
#include <emscripten.h>
#include <emscripten/html5.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "ui/class/assignment_work.h"
#include "ui/class/class_link.h"
#include "ui/desk/commands.h"
#include "ui/desk/share.h"
#include "ui/desk/workspace.h"
#include "ui/imgui/pinch.h"
#include "ui/kit/audit.h"
#include "ui/look/density.h"
#include "ui/look/glyphs.h"
#include "ui/session/loop.h"
#include "ui/session/session.h"
#include "ui/session/window.h"
#include "ui/shell/shell.h"
#include "ui/state/edits.h"
#include "ui/state/records.h"

// ---- What the page does for us. `Module.page` is window.js's.

EM_JS(void, page_copy, (const char* text), { Module.page.copy(UTF8ToString(text)); });
EM_JS(void, page_offer_saved, (), { Module.page.offerSaved(); });
EM_JS(void, page_predicted, (const char* stage, const char* choice, int right),
      { Module.page.predicted(UTF8ToString(stage), UTF8ToString(choice), right > 0); });
EM_JS(void, page_keep, (), { Module.page.keep(); });
EM_JS(void, page_say, (const char* title, const char* text, const char* link),
      { Module.page.say(UTF8ToString(title), UTF8ToString(text), UTF8ToString(link)); });
// glfwSetWindowSize() asks for the whole screen where the size is the screen's, and leaves the window as it was:
// so it is where a browser shows the page on the whole screen already.
EM_JS(void, page_fit, (int width, int height), { Browser.setCanvasSize(width, height); });
// The first picture is drawn: what waited for it may come now.
EM_JS(void, page_shown, (), { Module.page.shown(); });
// Whether the canvas can be drawn on; where not, the page has said so.
EM_JS(int, page_draws, (), { return Module.page.draws() ? 1 : 0; });
// The canvas's pixels, as missingGraphics() in window.js has set them. On the whole screen GLFW would take them for
// a wish for just that: one pixel less, then, until page_fit().
EM_JS(int, page_has, (int wide), {
    const canvas = Module.canvas;
    const all = canvas.width === screen.width && canvas.height === screen.height;
    return wide ? canvas.width - (all ? 1 : 0) : canvas.height;
});
EM_JS(int, page_keeps_nothing, (), { return Module.page.keepsNothing ? 1 : 0; });

namespace lanewise::ui {
namespace {

struct BrowserWindow {
    explicit BrowserWindow(const Options& given)
        : options(given), app(begin()), window(begin_drawing()) {}

    App begin() const;
    static Window begin_drawing();
    void turn();
    void tell_shown();
    void fit();
    void say();

    Options options;
    Glfw glfw;
    Context context;
    App app;
    Window window;
    std::optional<Loop> loop;
    double due_at = -1;
    bool deeds = false;  // since the state was saved
    bool told_shown = false;
    double resized_at = -1;  // by a pinch
    std::string said;
};
std::unique_ptr<BrowserWindow> shown;
std::string clipboard;  // what was pasted last: a browser tells that when it happens, not when it is asked

// As Window::density() has it, which needs the window.
float density_of_page() {
    return std::clamp(static_cast<float>(emscripten_get_device_pixel_ratio()), 1.f, 4.f);
}

// The fonts' rarer characters, like the recordings (lanewise_more), wait for the first picture. Whatever needs no
// graphics comes before the first call that does: a browser without a GPU takes a second to begin with them.
App BrowserWindow::begin() const {
    want_few_glyphs();
    App app = open_app(options);
    adopt_density(density_of_page());
    bake_fonts_ahead();
    return app;
}

Window BrowserWindow::begin_drawing() {
    if (!page_draws()) throw Error(Status::bad_input, "there is no WebGL 2 here");
    return Window(page_has(true), page_has(false));
}

// A stage may have no picture, or a fault in its place.
void BrowserWindow::tell_shown() {
    constexpr double kPatience_s = 5;
    const bool nothing_comes = !app.activity.busy() && glfwGetTime() > kPatience_s;
    if (told_shown || (!app.arrived.picture && !nothing_comes)) return;
    told_shown = true;
    page_shown();
}

// The canvas has as many pixels as the screen has behind it.
void BrowserWindow::fit() {
    double width = 0, height = 0, density = emscripten_get_device_pixel_ratio();
    emscripten_get_element_css_size("#canvas", &width, &height);
    int wide = static_cast<int>(std::lround(width * density));
    int high = static_cast<int>(std::lround(height * density));
    int now_wide = 0, now_high = 0;
    glfwGetWindowSize(window.handle(), &now_wide, &now_high);
    if (wide <= 0 || high <= 0 || (wide == now_wide && high == now_high)) return;
    page_fit(wide, high);
    wake_window();
}

// For those who do not see the canvas, and for the address that shows this state again.
void BrowserWindow::say() {
    std::string text = setting_in_words(app), link = link_of(shared_state(app));
    if (said == text + link) return;
    said = text + link;
    page_say(app.stage().title.c_str(), text.c_str(), link.c_str());
}

void BrowserWindow::turn() {
    tell_shown();
    fit();
    double now = glfwGetTime();
    if (!loop->settles()) {
        bool deed = take_deed();
        if (!deed && (due_at < 0 || now < due_at)) return;
        deeds |= deed;
        loop->wake(!deed);
    }
    loop->frame();
    if (const float pinch = take_pinch(); pinch != 0) {
        act(app, find_command(app, pinch > 0 ? "larger" : "smaller"));
        resized_at = now;
    }
    if (loop->settles()) return;
    double due = loop->due();
    due_at = due < 0 ? -1 : now + due;
    page_offer_saved();
    for (const ClassAnswer& one : take_class_answers())
        page_predicted(one.stage.c_str(), one.choice.c_str(), one.right);
    say();
    // A window saves when it ends; nobody tells a page that it does.
    if (std::exchange(deeds, false)) {
        save_state(app);
        page_keep();
    }
}

// A message that tells what the file is for, where it cannot be opened here.
void open_file(App& app, const std::string& file) {
    if (!file.ends_with(kWorkspaceEnding) && !file.ends_with(kAssignmentEnding))
        throw Error(Status::bad_input,
                    "A browser opens workspaces (" + std::string(kWorkspaceEnding) +
                        ") and assignments (" + kAssignmentEnding +
                        "). For a kernel of your own there is the desktop program.");
    open_what_was_handed(app, file);
}

}  // namespace

void run_window(const Options& options) {
    shown = std::make_unique<BrowserWindow>(options);
    ImGuiIO& io = ImGui::GetIO();
    io.SetClipboardTextFn = [](void*, const char* text) { page_copy(text); };
    io.GetClipboardTextFn = [](void*) { return clipboard.c_str(); };
    if (page_keeps_nothing())
        shown->app.said.notices.push_back(
            "This browser keeps nothing of this page: your progress lasts until you close it. "
            "Save a workspace to keep it.");
    if (options.embed) show_embedded();
    shown->loop.emplace(shown->app, shown->window, shown->options);
    emscripten_set_main_loop([] { shown->turn(); }, 0, false);
}

}  // namespace lanewise::ui

extern "C" {

// A link, or a file that was dropped on the page, by its path.
EMSCRIPTEN_KEEPALIVE void lanewise_open(const char* what) {
    using namespace lanewise;
    using namespace lanewise::ui;
    if (!shown) return;
    std::string text = what;
    try {
        if (text.starts_with(kLinkBegins))
            restore(shown->app, parse_link(text));
        else
            open_file(shown->app, text);
    } catch (const Error& error) {
        shown->app.said.notices.insert(shown->app.said.notices.begin(), error.what());
    }
    wake_window();
}

// The first picture stands, and the recordings lie in their folder.
EMSCRIPTEN_KEEPALIVE void lanewise_more(const char*) {
    using namespace lanewise;
    using namespace lanewise::ui;
    read_records(shown->app, content_folder());
    derive(shown->app);
    want_all_glyphs();
    wake_window();
}

// What was pasted by a key, which the window hears of in its next frame.
EMSCRIPTEN_KEEPALIVE void lanewise_clipboard(const char* text) { lanewise::ui::clipboard = text; }

// What was pasted by a menu of the browser.
EMSCRIPTEN_KEEPALIVE void lanewise_type(const char* text) {
    ImGui::GetIO().AddInputCharactersUTF8(text);
    lanewise::ui::wake_window();
}

// One of the window's commands, by its name (commands.cpp).
EMSCRIPTEN_KEEPALIVE void lanewise_act(const char* command) {
    using namespace lanewise::ui;
    if (!shown) return;
    act(shown->app, find_command(shown->app, command));
    wake_window();
}

// Two fingers were drawn apart ("larger") or together ("smaller") by another step, with the pointer between them.
EMSCRIPTEN_KEEPALIVE void lanewise_pinch(const char* command) {
    using namespace lanewise::ui;
    if (!shown) return;
    // A pinch that has begun to make everything larger goes on with it, whatever comes to lie between the fingers.
    constexpr double kOnePinch_s = 0.5;
    if (shown->resized_at >= 0 && glfwGetTime() - shown->resized_at < kOnePinch_s) {
        shown->resized_at = glfwGetTime();
        return lanewise_act(command);
    }
    waiting_pinch() += command == std::string_view("larger") ? 1.f : -1.f;
    wake_window();
}

// The page is about to go, or another tab takes over: what was typed a moment ago is written as well, and the page
// learns the address of what was chosen a moment ago.
EMSCRIPTEN_KEEPALIVE void lanewise_save(const char*) {
    using namespace lanewise::ui;
    if (!shown || !shown->loop) return;
    shown->loop->frame();  // which hears the keys that were struck since the last one
    settle_edit(shown->app);
    save_state(shown->app);
    shown->say();
}

// What the tests look at: as --dump-widgets writes.
EMSCRIPTEN_KEEPALIVE const char* lanewise_dump() {
    static std::string text;
    if (!lanewise::ui::shown) return "{}";
    if (!std::exchange(lanewise::ui::audit().on, true)) lanewise::ui::wake_window();
    text = lanewise::ui::dump(lanewise::ui::shown->app);
    return text.c_str();
}

// Where the last frame drew what has this name, what of its column is in sight, and whether it can be pressed:
// [x0, y0, x1, y1, the same of the column, 1 or 0], or [].
EMSCRIPTEN_KEEPALIVE const char* lanewise_place(const char* name) {
    static std::string text;
    text = "[]";
    for (const auto& [id, box, enabled, clip] : lanewise::ui::audit().widgets)
        if (id == name)
            text = fmt::format("[{}, {}, {}, {}, {}, {}, {}, {}, {}]", box.x0, box.y0, box.x1, box.y1,
                               clip.x0, clip.y0, clip.x1, clip.y1, enabled ? 1 : 0);
    return text.c_str();
}

}  // extern "C"
