#include "lab/json/cause_table_json.h"

#include <nlohmann/json.hpp>

namespace lanewise {

using Json = nlohmann::json;

void to_json(Json& json, const TimeCause& cause) {
    json = {{"name", cause.name}, {"us", cause.us}, {"line", cause.line}, {"fix", cause.fix}};
}

void from_json(const Json& json, TimeCause& cause) {
    json.at("name").get_to(cause.name);
    json.at("us").get_to(cause.us);
    json.at("line").get_to(cause.line);
    json.at("fix").get_to(cause.fix);
}

void to_json(Json& json, const LineHits& hits) {
    json = {{"file", hits.file},           {"line", hits.line},
            {"l1_sectors", hits.l1_sectors}, {"l1_hit", hits.l1_hit},
            {"l2_sectors", hits.l2_sectors}, {"l2_hit", hits.l2_hit}};
}

void from_json(const Json& json, LineHits& hits) {
    json.at("file").get_to(hits.file);
    json.at("line").get_to(hits.line);
    json.at("l1_sectors").get_to(hits.l1_sectors);
    json.at("l1_hit").get_to(hits.l1_hit);
    json.at("l2_sectors").get_to(hits.l2_sectors);
    json.at("l2_hit").get_to(hits.l2_hit);
}

void to_json(Json& json, const LineShare& line) {
    json = {{"file", line.file}, {"line", line.line}, {"share", line.share}};
}

void from_json(const Json& json, LineShare& line) {
    json.at("file").get_to(line.file);
    json.at("line").get_to(line.line);
    json.at("share").get_to(line.share);
}

void to_json(Json& json, const CauseTable& table) {
    json = {{"card", table.card},
            {"is_calibrated", table.is_calibrated},
            {"holds", table.holds},
            {"sentence", table.sentence},
            {"time_us", table.time_us},
            {"low_us", table.low_us},
            {"high_us", table.high_us},
            {"limited_by", table.limited_by},
            {"causes", table.causes},
            {"without_us", table.without_us},
            {"launch_us", table.launch_us},
            {"unexplained_us", unexplained_us(table)},
            {"l1_hit", table.l1_hit},
            {"l2_hit", table.l2_hit},
            {"dram_read_bytes", table.dram_read_bytes},
            {"instructions", table.instructions},
            {"lines", table.lines},
            {"time_by_line", table.time_by_line}};
}

void from_json(const Json& json, CauseTable& table) {
    json.at("card").get_to(table.card);
    json.at("is_calibrated").get_to(table.is_calibrated);
    json.at("holds").get_to(table.holds);
    json.at("sentence").get_to(table.sentence);
    json.at("time_us").get_to(table.time_us);
    json.at("low_us").get_to(table.low_us);
    json.at("high_us").get_to(table.high_us);
    json.at("limited_by").get_to(table.limited_by);
    json.at("causes").get_to(table.causes);
    json.at("without_us").get_to(table.without_us);
    json.at("launch_us").get_to(table.launch_us);
    json.at("l1_hit").get_to(table.l1_hit);
    json.at("l2_hit").get_to(table.l2_hit);
    json.at("dram_read_bytes").get_to(table.dram_read_bytes);
    json.at("lines").get_to(table.lines);
    table.instructions = json.value("instructions", 0.0);
    table.time_by_line = json.value("time_by_line", std::vector<LineShare>{});  // older engines: none
}

}  // namespace lanewise
