#include "lab/json/step_json.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>

namespace lanewise {

using Json = nlohmann::json;

namespace {

// In the order of their enumerators.
constexpr std::string_view kTypes[] = {"i32", "u32", "i64", "u64", "f32", "f64"};
constexpr std::string_view kWhys[] = {"moved", "breakpoint", "fault",      "returned",
                                      "end",   "start",      "never_ends", "interrupted"};
constexpr std::string_view kStates[] = {"ready", "at_barrier", "returned"};

std::string_view name_of(NumberType type) { return kTypes[static_cast<size_t>(type)]; }
std::string_view name_of(StepStop::Why why) { return kWhys[static_cast<size_t>(why)]; }
std::string_view name_of(WarpLook::State state) { return kStates[static_cast<size_t>(state)]; }

// A name that only a newer program knows is the first.
template <class Enum, size_t count>
Enum enum_of(const std::string_view (&names)[count], const std::string& name) {
    for (size_t i = 0; i < count; ++i)
        if (names[i] == name) return static_cast<Enum>(i);
    return Enum{};
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

StepMoment moment_of(const Json& json) {
    return {json.at("block").get<uint32_t>(), json.at("step").get<uint64_t>()};
}

Json position_json(const StepPosition& position) {
    Json json = moment_json(position.at);
    json["warp"] = position.warp;
    return json;
}

StepPosition position_of(const Json& json) {
    return {moment_of(json), json.at("warp").get<uint32_t>()};
}

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

// ---- read back

// A lane's value, from what lane_json() made of it.
void read_lane(const Json& json, LaneValues& values, size_t lane) {
    if (json.is_null()) return;
    if (!values.pointee.element.empty()) {
        values.bits[lane] = std::strtoull(json.get<std::string>().c_str(), nullptr, 0);
        values.known |= 1u << lane;
    } else if (is_float(values.type)) {
        set_number(values, lane,
                   json.is_string() ? std::strtod(json.get<std::string>().c_str(), nullptr)
                                    : json.get<double>());
    } else {
        set_integer(values, lane,
                    json.is_number_unsigned() ? static_cast<int64_t>(json.get<uint64_t>())
                                              : json.get<int64_t>());
    }
}

StepPlace place_of(const Json& json) {
    StepPlace place;
    place.at = moment_of(json.at("at"));
    json.at("block").get_to(place.block);
    json.at("warp").get_to(place.warp);
    place.why = enum_of<StepStop::Why>(kWhys, json.at("why"));
    json.at("breakpoint").get_to(place.breakpoint);
    json.at("for_lanes").get_to(place.lanes);
    place.look.state = enum_of<WarpLook::State>(kStates, json.at("state"));
    json.at("is_turn").get_to(place.is_turn);
    json.at("file").get_to(place.file);
    json.at("line").get_to(place.line);
    json.at("column").get_to(place.column);
    json.at("source").get_to(place.source);
    json.at("instruction").get_to(place.instruction);
    json.at("lanes").get_to(place.look.lanes);
    json.at("executing").get_to(place.look.executing);
    json.at("live").get_to(place.look.live);
    json.at("meets_line").get_to(place.meets_line);
    for (const Json& path : json.at("waiting")) {
        place.look.paths.push_back({0, path.at("lanes").get<uint32_t>(), 0});
        place.path_lines.emplace_back(path.at("line").get<int>(), path.at("meets_line").get<int>());
    }
    json.at("recorded_bytes").get_to(place.recorded_bytes);
    return place;
}

WrittenBy written_of(const Json& json) {
    WrittenBy by;
    json.at("what").get_to(by.what);
    json.at("value").get_to(by.value);
    json.at("is_known").get_to(by.is_known);
    if (!by.is_known) return by;
    by.write.at = moment_of(json.at("at"));
    json.at("block").get_to(by.block);
    json.at("warp").get_to(by.write.warp);
    json.at("lanes").get_to(by.write.lanes);
    json.at("line").get_to(by.line);
    json.at("source").get_to(by.source);
    json.at("instruction").get_to(by.instruction);
    return by;
}

StepReply reply_of(const Json& json) {
    StepReply reply;
    json.at("command").get_to(reply.command);
    reply.error = json.value("error", "");
    reply.notes = json.value("notes", std::vector<std::string>());
    if (json.contains("place")) reply.place = place_of(json["place"]);
    reply.assigned = json.value("assigned", std::vector<NamedValues>());
    reply.values = json.value("values", std::vector<NamedValues>());
    reply.watches = json.value("watches", std::vector<NamedValues>());
    if (json.contains("written")) reply.written = written_of(json["written"]);
    return reply;
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
    auto values = [](const NamedValues& each) { return Json(each); };
    add_list(json, "assigned", reply.assigned, values);
    add_list(json, "values", reply.values, values);
    add_list(json, "watches", reply.watches, values);
    if (reply.memory) json["memory"] = memory_json(*reply.memory);
    if (reply.written) json["written"] = written_json(*reply.written);
    add_list(json, "breakpoints", reply.breakpoints, breakpoint_json);
    add_list(json, "source", reply.source, source_json);
}

void from_json(const Json& json, NamedValues& value) {
    value = {};
    json.at("name").get_to(value.name);
    json.at("from").get_to(value.from);
    json.at("line").get_to(value.line);
    std::string type = json.at("type");
    if (type.ends_with('*')) {
        value.values.type = NumberType::u64;
        value.values.pointee.element = type.substr(0, type.size() - 1);
    } else {
        value.values.type = enum_of<NumberType>(kTypes, type);
    }
    const Json& lanes = json.at("values");
    for (size_t lane = 0; lane < 32; ++lane) read_lane(lanes.at(lane), value.values, lane);
}

void to_json(Json& json, const StepQuestion& question) {
    json = {{"from", position_json(question.from)},
            {"breaks", question.breaks},
            {"watches", question.watches},
            {"command", question.command}};
}

void from_json(const Json& json, StepQuestion& question) {
    question.from = position_of(json.at("from"));
    question.breaks = json.value("breaks", std::vector<std::string>());
    question.watches = json.value("watches", std::vector<std::string>());
    question.command = json.value("command", "");
}

void to_json(Json& json, const StepShown& shown) {
    json = shown.reply;
    Json breaks = Json::array(), warps = Json::array();
    for (const StepBreak& each : shown.breaks)
        breaks.push_back({{"asked", each.asked},
                          {"error", each.error},
                          {"number", each.number},
                          {"line", each.line},
                          {"hits", each.hits}});
    for (const StepWarp& each : shown.warps)
        warps.push_back({{"state", name_of(each.state)}, {"line", each.line}, {"live", each.live}});
    json["breaks"] = std::move(breaks);
    json["warps"] = std::move(warps);
    json["code_lines"] = shown.code_lines;
    json["steps"] = shown.steps;
    if (shown.wrong)
        json["wrong"] = {{"at", position_json(shown.wrong->at)}, {"words", shown.wrong->words}};
    json["first_block"] = shown.first_block;
    json["earliest"] = moment_json(shown.earliest);
}

void from_json(const Json& json, StepShown& shown) {
    shown = {};
    shown.reply = reply_of(json);
    for (const Json& each : json.at("breaks"))
        shown.breaks.push_back({each.at("asked"), each.at("error"), each.at("number"),
                                each.at("line"), each.at("hits")});
    for (const Json& each : json.at("warps"))
        shown.warps.push_back({enum_of<WarpLook::State>(kStates, each.at("state")), each.at("line"),
                               each.at("live")});
    json.at("code_lines").get_to(shown.code_lines);
    json.at("steps").get_to(shown.steps);
    if (json.contains("wrong"))
        shown.wrong = {position_of(json["wrong"].at("at")), json["wrong"].at("words")};
    json.at("first_block").get_to(shown.first_block);
    shown.earliest = moment_of(json.at("earliest"));
}

}  // namespace lanewise
