#include "lab/record/recording.h"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
#include "lab/json/json.h"
#include "lab/mismatch/mismatch_map.h"

namespace lanewise {

namespace fs = std::filesystem;

static constexpr const char* kAgain = "record it again with `lanewise-engine bench --record FILE`";

// ---- Measurements as JSON ----------------------------------------------------------------------

void to_json(Json& json, const Mismatch& m) {
    json = {{"count", m.count},
            {"row", m.row},
            {"col", m.col},
            {"expected", m.expected},
            {"actual", m.actual}};
}

void from_json(const Json& json, Mismatch& m) {
    json.at("count").get_to(m.count);
    json.at("row").get_to(m.row);
    json.at("col").get_to(m.col);
    json.at("expected").get_to(m.expected);
    json.at("actual").get_to(m.actual);
}

void to_json(Json& json, const Spread& s) {
    json = {{"median", s.median}, {"p05", s.p05}, {"p95", s.p95}, {"samples", s.samples}};
}

void from_json(const Json& json, Spread& s) {
    json.at("median").get_to(s.median);
    json.at("p05").get_to(s.p05);
    json.at("p95").get_to(s.p95);
    json.at("samples").get_to(s.samples);
}

void to_json(Json& json, const Provenance& p) {
    json = {{"card", p.card},
            {"driver", p.driver},
            {"compiler", p.compiler},
            {"arch", p.arch},
            {"date", p.date},
            {"source_hash", p.source_hash},
            {"sm_clock_mhz", p.sm_clock_mhz},
            {"datasheet_gb_per_s", p.datasheet_gb_per_s},
            {"l2_bytes", p.l2_bytes}};
}

void from_json(const Json& json, Provenance& p) {
    json.at("card").get_to(p.card);
    json.at("driver").get_to(p.driver);
    json.at("compiler").get_to(p.compiler);
    json.at("arch").get_to(p.arch);
    json.at("date").get_to(p.date);
    json.at("source_hash").get_to(p.source_hash);
    json.at("sm_clock_mhz").get_to(p.sm_clock_mhz);
    json.at("datasheet_gb_per_s").get_to(p.datasheet_gb_per_s);
    json.at("l2_bytes").get_to(p.l2_bytes);
}

// A yardstick's fields are called copy_…, as when the copy was the only one.

// Samples are kept to the nanosecond, below which events tell nothing.
static Json to_the_nanosecond(const std::vector<double>& samples_us) {
    Json list = Json::array();
    for (double us : samples_us) list.push_back(std::round(us * 1000) / 1000);
    return list;
}

void to_json(Json& json, const Measurement& m) {
    json = {{"stage", m.stage},
            {"title", m.title},
            {"knobs", m.knobs},
            {"type", m.type},
            {"rows", m.rows},
            {"cols", m.cols},
            {"batch", m.batch},
            {"correct", m.correct},
            {"mismatch", m.mismatch},
            {"samples_us", to_the_nanosecond(m.samples_us)},
            {"copy_samples_us", to_the_nanosecond(m.yardstick.samples_us)},
            {"launches_per_sample", m.launches_per_sample},
            {"copy_launches_per_sample", m.yardstick.launches_per_sample},
            {"copy_kind", m.yardstick.kind},
            {"time_us", m.time_us},
            {"copy_time_us", m.yardstick.time_us},
            {"cold_samples_us", to_the_nanosecond(m.cold.samples_us)},
            {"copy_cold_samples_us", to_the_nanosecond(m.yardstick.cold.samples_us)},
            {"cold_time_us", m.cold.time_us},
            {"cold_gb_per_s", m.cold.gb_per_s},
            {"copy_cold_gb_per_s", m.yardstick.cold.gb_per_s},
            {"gb_per_s", m.gb_per_s},
            {"copy_gb_per_s", m.yardstick.gb_per_s},
            {"ratio_to_copy", m.yardstick.ratio},
            {"beyond_l2", m.beyond_l2},
            {"note", m.note},
            {"provenance", m.provenance},
            {"predicted_gb_per_s", m.predicted_gb_per_s}};
    if (m.mismatch_map) json["mismatch_map"] = *m.mismatch_map;
    if (m.inner == kNoInner) return;  // of a product:
    json["inner"] = m.inner;
    json["input"] = m.input;
    json["error"] = m.error;
    json["unit"] = m.arithmetic.unit;
    json["datasheet_gflop_per_s"] = m.arithmetic.datasheet_gflop_per_s;
    json["gflop_per_s"] = gflop_per_s(m);  // for scripts; not read back
}

void from_json(const Json& json, Measurement& m) {
    json.at("stage").get_to(m.stage);
    json.at("title").get_to(m.title);
    json.at("knobs").get_to(m.knobs);
    json.at("type").get_to(m.type);
    json.at("rows").get_to(m.rows);
    json.at("cols").get_to(m.cols);
    json.at("batch").get_to(m.batch);
    json.at("correct").get_to(m.correct);
    json.at("mismatch").get_to(m.mismatch);
    json.at("samples_us").get_to(m.samples_us);
    json.at("copy_samples_us").get_to(m.yardstick.samples_us);
    json.at("launches_per_sample").get_to(m.launches_per_sample);
    json.at("copy_launches_per_sample").get_to(m.yardstick.launches_per_sample);
    json.at("copy_kind").get_to(m.yardstick.kind);
    json.at("time_us").get_to(m.time_us);
    json.at("copy_time_us").get_to(m.yardstick.time_us);
    json.at("gb_per_s").get_to(m.gb_per_s);
    json.at("copy_gb_per_s").get_to(m.yardstick.gb_per_s);
    json.at("ratio_to_copy").get_to(m.yardstick.ratio);
    json.at("beyond_l2").get_to(m.beyond_l2);
    json.at("note").get_to(m.note);
    json.at("provenance").get_to(m.provenance);
    m.predicted_gb_per_s = json.value("predicted_gb_per_s", 0.0);  // older recordings have none
    if (json.contains("mismatch_map"))
        m.mismatch_map = std::make_shared<MismatchMap>(json["mismatch_map"].get<MismatchMap>());
    if (json.contains("inner")) {
        json.at("inner").get_to(m.inner);
        json.at("input").get_to(m.input);
        json.at("error").get_to(m.error);
        json.at("unit").get_to(m.arithmetic.unit);
        json.at("datasheet_gflop_per_s").get_to(m.arithmetic.datasheet_gflop_per_s);
    }
    if (!json.contains("cold_samples_us")) return;  // recorded before there were any
    json.at("cold_samples_us").get_to(m.cold.samples_us);
    json.at("copy_cold_samples_us").get_to(m.yardstick.cold.samples_us);
    m.yardstick.cold.time_us = spread_of(m.yardstick.cold.samples_us);
    json.at("cold_time_us").get_to(m.cold.time_us);
    json.at("cold_gb_per_s").get_to(m.cold.gb_per_s);
    json.at("copy_cold_gb_per_s").get_to(m.yardstick.cold.gb_per_s);
}

// ---- Recordings --------------------------------------------------------------------------------

const Measurement* Recording::find(const std::string& stage, const KnobValues& knobs,
                                   const std::string& type, int64_t rows, int64_t cols,
                                   int64_t batch, int64_t inner) const {
    for (const Measurement& m : measurements)
        if (m.stage == stage && m.knobs == knobs && m.type == type && m.rows == rows &&
            m.cols == cols && m.batch == batch && m.inner == inner &&
            (inner == kNoInner || m.input == "random"))
            return &m;
    return nullptr;
}

// Why a measurement cannot be shown; empty where it can.
static std::string problem_of(const Measurement& m) {
    auto bad_time = [](double us) { return !(us > 0); };
    if (m.rows < 1 || m.cols < 1 || m.batch < 1) return "its shape is not positive";
    if (m.samples_us.empty()) return "it has no samples";
    bool no_library = m.inner != kNoInner && m.yardstick.samples_us.empty();
    if (m.samples_us.size() != m.yardstick.samples_us.size() && !no_library)
        return "its samples do not come in pairs";
    if (std::any_of(m.samples_us.begin(), m.samples_us.end(), bad_time) ||
        std::any_of(m.yardstick.samples_us.begin(), m.yardstick.samples_us.end(), bad_time))
        return "a sample is not a positive time";
    return "";
}

// nlohmann's "[json.exception.type_error.302] type must be …" without the bracket.
static std::string reason_of(const Json::exception& failure) {
    std::string text = failure.what();
    size_t end = text.find("] ");
    return end == std::string::npos ? text : text.substr(end + 2);
}

Recording read_recording(const fs::path& file) {
    std::string text = read_file(file);
    auto fail = [&](const std::string& reason) {
        throw Error(Status::bad_input, fmt::format("cannot use the recording {}: {}; {}",
                                                   file.string(), reason, kAgain));
    };
    Recording recording;
    recording.path = file;
    std::string where = "its head";
    try {
        Json json = Json::parse(text);
        int schema = json.at("schema").get<int>();
        if (schema > kRecordingSchema)
            throw Error(Status::bad_input,
                        fmt::format("cannot use the recording {}: it was written by a newer "
                                    "Lanewise (schema {}; this one reads {}): update this program",
                                    file.string(), schema, kRecordingSchema));
        if (schema != kRecordingSchema)
            fail(fmt::format("it has schema {}, this program reads schema {}", schema,
                             kRecordingSchema));
        json.at("card").get_to(recording.card);
        json.at("date").get_to(recording.date);
        for (const Json& item : json.at("measurements")) {
            where = fmt::format("measurement {}", recording.measurements.size() + 1);
            recording.measurements.push_back(item.get<Measurement>());
            std::string problem = problem_of(recording.measurements.back());
            if (!problem.empty()) fail(where + ": " + problem);
        }
    } catch (const Json::parse_error& failure) {
        fail(fmt::format("it is damaged or cut off near byte {} of {}", failure.byte, text.size()));
    } catch (const Json::exception& failure) {
        fail(where + ": " + reason_of(failure));
    }
    return recording;
}

void check_recordable(const fs::path& file) {
    std::error_code ignored;
    fs::path there = file;
    while (!there.empty() && !fs::exists(there, ignored)) there = there.parent_path();
    if (there.empty()) there = ".";
    auto fail = [&](const std::string& reason) {
        throw Error(Status::bad_input, fmt::format("cannot write {}: {}", file.string(), reason));
    };
    if (there == file && fs::is_directory(file, ignored)) fail("it is a folder");
    // A file is replaced, so that its folder must be writable.
    if (there == file && fs::is_regular_file(file, ignored))
        there = fs::absolute(file).parent_path();
    else if (there != file && !fs::is_directory(there, ignored))
        fail(there.string() + " is no folder");
    if (::access(there.c_str(), W_OK) != 0) fail(std::strerror(errno));
}

// One measurement per line, so that a difference between two recordings can be read.
void write_recording(const Recording& recording, const fs::path& file) {
    std::string text =
        fmt::format("{{\n\"schema\": {},\n\"card\": {},\n\"date\": {},\n", kRecordingSchema,
                    Json(recording.card).dump(), Json(recording.date).dump());
    text += "\"measurements\": [";
    const char* separator = "\n";
    for (const Measurement& m : recording.measurements) {
        text += separator + Json(m).dump();
        separator = ",\n";
    }
    text += "\n]\n}\n";
    write_file(file, text);
}

std::vector<Recording> read_recordings(const fs::path& folder, std::vector<std::string>& problems) {
    std::vector<Recording> recordings;
    for (const fs::path& file : files_in(folder, ".json")) {
        try {
            recordings.push_back(read_recording(file));
        } catch (const Error& error) {
            problems.push_back(error.what());
        }
    }
    return recordings;
}

}  // namespace lanewise
