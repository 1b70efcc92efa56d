// The product view's state: which of its pictures is shown, and where it looks. The engine makes
// the pictures (lab/flow/product_pictures.h); this asks for them, and goes through them.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lab/flow/product_pictures.h"
#include "ui/state/app.h"

namespace lanewise::ui {

// One row per picture, in the order in which they are offered.
struct ProductPart {
    const char *id, *title;
    const char* what;  // in one sentence
    void (*draw)(App&);
};
std::span<const ProductPart> product_parts();  // view_product.cpp

struct Products {
    size_t part = 0;
    bool part_chosen = false;  // else it is one that has something to show
    uint64_t product = 0;      // of the chosen warp, with tensor cores
    int hovered = -1;          // the lane under the pointer
    // ---- the walk along K
    int step = 0;
    bool playing = false;
    double begun = -1;  // when the step was reached, in the window's seconds; -1: next frame
    // ---- arrived
    std::optional<ProductPictures> pictures;
    std::vector<ReuseMap> reuse;  // of a setting; the place in it does not matter
    std::string problem;          // why there is no picture; empty where there is
    // ---- what was asked for: the setting, and the place in it
    std::string setting, place;
    std::string reuse_of;  // the setting that `reuse` is of
    uint64_t looked_at =
        0;  // app.revision when it was last looked whether something is to be asked
    // ---- laid out
    LaidOut fragments, maps, walk, strip;
    uint64_t moves = 0;  // each changes what the figures show
};
// The app's, made with the first use.
Products& products(App& app);
bool product_shown(const App& app);  // whether it is what the middle column shows

// Why there are no such pictures of what is chosen, in one sentence; empty where there are.
std::string_view no_product(const App& app);  // stands until another stage is chosen

// Both throw Error(bad_input) with the closest name.
void check_product_part(const std::string& id);
void choose_product_part(App& app, const std::string& id);

void choose_product(App& app, int64_t product);  // clamped
void choose_walk_step(App& app, int step);       // clamped; stops
void play_walk(App& app);                        // from the begin where it stands at the end
bool walk_plays(const App& app);
// Lets so much time pass; called once per frame before anything is drawn.
void advance_walk(App& app, double now);
void handle_product_keys(App& app);

// ---- asking (shell/engine_requests.cpp)
struct ProductQuestion {
    Job job;
    ProductPlace place;
    bool with_reuse = true;
};
std::optional<ProductQuestion> next_product_question(App& app);  // nothing where none is needed
void take_product(App& app, ProductPictures pictures);
void take_product_problem(App& app, const std::string& problem);

}  // namespace lanewise::ui
