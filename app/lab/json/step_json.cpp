#include "lab/json/step_json.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace lanewise {

using Json = nlohmann::json;

namespace {

std::string_view name_of(NumberType type) {
    constexpr std::string_view kNames[] = {"i32", "u32", "i64", "u64", "f32", "f64"};
    return kNames[static_cast<size_t>(type)];
}

std::string_view name_of(StepStop::Why why) {
    constexpr std::string_view kNames[] = {"moved", "breakpoint", "fault",      "returned",
                                           "end",   "start",      "never_ends", "interrupted"};
    return kNames[static_cast<size_t>(why)];
}

std::string_view name_of(WarpLook::State state) {
    constexpr std::string_view kNames[] = {"ready", "at_barrier", "returned"};
    return kNames[static_cast<size_t>(state)];
}

// Numbers that JSON does not have are text.
Json lane_json(const LaneValues& values, size_t lane) {
    if (!values.is_known(lane)) return nullptr;
    bool is_text = !values.pointee.element.empty() ||
                   (is_float(values.type) && !std::isfinite(values.number(lane)));
    if (is_text) return lane_text(values, lane);
    if (is_float(values.type)) return values.number(lane);
    if (values.type == NumberType::u64) return values.bits[lane];
    return static_cast<int64_t>(values.bits[lane]);
}

Json moment_json(const StepMoment& at) { return {{"block", at.block}, {"step", at.step}}; }

Json paths_json(const StepPlace& place) {
    Json paths = Json::array();
    for (size_t i = 0; i < place.look.paths.size(); ++i) {
        auto [line, meets] = place.path_lines[i];
        paths.push_back(
            {{"lanes", place.look.paths[i].lanes}, {"line", line}, {"meets_line", meets}});
    }
    return paths;
}

Json place_json(const StepPlace& place) {
    return {{"at", moment_json(place.at)},
            {"block", place.block},
            {"warp", place.warp},
            {"why", name_of(place.why)},
            {"breakpoint", place.breakpoint},
            {"for_lanes", place.lanes},
            {"state", name_of(place.look.state)},
            {"is_turn", place.is_turn},
            {"file", place.file},
            {"line", place.line},
            {"column", place.column},
            {"source", place.source},
            {"instruction", place.instruction},
            {"lanes", place.look.lanes},
            {"executing", place.look.executing},
            {"live", place.look.live},
            {"meets_line", place.meets_line},
            {"waiting", paths_json(place)},
            {"recorded_bytes", place.recorded_bytes}};
}

Json memory_json(const MemoryRows& rows) {
    Json cells = Json::array();
    for (const MemoryCell& cell : rows.cells)
        cells.push_back({{"address", fmt::format("0x{:x}", cell.address)},
                         {"label", cell.label},
                         {"value", cell.text}});
    return {{"element", rows.element}, {"asked", rows.asked}, {"cells", cells}};
}

Json written_json(const WrittenBy& by) {
    Json json = {{"what", by.what}, {"value", by.value}, {"is_known", by.is_known}};
    if (!by.is_known) return json;
    json["at"] = moment_json(by.write.at);
    json["block"] = by.block;
    json["warp"] = by.write.warp;
    json["lanes"] = by.write.lanes;
    json["line"] = by.line;
    json["source"] = by.source;
    json["instruction"] = by.instruction;
    return json;
}

Json breakpoint_json(const Breakpoint& each) {
    return {{"number", each.number},
            {"words", each.in_words()},
            {"line", each.line},
            {"hits", each.hits}};
}

Json source_json(const SourceRow& row) {
    return {{"line", row.line},
            {"text", row.text},
            {"has_code", row.has_code},
            {"has_breakpoint", row.has_breakpoint},
            {"is_here", row.is_here}};
}

template <class T, class F>
void add_list(Json& json, const char* name, const std::vector<T>& list, F f) {
    if (list.empty()) return;
    Json array = Json::array();
    for (const T& each : list) array.push_back(f(each));
    json[name] = std::move(array);
}

}  // namespace

void to_json(Json& json, const NamedValues& named) {
    Json values = Json::array();
    for (size_t n = 0; n < 32; ++n) values.push_back(lane_json(named.values, n));
    json = {{"name", named.name},
            {"type", named.values.pointee.element.empty() ? std::string(name_of(named.values.type))
                                                          : named.values.pointee.element + "*"},
            {"from", named.from},
            {"line", named.line},
            {"values", values}};
}

void to_json(Json& json, const StepReply& reply) {
    json = {{"command", reply.command}};
    if (!reply.error.empty()) json["error"] = reply.error;
    if (!reply.notes.empty()) json["notes"] = reply.notes;
    if (reply.place) json["place"] = place_json(*reply.place);
    auto named = [](const NamedValues& each) { return Json(each); };
    add_list(json, "assigned", reply.assigned, named);
    add_list(json, "values", reply.values, named);
    add_list(json, "watches", reply.watches, named);
    if (reply.memory) json["memory"] = memory_json(*reply.memory);
    if (reply.written) json["written"] = written_json(*reply.written);
    add_list(json, "breakpoints", reply.breakpoints, breakpoint_json);
    add_list(json, "source", reply.source, source_json);
}

}  // namespace lanewise
