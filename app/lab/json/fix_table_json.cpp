#include "lab/json/fix_table_json.h"

#include <nlohmann/json.hpp>

namespace lanewise {

using Json = nlohmann::json;

void to_json(Json& json, const TableFix& fix) {
    json = {{"title", fix.title},   {"problem", fix.problem}, {"holds", fix.time_us > 0},
            {"time_us", fix.time_us}, {"low_us", fix.low_us}, {"high_us", fix.high_us},
            {"faster", fix.faster}, {"knobs", fix.knobs},     {"diff", fix.diff},
            {"source", fix.source}};
}

void from_json(const Json& json, TableFix& fix) {
    json.at("title").get_to(fix.title);
    json.at("problem").get_to(fix.problem);
    json.at("time_us").get_to(fix.time_us);
    json.at("low_us").get_to(fix.low_us);
    json.at("high_us").get_to(fix.high_us);
    json.at("faster").get_to(fix.faster);
    json.at("knobs").get_to(fix.knobs);
    json.at("diff").get_to(fix.diff);
    json.at("source").get_to(fix.source);
}

void to_json(Json& json, const FixTable& table) {
    json = {{"before_us", table.before_us},
            {"sentence", table.sentence},
            {"card", table.card},
            {"fixes", table.fixes}};
}

void from_json(const Json& json, FixTable& table) {
    json.at("before_us").get_to(table.before_us);
    json.at("sentence").get_to(table.sentence);
    json.at("card").get_to(table.card);
    json.at("fixes").get_to(table.fixes);
}

}  // namespace lanewise
