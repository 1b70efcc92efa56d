// Any text as a stage's source: its head, the kernel's signature, every knob combination's launch
// at awkward shapes, and the JSON that travels to a remote engine.
#include "course/stage.h"

#include <nlohmann/json.hpp>

#include "course/stage_head.h"
#include "fuzz.h"
#include "lab/json/json.h"

namespace lanewise {

static void launch(const Stage& stage, const KnobValues& knobs, int64_t rows, int64_t cols) {
    refusing([&] { launch_shape(stage, knobs, stage.types.at(0), rows, cols); });
}

void fuzz(std::string_view text) {
    Stage stage;
    stage.id = "transpose/99_fuzz";
    stage.operation = "transpose";
    stage.file = "99_fuzz.cu";
    stage.source = text;
    read_head(stage);
    size_t combinations = 0;
    for (const KnobValues& knobs : knob_combinations(stage, stage.types.at(0))) {
        launch(stage, knobs, 1, 1);
        launch(stage, knobs, 65536, 33);
        if (stage.has_tile) refusing([&] { tile_shape(stage, knobs, stage.types[0]); });
        name_expression(stage, knobs, stage.types[0]);
        if (++combinations == 16) break;
    }
    // Bytes that are no UTF-8 have no JSON; the catalogue shows such a stage with its error.
    std::string json = Json(stage).dump(-1, ' ', false, Json::error_handler_t::replace);
    Json::parse(json).get<Stage>();
}

}  // namespace lanewise
