// The pictures of a product on the wire. Numbers of elements that repeat, as nearly all do, travel
// as runs: [how many, which number, …].
#include "base/error.h"

#include <nlohmann/json.hpp>

#include "lab/flow/product_pictures.h"
#include "lab/json/json.h"

namespace lanewise {

namespace {

Json runs_of(const std::vector<uint32_t>& numbers) {
    Json runs = Json::array();
    for (size_t i = 0; i < numbers.size();) {
        size_t end = i;
        while (end < numbers.size() && numbers[end] == numbers[i]) ++end;
        runs.push_back(end - i);
        runs.push_back(numbers[i]);
        i = end;
    }
    return runs;
}

// A map of `elements` of them; what says otherwise is of another version of the program.
std::vector<uint32_t> numbers_of(const Json& runs, size_t elements) {
    std::vector<uint32_t> numbers;
    for (size_t i = 0; i + 1 < runs.size(); i += 2) {
        auto count = runs[i].get<size_t>();
        if (count > elements - numbers.size()) break;
        numbers.insert(numbers.end(), count, runs[i + 1].get<uint32_t>());
    }
    if (numbers.size() != elements)
        throw Error(Status::bad_input, "a map of fetches does not have as many as the matrix");
    return numbers;
}

Json json_of(const ReuseMap& map) {
    return {{"rows", map.rows},
            {"cols", map.cols},
            {"global", runs_of(map.global)},
            {"shared", runs_of(map.shared)}};
}

ReuseMap reuse_from(const Json& json) {
    ReuseMap map{json.at("rows").get<int>(), json.at("cols").get<int>(), {}, {}};
    size_t elements = static_cast<size_t>(map.rows) * static_cast<size_t>(map.cols);
    map.global = numbers_of(json.at("global"), elements);
    map.shared = numbers_of(json.at("shared"), elements);
    return map;
}

Json json_of(const HeldFragment& fragment) {
    Json places = Json::array();
    for (HeldElement held : fragment.held) {
        places.push_back(held.row);
        places.push_back(held.col);
    }
    Json json = {{"registers", fragment.registers},
                 {"per_register", fragment.per_register},
                 {"places", places}};
    if (fragment.addresses.empty()) return json;
    json["addresses"] = fragment.addresses;
    json["swizzle"] = fragment.swizzle;
    return json;
}

HeldFragment fragment_from(const Json& json) {
    HeldFragment fragment{json.at("registers").get<int>(), json.at("per_register").get<int>(), {}};
    const Json& places = json.at("places");
    for (size_t i = 0; i + 1 < places.size(); i += 2)
        fragment.held.push_back({places[i].get<int>(), places[i + 1].get<int>()});
    auto held = static_cast<size_t>(32 * fragment.registers * fragment.per_register);
    if (fragment.registers > 0 && fragment.held.size() != held)
        throw Error(Status::bad_input, "a fragment has not as many places as its registers");
    if (!json.contains("addresses")) return fragment;
    json.at("addresses").get_to(fragment.addresses);
    json.at("swizzle").get_to(fragment.swizzle);
    if (fragment.addresses.size() != fragment.held.size())
        throw Error(Status::bad_input, "a fragment has not as many addresses as elements");
    return fragment;
}

Json json_of(const std::vector<FragmentMap::WarpPart>& group) {
    Json parts = Json::array();
    for (const auto& [a, c] : group) parts.push_back({{"a", json_of(a)}, {"c", json_of(c)}});
    return parts;
}

std::vector<FragmentMap::WarpPart> group_from(const Json& json) {
    std::vector<FragmentMap::WarpPart> group;
    for (const Json& part : json)
        group.push_back({fragment_from(part.at("a")), fragment_from(part.at("c"))});
    if (group.size() % 4 != 0)
        throw Error(Status::bad_input, "a warpgroup has four warps, and this one has others");
    return group;
}

Json json_of(const Span& span) { return {span.begin, span.end}; }
Span span_from(const Json& json) { return {json.at(0).get<int>(), json.at(1).get<int>()}; }

Json json_of(const TileWalk& walk) {
    Json steps = Json::array();
    for (const WalkStep& step : walk.steps)
        steps.push_back({{"k", json_of(step.k)},
                         {"rows", json_of(step.rows)},
                         {"cols", json_of(step.cols)},
                         {"fetched", step.fetched},
                         {"multiplied", step.multiplied}});
    return {{"block", walk.block},
            {"rows", json_of(walk.c_rows)},
            {"cols", json_of(walk.c_cols)},
            {"through_shared", walk.through_shared},
            {"by_bulk_copies", walk.by_bulk_copies},
            {"steps", steps}};
}

TileWalk walk_from(const Json& json, ProductSize size) {
    TileWalk walk;
    walk.M = size.M, walk.N = size.N, walk.K = size.K;
    json.at("block").get_to(walk.block);
    walk.c_rows = span_from(json.at("rows"));
    walk.c_cols = span_from(json.at("cols"));
    json.at("through_shared").get_to(walk.through_shared);
    json.at("by_bulk_copies").get_to(walk.by_bulk_copies);
    for (const Json& step : json.at("steps"))
        walk.steps.push_back({span_from(step.at("k")), span_from(step.at("rows")),
                              span_from(step.at("cols")), step.at("fetched").get<int>(),
                              step.at("multiplied").get<int>()});
    return walk;
}

}  // namespace

void to_json(Json& json, const ProductPictures& p) {
    Json reuse = Json::array();
    for (const ReuseMap& map : p.reuse) reuse.push_back(json_of(map));
    json = {{"stage", p.stage},
            {"size", {p.size.M, p.size.N, p.size.K}},
            {"block", p.place.block},
            {"warp", p.place.warp},
            {"product", p.place.product},
            {"reuse", reuse},
            {"walk", json_of(p.walk)},
            {"fragments", nullptr},
            {"multiplying", p.multiplying}};
    if (!p.fragments) return;
    const FragmentMap& map = *p.fragments;
    json["fragments"] = {{"instruction", map.instruction},
                         {"name", p.instruction},
                         {"products", map.products},
                         {"a", json_of(map.a)},
                         {"b", json_of(map.b)},
                         {"c", json_of(map.c)},
                         {"group", json_of(map.group)}};
}

void from_json(const Json& json, ProductPictures& p) {
    json.at("stage").get_to(p.stage);
    const Json& size = json.at("size");
    p.size = {size.at(0).get<int>(), size.at(1).get<int>(), size.at(2).get<int>()};
    json.at("block").get_to(p.place.block);
    json.at("warp").get_to(p.place.warp);
    json.at("product").get_to(p.place.product);
    p.reuse.clear();
    for (const Json& map : json.at("reuse")) p.reuse.push_back(reuse_from(map));
    p.walk = walk_from(json.at("walk"), p.size);
    p.multiplying = json.value("multiplying", 0u);
    p.fragments.reset();
    const Json& fragments = json.at("fragments");
    if (fragments.is_null()) return;
    fragments.at("name").get_to(p.instruction);
    p.fragments = FragmentMap{fragments.at("instruction").get<uint32_t>(),
                              fragment_from(fragments.at("a")),
                              fragment_from(fragments.at("b")),
                              fragment_from(fragments.at("c")),
                              fragments.at("products").get<uint64_t>(),
                              p.place.warp,
                              group_from(fragments.at("group"))};
}

}  // namespace lanewise
