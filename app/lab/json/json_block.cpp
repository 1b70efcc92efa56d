// The accesses of a block as one binary string: a thousand of them, 32 addresses each, would cost
// the JSON library some milliseconds as numbers and cost nothing this way.
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "lab/json/json.h"

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

// ---- shuffles

struct ShuffleRecord {
    uint32_t warp, mask;
    int32_t buffer, unused;
    std::array<uint8_t, kLanes> from;
    std::array<int64_t, kLanes> given;
};
static_assert(sizeof(ShuffleRecord) == 16 + 9 * kLanes);

ShuffleRecord record_of(const TracedShuffle& shuffle) {
    return {shuffle.warp, shuffle.mask, shuffle.buffer, 0, shuffle.from, shuffle.given};
}
TracedShuffle shuffle_of(const ShuffleRecord& record) {
    TracedShuffle shuffle{record.warp, record.mask, record.from, record.buffer, record.given};
    for (uint8_t& lane : shuffle.from) lane %= kLanes;  // whatever the wire says
    return shuffle;
}

// ---- copies: the numbers of each, and the pieces of all in one string

struct PieceRecord {
    uint64_t offset;
    uint32_t shared;
    uint8_t lane, is_outside, unused[2];
};
static_assert(sizeof(PieceRecord) == 16);

template <typename T>
std::vector<uint8_t> bytes_of(const std::vector<T>& records) {
    std::vector<uint8_t> bytes(records.size() * sizeof(T));
    if (!records.empty()) std::memcpy(bytes.data(), records.data(), bytes.size());
    return bytes;
}
template <typename T>
std::vector<T> records_of(const Json& json) {
    const Json::binary_t& bytes = json.get_binary();
    if (bytes.size() % sizeof(T) != 0) throw Error(Status::bad_input, "a block's trace is damaged");
    std::vector<T> records(bytes.size() / sizeof(T));
    if (!records.empty()) std::memcpy(records.data(), bytes.data(), bytes.size());
    return records;
}

void write_copies(Json& json, const std::vector<TracedCopy>& copies) {
    Json& list = json["copies"] = Json::array();
    std::vector<PieceRecord> pieces;
    for (const TracedCopy& c : copies) {
        list.push_back({c.instruction, c.warp, c.is_bulk, c.to_shared, c.buffer, c.bytes, c.sectors,
                        c.sectors_ideal, c.start, c.extent, c.swizzle_bytes, c.pieces.size()});
        for (const TracedCopy::Piece& piece : c.pieces)
            pieces.push_back({piece.offset, piece.shared, piece.lane, piece.is_outside, {}});
    }
    json["copied_pieces"] = Json::binary(bytes_of(pieces));
}

void read_copies(const Json& json, std::vector<TracedCopy>& copies) {
    std::vector<PieceRecord> pieces = records_of<PieceRecord>(json.at("copied_pieces"));
    auto next = pieces.begin();
    for (const Json& each : json.at("copies")) {
        TracedCopy c;
        each.at(0).get_to(c.instruction);
        each.at(1).get_to(c.warp);
        each.at(2).get_to(c.is_bulk);
        each.at(3).get_to(c.to_shared);
        each.at(4).get_to(c.buffer);
        each.at(5).get_to(c.bytes);
        each.at(6).get_to(c.sectors);
        each.at(7).get_to(c.sectors_ideal);
        each.at(8).get_to(c.start);
        each.at(9).get_to(c.extent);
        each.at(10).get_to(c.swizzle_bytes);
        auto count = each.at(11).get<size_t>();
        if (count > static_cast<size_t>(pieces.end() - next))
            throw Error(Status::bad_input, "a block's trace is damaged");
        for (; count > 0; --count, ++next)
            c.pieces.push_back({next->offset, next->shared, next->lane, next->is_outside != 0});
        copies.push_back(std::move(c));
    }
}

}  // namespace

void to_json(Json& json, const BlockTrace& trace) {
    std::vector<Record> records;
    records.reserve(trace.accesses.size());
    for (const TracedAccess& access : trace.accesses) records.push_back(record_of(access));
    json = {{"block", trace.block},
            {"warps", trace.warps},
            {"shared_bytes", trace.shared_bytes},
            {"buffers", trace.buffers},
            {"accesses", Json::binary(bytes_of(records))},
            {"left_out", trace.left_out}};
    Json& arrays = json["arrays"] = Json::array();
    for (const TracedArray& array : trace.arrays)
        arrays.push_back({array.name, array.offset, array.bytes});
    Json& marks = json["marks"] = Json::array();
    for (const TracedMark& mark : trace.marks)
        marks.push_back({static_cast<int>(mark.kind), mark.warp, mark.before, mark.line, mark.copy,
                         mark.shuffle});
    write_copies(json, trace.copies);
    std::vector<ShuffleRecord> shuffles;
    for (const TracedShuffle& shuffle : trace.shuffles) shuffles.push_back(record_of(shuffle));
    json["shuffles"] = Json::binary(bytes_of(shuffles));
}

void from_json(const Json& json, BlockTrace& trace) {
    json.at("block").get_to(trace.block);
    json.at("warps").get_to(trace.warps);
    json.at("shared_bytes").get_to(trace.shared_bytes);
    json.at("buffers").get_to(trace.buffers);
    json.at("left_out").get_to(trace.left_out);
    std::vector<Record> records = records_of<Record>(json.at("accesses"));
    trace.accesses.clear();
    trace.accesses.reserve(records.size());
    for (const Record& record : records) trace.accesses.push_back(access_of(record));
    trace.arrays.clear();
    for (const Json& array : json.value("arrays", Json::array()))
        trace.arrays.push_back({array.at(0).get<std::string>(), array.at(1).get<uint32_t>(),
                                array.at(2).get<uint32_t>()});
    trace.marks.clear();
    if (!json.contains("marks")) return;  // an engine of an earlier version
    for (const Json& mark : json["marks"]) {
        auto kind = std::clamp(mark.at(0).get<int>(), 0, int(TracedMark::Kind::shuffle));
        trace.marks.push_back({static_cast<TracedMark::Kind>(kind), mark.at(1).get<uint32_t>(),
                               mark.at(2).get<size_t>(), mark.at(3).get<int>(),
                               mark.size() > 4 ? mark.at(4).get<int>() : -1,
                               mark.size() > 5 ? mark.at(5).get<int>() : -1});
    }
    trace.copies.clear();
    if (json.contains("copies")) read_copies(json, trace.copies);
    trace.shuffles.clear();
    if (!json.contains("shuffles")) return;
    for (const ShuffleRecord& record : records_of<ShuffleRecord>(json["shuffles"]))
        trace.shuffles.push_back(shuffle_of(record));
}

}  // namespace lanewise
