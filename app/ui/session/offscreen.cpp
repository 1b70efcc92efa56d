#include "ui/session/offscreen.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <vector>

#include "base/error.h"
#include "base/files.h"
#include "service/client.h"
#include "ui/class/audience.h"
#include "ui/desk/tools.h"
#include "ui/imgui/imgui_compat.h"
#include "ui/kit/audit.h"
#include "ui/plain/png.h"
#include "ui/screen/egl_context.h"
#include "ui/screen/render.h"
#include "ui/session/audience_picture.h"
#include "ui/session/audience_screen.h"
#include "ui/session/boxes.h"
#include "ui/session/session.h"
#include "ui/shell/engine_requests.h"
#include "ui/state/settings.h"

namespace lanewise::ui {
namespace {

// Seconds until the engine has greeted, which may have to wait for a place in a cluster's queue,
// and until everything has arrived.
constexpr double kGreetingPatience = 60, kPatience = 600;
constexpr int kPlacingFrames = 4;  // Dear ImGui places some items one frame late

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

// The second screen, while there is one to present on.
class SecondScreen {
  public:
    // `own`: it is the picture that is wanted, and so large as that; else it is only seen small.
    SecondScreen(const Options& options, bool own)
        : width_(own ? options.width : kWide), height_(own ? options.height : kHigh) {}

    void draw(App& app) {
        constexpr double kTenOClock = 10 * 60 * 60;  // in every picture
        Audience* audience = app.tools->presenter.audience.get();
        if (!audience) return;
        audience->midnight = now() - kTenOClock;
        AudienceScreen::Turn turn(screen_);
        picture_.draw(screen_, app, width_, height_);
    }
    std::vector<unsigned char> rgb() const {
        if (!picture_.target())
            throw Error(Status::bad_input, "--audience has nothing to draw: the lesson is presented no longer");
        picture_.target()->use();
        return picture_.target()->rgb();
    }

  private:
    static constexpr int kWide = 1920, kHigh = 1080;
    int width_, height_;
    AudienceScreen screen_;
    AudiencePicture picture_;
};

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
    std::unique_ptr<SecondScreen> second;
    if (options.present) second = std::make_unique<SecondScreen>(options, options.audience);
    OffscreenTarget target(options.width, options.height);
    for (int i = 0; i < kPlacingFrames; ++i) {
        renderer.upload_fonts();
        build_frame(app, options.width, options.height, now());
        if (second) second->draw(app);
    }
    target.use();
    renderer.draw(*ImGui::GetDrawData());
    std::vector<unsigned char> picture = options.audience ? second->rgb() : target.rgb();
    const Audit& drawn = options.audience ? audience_audit() : audit();
    refuse_empty(picture);
    write_png(files.screenshot, options.width, options.height, picture.data());
    if (!files.boxes.empty()) write_file(files.boxes, boxes_as_json(drawn));
    if (!files.texts.empty()) write_file(files.texts, texts_as_json(drawn));
    if (!files.dump_widgets.empty()) write_file(files.dump_widgets, dump(app));
    say_failure(app, options, status);
}

}  // namespace lanewise::ui
