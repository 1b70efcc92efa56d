// The order of blocks on the wire.
#include <nlohmann/json.hpp>

#include "lab/flow/block_walk.h"
#include "lab/json/json.h"

namespace lanewise {

void to_json(Json& json, const BlockWalk& walk) {
    json = {{"stage", walk.stage},
            {"grid", walk.grid},
            {"blocks", walk.blocks},
            {"resident_per_sm", walk.resident_per_sm},
            {"multiprocessors", walk.multiprocessors},
            {"card", walk.card},
            {"matrices", Json::array()}};
    for (const WalkedMatrix& matrix : walk.matrices) {
        Json boxes = Json::array();
        for (const TouchedBox& box : matrix.boxes)
            boxes.push_back({box.row, box.col, box.rows, box.cols});
        json["matrices"].push_back({{"name", matrix.shape.name},
                                    {"rows", matrix.shape.rows},
                                    {"cols", matrix.shape.cols},
                                    {"element_bytes", matrix.shape.element_bytes},
                                    {"boxes", std::move(boxes)},
                                    {"sectors", matrix.sectors},
                                    {"together", matrix.together}});
    }
}

void from_json(const Json& json, BlockWalk& walk) {
    json.at("stage").get_to(walk.stage);
    json.at("grid").get_to(walk.grid);
    json.at("blocks").get_to(walk.blocks);
    json.at("resident_per_sm").get_to(walk.resident_per_sm);
    json.at("multiprocessors").get_to(walk.multiprocessors);
    json.at("card").get_to(walk.card);
    for (const Json& each : json.at("matrices")) {
        WalkedMatrix matrix;
        each.at("name").get_to(matrix.shape.name);
        each.at("rows").get_to(matrix.shape.rows);
        each.at("cols").get_to(matrix.shape.cols);
        each.at("element_bytes").get_to(matrix.shape.element_bytes);
        for (const Json& box : each.at("boxes"))
            matrix.boxes.push_back({box.at(0).get<int64_t>(), box.at(1).get<int64_t>(),
                                    box.at(2).get<int64_t>(), box.at(3).get<int64_t>()});
        each.at("sectors").get_to(matrix.sectors);
        each.at("together").get_to(matrix.together);
        walk.matrices.push_back(std::move(matrix));
    }
}

}  // namespace lanewise
