#include "ui/state/scrub.h"

#include <algorithm>

#include "ui/state/app.h"

namespace lanewise::ui {
namespace {

constexpr double kLead = 0.15;  // before the first wavefront
constexpr double kEachWavefront = 0.09;
constexpr double kTail = 0.35;   // the finished picture, before the next step
constexpr double kLongest = 60;  // seconds that a whole life takes at most, at speed 1

Space space_of_tab(const App& app) {
    return app.chosen().tab == "banks" ? Space::shared : Space::global;
}

// Long lives play faster, so that they end.
double pace(const App& app) {
    double all = 0;
    for (const LifeStep& step : app.derived.life) all += seconds_of(step);
    return app.scrub.speed * std::max(1.0, all / kLongest);
}

// The most wavefronts of what is shown: of the chosen setting, and of those in lock-step with it.
double seconds_shown(const App& app) {
    const LifeStep* step = shown_moment(app);
    return step ? seconds_of(*step) : 0;
}

void reach(App& app, int step) {
    Scrub& scrub = app.scrub;
    scrub.begun = -1;
    scrub.elapsed = 0;
    const LifeStep& reached = app.derived.life[static_cast<size_t>(step)];
    scrub.arriving = reached.is_shared() && reached.cost > 1;
    select(app, [&](Selection& now) {
        now.step = step;
        if (reached.row >= 0) now.access[reached.is_shared()] = reached.row;
        now.line = 0;
    });
    ++scrub.moves;
}

}  // namespace

double seconds_of(const LifeStep& step) {
    int wavefronts = step.is_shared() ? step.cost : 1;
    return kLead + kEachWavefront * wavefronts + kTail;
}

int shown_step(const App& app) {
    const std::vector<LifeStep>& life = app.derived.life;
    auto count = static_cast<int>(life.size());
    if (app.chosen().step >= 0 && app.chosen().step < count) return app.chosen().step;
    Space space = space_of_tab(app);
    int row = chosen_row(app, space);
    for (int i = 0; i < count && row >= 0; ++i) {
        const LifeStep& step = life[static_cast<size_t>(i)];
        if (step.row == row && step.is_shared() == (space == Space::shared)) return i;
    }
    return -1;
}

Space space_shown(const App& app) {
    const LifeStep* moment = shown_moment(app);
    if (!moment || moment->access < 0) return space_of_tab(app);
    return moment->is_shared() ? Space::shared : Space::global;
}

const LifeStep* shown_moment(const App& app) {
    int step = shown_step(app);
    return step < 0 ? nullptr : &app.derived.life[static_cast<size_t>(step)];
}

void choose_step(App& app, int step) {
    auto last = static_cast<int>(app.derived.life.size()) - 1;
    if (last < 0) return;
    step = std::clamp(step, 0, last);
    if (step == app.chosen().step) return;
    app.scrub.playing = false;
    reach(app, step);
}

void step_life(App& app, int by) { choose_step(app, std::max(0, shown_step(app) + by)); }

void step_chapter(App& app, int by) {
    const std::vector<LifeStep>& life = app.derived.life;
    if (life.empty()) return;
    int step = shown_step(app);
    choose_step(app, by > 0 ? next_chapter(life, step) : previous_chapter(life, step));
}

void choose_end_step(App& app, bool last) {
    choose_step(app, last ? static_cast<int>(app.derived.life.size()) - 1 : 0);
}

void press_play(App& app) {
    Scrub& scrub = app.scrub;
    if (app.derived.life.empty()) return;
    scrub.playing = !scrub.playing;
    if (!scrub.playing) {
        scrub.arriving = false;
        return;
    }
    int step = shown_step(app);
    bool at_end = step == static_cast<int>(app.derived.life.size()) - 1;
    reach(app, step < 0 || at_end ? 0 : step);
}

void change_speed(App& app) { app.scrub.speed = app.scrub.speed >= 4 ? 0.5 : app.scrub.speed * 2; }

bool is_moving(const App& app) {
    bool seen = app.chosen().tab == "access" || app.chosen().tab == "banks" || app.chosen().tab == "timeline";
    return seen && app.arrived.picture && (app.scrub.playing || app.scrub.arriving);
}

void advance_scrub(App& app, double now) {
    Scrub& scrub = app.scrub;
    if (!is_moving(app)) return;
    if (scrub.begun < 0) scrub.begun = now;
    double speed = scrub.playing ? pace(app) : scrub.speed;
    scrub.elapsed = (now - scrub.begun) * speed;
    double seconds = seconds_shown(app);
    while (scrub.elapsed >= seconds) {
        double over = scrub.elapsed - seconds;
        scrub.arriving = false;
        int next = shown_step(app) + 1;
        if (next >= static_cast<int>(app.derived.life.size())) scrub.playing = false;
        if (!scrub.playing) return;
        reach(app, next);
        scrub.begun = now - over / speed;
        scrub.elapsed = over;
        seconds = seconds_shown(app);
    }
}

int wavefronts_shown(const App& app) {
    if (!is_moving(app) || !app.scrub.arriving) return kAtRest;
    return std::max(0, static_cast<int>((app.scrub.elapsed - kLead) / kEachWavefront) + 1);
}

void list_life(App& app) {
    std::vector<LifeStep>& life = app.derived.life;
    life.clear();
    if (app.arrived.picture)
        life =
            warp_life(app.arrived.picture->block, app.arrived.picture->report, app.chosen().warp);
    // A step that a link names waits for the picture.
    if (app.arrived.picture && app.chosen().step >= static_cast<int>(life.size())) rest(app);
}

void leave_moment(App& app, const std::string& view) {
    app.scrub.playing = app.scrub.arriving = false;
    const LifeStep* moment = shown_moment(app);
    bool other_space =
        moment && moment->access >= 0 &&
        ((view == "banks" && !moment->is_shared()) || (view == "access" && moment->is_shared()));
    if (other_space) rest(app);
}

void rest(App& app) {
    select(app, [&](Selection& now) { now.step = -1; });
    app.scrub.playing = app.scrub.arriving = false;
    ++app.scrub.moves;
}

}  // namespace lanewise::ui
