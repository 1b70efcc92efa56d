#include "ui/shell/offscreen.h"

#include <algorithm>
#include <chrono>
#include <vector>

#include "base/error.h"
#include "base/files.h"
#include "service/client.h"
#include "ui/kit/audit.h"
#include "ui/kit/imgui_compat.h"
#include "ui/kit/png.h"
#include "ui/shell/boxes.h"
#include "ui/shell/egl_context.h"
#include "ui/shell/engine_requests.h"
#include "ui/shell/render.h"
#include "ui/shell/session.h"
#include "ui/state/settings.h"

namespace lanewise::ui {
namespace {

// Seconds until the engine has greeted, which may have to wait for a place in a cluster's queue,
// and until everything has arrived.
constexpr double kGreetingPatience = 60, kPatience = 600;
constexpr int kSettlingFrames = 4;  // Dear ImGui places some items one frame late

double now() {
    using namespace std::chrono;
    return duration<double>(steady_clock::now().time_since_epoch()).count();
}

// Asks and waits until every result is there. A failure stands in the picture, as it would in the
// window; its status is returned.
Status wait_for_results(App& app, const Options& options) {
    EngineLink engine(std::make_unique<EngineClient>(engine_command(app.saved.engine)),
                      engine_requests());
    double begun = now();
    bool run_pressed = !options.run;
    for (;;) {
        engine.update(app, now());
        if (!run_pressed && app.engine.known) {
            press_run(app);
            run_pressed = true;
            continue;
        }
        bool ended = !app.said.error.empty() && app.engine.process_id == 0;
        if (engine.settled(app) && (app.engine.known || ended)) return app.said.failed;
        if (!app.engine.known && now() - begun > kGreetingPatience)
            throw Error(Status::out_of_time,
                        "no answer from the engine within 60 seconds; try its command by itself: "
                        "lanewise-engine doctor");
        if (now() - begun > kPatience)
            throw Error(Status::out_of_time,
                        "the engine is still at work after 10 minutes; a smaller matrix (--rows, "
                        "--cols) shows the same sooner");
        engine.wait(0.05);
    }
}

// Whoever names a kernel or an engine wants to know, without looking at the picture, that nothing
// came of it. What this machine lacks otherwise (a compiler, say) the picture says.
void say_failure(const App& app, const Options& options, Status status) {
    if (status == Status::fine) return;
    if (!options.engine.empty() && !app.engine.known)
        throw Error(Status::bad_input, app.said.error);
    if (app.own && !app.engine.compiler.empty()) throw Error(status, app.said.error);
}

// A driver that has lost its context (a kernel hung the GPU just before, say) draws nothing and
// reports nothing. No theme's background is pure black.
void refuse_empty(const std::vector<unsigned char>& picture) {
    if (std::any_of(picture.begin(), picture.end(), [](unsigned char byte) { return byte != 0; }))
        return;
    throw Error(Status::bad_input,
                "the OpenGL driver gave an empty picture; the GPU may be recovering from a fault. "
                "Try again, or draw in software: LIBGL_ALWAYS_SOFTWARE=1");
}

}  // namespace

void draw_offscreen(const Options& options) {
    Context context;
    map_keys();
    App app = open_app(options);
    EglContext egl;
    const Status status = wait_for_results(app, options);
    const WrittenFiles& files = options.files;
    audit().on = !(files.dump_widgets.empty() && files.boxes.empty() && files.texts.empty());
    Renderer renderer;
    OffscreenTarget target(options.width, options.height);
    for (int i = 0; i < kSettlingFrames; ++i) {
        renderer.upload_fonts();
        build_frame(app, options.width, options.height, now());
    }
    renderer.draw(*ImGui::GetDrawData());
    std::vector<unsigned char> picture = target.rgb();
    refuse_empty(picture);
    write_png(files.screenshot, options.width, options.height, picture.data());
    if (!files.boxes.empty()) write_file(files.boxes, boxes_as_json(audit()));
    if (!files.texts.empty()) write_file(files.texts, texts_as_json(audit()));
    if (!files.dump_widgets.empty()) write_file(files.dump_widgets, dump(app));
    say_failure(app, options, status);
}

}  // namespace lanewise::ui
