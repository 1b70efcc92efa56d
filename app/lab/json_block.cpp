// The accesses of a block as one binary string: a thousand of them, 32 addresses each, would cost
// the JSON library some milliseconds as numbers and cost nothing this way.
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "base/error.h"
#include "lab/json.h"

namespace lanewise {

static_assert(std::endian::native == std::endian::little, "the wire is little-endian");

void to_json(Json&, const BlockTrace&);
void from_json(const Json&, BlockTrace&);

namespace {

constexpr size_t kLanes = 32;

struct Record {
    uint32_t instruction, warp, mask;
    int32_t buffer, requests, sectors, sectors_ideal, wavefronts, wavefronts_ideal, unused;
    std::array<uint64_t, kLanes> addresses;
};
static_assert(sizeof(Record) == 40 + 8 * kLanes);

Record record_of(const TracedAccess& access) {
    Record record{access.instruction,
                  access.warp,
                  access.mask,
                  access.buffer,
                  access.requests,
                  access.sectors,
                  access.sectors_ideal,
                  access.wavefronts,
                  access.wavefronts_ideal,
                  0,
                  {}};
    for (size_t lane = 0; lane < kLanes && lane < access.addresses.size(); ++lane)
        record.addresses[lane] = access.addresses[lane];
    return record;
}

TracedAccess access_of(const Record& record) {
    TracedAccess access;
    access.instruction = record.instruction;
    access.warp = record.warp;
    access.mask = record.mask;
    access.buffer = record.buffer;
    access.requests = record.requests;
    access.sectors = record.sectors;
    access.sectors_ideal = record.sectors_ideal;
    access.wavefronts = record.wavefronts;
    access.wavefronts_ideal = record.wavefronts_ideal;
    access.addresses.assign(record.addresses.begin(), record.addresses.end());
    return access;
}

}  // namespace

void to_json(Json& json, const BlockTrace& trace) {
    std::vector<uint8_t> bytes(trace.accesses.size() * sizeof(Record));
    for (size_t i = 0; i < trace.accesses.size(); ++i) {
        Record record = record_of(trace.accesses[i]);
        std::memcpy(&bytes[i * sizeof record], &record, sizeof record);
    }
    json = {{"block", trace.block},
            {"warps", trace.warps},
            {"shared_bytes", trace.shared_bytes},
            {"buffers", trace.buffers},
            {"accesses", Json::binary(std::move(bytes))},
            {"left_out", trace.left_out}};
    Json& marks = json["marks"] = Json::array();
    for (const TracedMark& mark : trace.marks)
        marks.push_back({static_cast<int>(mark.kind), mark.warp, mark.before, mark.line});
}

void from_json(const Json& json, BlockTrace& trace) {
    json.at("block").get_to(trace.block);
    json.at("warps").get_to(trace.warps);
    json.at("shared_bytes").get_to(trace.shared_bytes);
    json.at("buffers").get_to(trace.buffers);
    const Json::binary_t& bytes = json.at("accesses").get_binary();
    json.at("left_out").get_to(trace.left_out);
    if (bytes.size() % sizeof(Record) != 0)
        throw Error(Status::bad_input, "a block's trace is damaged");
    trace.accesses.clear();
    trace.accesses.reserve(bytes.size() / sizeof(Record));
    for (size_t at = 0; at < bytes.size(); at += sizeof(Record)) {
        Record record;
        std::memcpy(&record, &bytes[at], sizeof record);
        trace.accesses.push_back(access_of(record));
    }
    trace.marks.clear();
    if (!json.contains("marks")) return;  // an engine of an earlier version
    for (const Json& mark : json["marks"]) {
        auto kind = std::clamp(mark.at(0).get<int>(), 0, int(TracedMark::Kind::bulk_copy));
        trace.marks.push_back({static_cast<TracedMark::Kind>(kind), mark.at(1).get<uint32_t>(),
                               mark.at(2).get<size_t>(), mark.at(3).get<int>()});
    }
}

}  // namespace lanewise
