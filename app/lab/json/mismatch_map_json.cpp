// A map of wrong elements on the wire.
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "lab/json/json.h"
#include "lab/mismatch/mismatch_map.h"

namespace lanewise {

// ---- on the wire: the cells that are wrong, by their numbers

void to_json(Json& json, const MismatchMap& map) {
    json = {{"stage", map.stage},
            {"rows", map.rows},
            {"cols", map.cols},
            {"cell_rows", map.cell_rows},
            {"cell_cols", map.cell_cols},
            {"across", map.across},
            {"down", map.down},
            {"wrong", map.wrong},
            {"unwritten", map.unwritten},
            {"elsewhere", map.elsewhere},
            {"patterns", map.patterns},
            {"is_copy", map.is_copy},
            {"is_product", map.is_computed},
            {"output", map.output},
            {"on_gpu", map.on_gpu},
            {"cells", Json::array()}};
    for (size_t i = 0; i < map.cells.size(); ++i) {
        const MismatchCell& c = map.cells[i];
        if (c.wrong)
            json["cells"].push_back({i, c.wrong, c.unwritten, c.elsewhere, c.row, c.col, c.expected,
                                     c.actual, c.from_row, c.from_col});
    }
}

void from_json(const Json& json, MismatchMap& map) {
    json.at("stage").get_to(map.stage);
    json.at("rows").get_to(map.rows);
    json.at("cols").get_to(map.cols);
    json.at("cell_rows").get_to(map.cell_rows);
    json.at("cell_cols").get_to(map.cell_cols);
    json.at("across").get_to(map.across);
    json.at("down").get_to(map.down);
    json.at("wrong").get_to(map.wrong);
    json.at("unwritten").get_to(map.unwritten);
    json.at("elsewhere").get_to(map.elsewhere);
    json.at("patterns").get_to(map.patterns);
    json.at("is_copy").get_to(map.is_copy);
    // An earlier engine's had none of these.
    map.is_computed = json.value("is_product", false);
    map.output = json.value("output", std::string(map.is_computed ? "C" : "out"));
    map.on_gpu = json.value("on_gpu", false);
    constexpr int kMostAcross = 1024;
    if (std::clamp(map.across, 0, kMostAcross) != map.across ||
        std::clamp(map.down, 0, kMostAcross) != map.down)
        throw Error(Status::bad_input, "a map of wrong elements is damaged");
    map.cells.resize(static_cast<size_t>(map.across) * static_cast<size_t>(map.down));
    for (const Json& each : json.at("cells")) {
        auto index = each.at(0).get<size_t>();
        if (index >= map.cells.size()) continue;
        MismatchCell& c = map.cells[index];
        each.at(1).get_to(c.wrong);
        each.at(2).get_to(c.unwritten);
        each.at(3).get_to(c.elsewhere);
        each.at(4).get_to(c.row);
        each.at(5).get_to(c.col);
        each.at(6).get_to(c.expected);
        each.at(7).get_to(c.actual);
        each.at(8).get_to(c.from_row);
        each.at(9).get_to(c.from_col);
    }
}

}  // namespace lanewise
