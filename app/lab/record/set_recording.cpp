#include "lab/record/set_recording.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
#include "base/hash.h"
#include "lab/json/json.h"

namespace lanewise {

namespace fs = std::filesystem;

void to_json(Json& json, const CounterReading& reading);  // hardware_counts_json.cpp
void from_json(const Json& json, CounterReading& reading);

namespace {

constexpr int kSchema = 1;

Json to_the_nanosecond(const std::vector<double>& samples_us) {
    Json list = Json::array();
    for (double us : samples_us) list.push_back(std::round(us * 1000) / 1000);
    return list;
}

Json json_of(const SetTime& time) {
    const LaunchTimes& t = time.times;
    Json json = {{"launch", time.launch}, {"of", time.of}};
    if (!time.problem.empty()) {
        json["problem"] = time.problem;
        return json;
    }
    json.update(Json{{"time_us", t.time_us},
                     {"cold_time_us", t.cold_time_us},
                     {"launches_per_sample", t.launches_per_sample},
                     {"samples_us", to_the_nanosecond(t.samples_us)},
                     {"cold_samples_us", to_the_nanosecond(t.cold_samples_us)},
                     {"notes", t.notes},
                     {"counters", t.counters},
                     {"provenance", t.provenance}});
    return json;
}

SetTime time_in(const Json& json) {
    SetTime time;
    LaunchTimes& t = time.times;
    json.at("launch").get_to(time.launch);
    json.at("of").get_to(time.of);
    time.problem = json.value("problem", "");
    if (!time.problem.empty()) return time;
    json.at("time_us").get_to(t.time_us);
    json.at("cold_time_us").get_to(t.cold_time_us);
    json.at("launches_per_sample").get_to(t.launches_per_sample);
    json.at("samples_us").get_to(t.samples_us);
    json.at("cold_samples_us").get_to(t.cold_samples_us);
    json.at("notes").get_to(t.notes);
    json.at("counters").get_to(t.counters);
    json.at("provenance").get_to(t.provenance);
    return time;
}

}  // namespace

std::string hash_of(const SetLaunch& launch) {
    const OwnLaunch& own = launch.job.own;
    std::string text = launch.job.stage.source + "\n" + own.kernel;
    for (const Dim3& side : {own.shape.grid, own.shape.block})
        text += fmt::format("\n{},{},{}", side.x, side.y, side.z);
    text += fmt::format("\n{}", own.shape.dynamic_shared_bytes);
    for (const std::string& argument : own.arguments) text += "\n" + argument;
    return hex(hash(text));
}

const SetTime* SetRecording::find(const SetLaunch& launch) const {
    std::string of = hash_of(launch);
    for (const SetTime& time : times)
        if (time.launch == launch.id() && time.of == of && time.problem.empty()) return &time;
    return nullptr;
}

void write_set_recording(const SetRecording& recording, const fs::path& file) {
    std::string text = fmt::format("{{\n\"schema\": {},\n\"card\": {},\n\"date\": {},\n\"launches\": [",
                                   kSchema, Json(recording.card).dump(),
                                   Json(recording.date).dump());
    const char* separator = "\n";
    for (const SetTime& time : recording.times) {
        text += separator + json_of(time).dump();
        separator = ",\n";
    }
    write_file(file, text + "\n]\n}\n");
}

SetRecording read_set_recording(const fs::path& file) {
    SetRecording recording;
    try {
        Json json = Json::parse(read_file(file));
        if (json.at("schema") != kSchema)
            throw Error(Status::bad_input,
                        file.string() + ": another version of the program has written this; "
                                        "record it again with `lanewise-engine bench --set`");
        json.at("card").get_to(recording.card);
        json.at("date").get_to(recording.date);
        for (const Json& time : json.at("launches")) recording.times.push_back(time_in(time));
    } catch (const Json::exception& error) {
        throw Error(Status::bad_input,
                    fmt::format("{}: {}; record it again with `lanewise-engine bench --set`",
                                file.string(), error.what()));
    }
    return recording;
}

std::vector<SetRecording> read_set_recordings(const fs::path& folder) {
    std::vector<SetRecording> all;
    for (const fs::path& file : files_in(folder, ".json")) all.push_back(read_set_recording(file));
    return all;
}

}  // namespace lanewise
