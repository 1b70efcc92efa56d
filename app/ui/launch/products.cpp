#include "ui/launch/products.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/hash.h"
#include "base/text.h"
#include "ui/imgui/imgui_compat.h"

namespace lanewise::ui {
namespace {

constexpr double kSecondsOfAStep = 0.7, kLongestWalk = 20;

// What the pictures of the chosen setting depend on, but for the place.
std::string setting_of(const App& app) {
    const Selection& c = app.chosen();
    std::string key = fmt::format("{} {:x} {} {}x{}x{}", app.stage().id, hash(app.stage().source),
                                  c.type, c.rows, c.cols, c.inner);
    for (const auto& [name, value] : c.knobs) key += fmt::format(" {}={}", name, value);
    return key;
}

std::string place_of(const App& app) {
    return fmt::format(" block {} warp {} product {}", app.chosen().block, app.chosen().warp,
                       app.products ? app.products->product : 0);
}

int last_step(const Products& p) {
    return p.pictures ? static_cast<int>(p.pictures->walk.steps.size()) - 1 : -1;
}

void reach(Products& p, int step) {
    p.step = step;
    p.begun = -1;
    ++p.moves;
}

void step_part(App& app, int by) {
    auto last = static_cast<int>(product_parts().size()) - 1;
    products(app).part_chosen = true;
    products(app).part =
        static_cast<size_t>(std::clamp(static_cast<int>(products(app).part) + by, 0, last));
}

bool shows(const App& app, const char* part) {
    return product_parts()[app.products->part].id == std::string(part);
}

}  // namespace

Products& products(App& app) {
    if (!app.products) app.products = std::make_shared<Products>();
    return *app.products;
}

bool product_shown(const App& app) { return app.chosen().tab == "product"; }

std::string_view no_product(const App& app) {
    if (app.own)
        return "Which of its buffers are the matrices of a product is not known of a kernel of "
               "your own.";
    const Operation& operation = operation_of(app.stage());
    if (!has_view(operation, "product")) return operation.views.others;
    if (!is_library_call(app.stage())) return "";
    static std::string of, why;  // only one window draws
    if (of != app.stage().id) why = nothing_to_interpret(app.stage());
    of = app.stage().id;
    return why;
}

static size_t part_called(const std::string& id) {
    std::vector<std::string> ids;
    for (size_t i = 0; i < product_parts().size(); ++i) {
        if (id == product_parts()[i].id) return i;
        ids.emplace_back(product_parts()[i].id);
    }
    std::string near = closest(id, ids), all;
    for (const std::string& each : ids) all += (all.empty() ? "" : ", ") + each;
    throw Error(Status::bad_input,
                "no picture of a product \"" + id + "\"" +
                    (near.empty() ? "; there are " + all : "; did you mean \"" + near + "\"?"));
}

void check_product_part(const std::string& id) { part_called(id); }
void choose_product_part(App& app, const std::string& id) {
    products(app).part = part_called(id);
    products(app).part_chosen = true;
    ++app.revision;
}

void choose_product(App& app, int64_t product) {
    Products& p = products(app);
    uint64_t count = p.pictures && p.pictures->fragments ? p.pictures->fragments->products : 1;
    uint64_t chosen = std::min(static_cast<uint64_t>(std::max<int64_t>(product, 0)), count - 1);
    if (chosen == p.product) return;
    p.product = chosen;
    ++app.revision;
}

void choose_walk_step(App& app, int step) {
    Products& p = products(app);
    p.playing = false;
    step = std::clamp(step, 0, std::max(0, last_step(p)));
    if (step != p.step) reach(p, step);
}

void play_walk(App& app) {
    Products& p = products(app);
    if (last_step(p) < 1) return;
    p.playing = !p.playing;
    if (p.playing) reach(p, p.step >= last_step(p) ? 0 : p.step);
}

bool walk_plays(const App& app) {
    return app.products && app.products->playing && product_shown(app) && shows(app, "walk");
}

void advance_walk(App& app, double now) {
    if (!walk_plays(app)) return;
    Products& p = products(app);
    if (p.begun < 0) p.begun = now;
    // Long walks play faster, so that they end.
    double seconds = std::min(kSecondsOfAStep, kLongestWalk / (last_step(p) + 1));
    auto steps = static_cast<int>((now - p.begun) / seconds);
    if (steps < 1) return;
    double begun = p.begun + steps * seconds;
    reach(p, std::min(p.step + steps, last_step(p)));
    p.begun = begun;
    p.playing = p.step < last_step(p);
}

void handle_product_keys(App& app) {
    Products& p = products(app);
    for (int by : {-1, 1}) {
        if (pressed(by < 0 ? Key::up : Key::down)) step_part(app, by);
        if (!pressed(by < 0 ? Key::left : Key::right) || ImGui::GetIO().KeyShift) continue;
        if (shows(app, "walk")) choose_walk_step(app, p.step + by);
        if (shows(app, "fragments")) choose_product(app, static_cast<int64_t>(p.product) + by);
    }
    if (!shows(app, "walk")) return;
    if (pressed(Key::home)) choose_walk_step(app, 0);
    if (pressed(Key::end)) choose_walk_step(app, last_step(p));
    if (pressed(Key::space)) play_walk(app);
}

// ---- asking

std::optional<ProductQuestion> next_product_question(App& app) {
    if (!product_shown(app) || !no_product(app).empty()) return {};
    if (!app.arrived.picture || !app.stage().error.empty()) return {};  // it does not compile, say
    Products& p = products(app);
    if (p.looked_at == app.revision) return {};
    p.looked_at = app.revision;
    std::string setting = setting_of(app), place = place_of(app);
    if (p.setting == setting && p.place == place) return {};
    if (p.setting != setting) {
        p.step = 0;
        p.playing = false;
    }
    p.setting = setting;
    p.place = place;
    return ProductQuestion{
        job_of(app),
        {static_cast<uint32_t>(app.chosen().block), app.chosen().warp, p.product},
        p.reuse_of != setting};
}

void take_product(App& app, ProductPictures pictures) {
    if (pictures.stage != app.stage().id) return;
    Products& p = products(app);
    bool current = p.setting == setting_of(app) && p.place == place_of(app);
    p.problem.clear();
    if (!pictures.reuse.empty()) {
        p.reuse = std::move(pictures.reuse);
        p.reuse_of = p.setting;
    }
    p.product = pictures.place.product;
    p.pictures = std::move(pictures);
    if (!p.part_chosen) p.part = part_called(p.pictures->fragments ? "fragments" : "walk");
    p.step = std::clamp(p.step, 0, std::max(0, last_step(p)));
    if (current) p.place = place_of(app);  // as it was clamped: nothing is to be asked again
    ++app.revision;
}

void take_product_problem(App& app, const std::string& problem) {
    Products& p = products(app);
    p.pictures.reset();
    p.reuse_of.clear();
    p.problem = problem;
    ++app.revision;
}

}  // namespace lanewise::ui
