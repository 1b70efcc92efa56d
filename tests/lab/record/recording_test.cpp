#include "lab/record/recording.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
#include "lab/json/json.h"

namespace lanewise {

namespace fs = std::filesystem;

class RecordingTest : public testing::Test {
  protected:
    fs::path folder_ =
        fs::temp_directory_path() / ("lanewise-record-" + std::to_string(::getpid()));
    fs::path file_ = folder_ / "card.json";
    void TearDown() override { fs::remove_all(folder_); }

    std::string problem() const {
        try {
            read_recording(file_);
            return "it was read";
        } catch (const Error& error) {
            EXPECT_EQ(Status::bad_input, error.status());
            return error.what();
        }
    }
};

static Measurement some_measurement(const std::string& stage = "transpose/30_padded") {
    Measurement m;
    m.stage = stage;
    m.title = "Padded tile";
    m.knobs = {{"PAD", 1}, {"TILE", 32}};
    m.type = "f32";
    m.rows = 1024;
    m.cols = 2048;
    m.correct = true;
    m.mismatch = {3, 1, 2, "0000002a", "ffffffd5"};
    m.samples_us = {33.1234567, 34.5};
    m.yardstick.samples_us = {30.25, 30};
    m.launches_per_sample = 6;
    m.yardstick.launches_per_sample = 7;
    m.yardstick.kind = "cudaMemcpy";
    m.time_us = {33.8, 33.2, 34.4, 2};
    m.yardstick.time_us = {30.1, 30, 30.2, 2};
    m.gb_per_s = 496.5;
    m.yardstick.gb_per_s = 557.3;
    m.yardstick.ratio = {0.89, 0.87, 0.91, 2};
    m.beyond_l2 = true;
    m.note = "a \"note\"\nof two lines";
    m.provenance = {"NVIDIA H200",      "580.159.04", "NVRTC 13.0", "sm_90", "2025-11-21T08:00:00Z",
                    "0123456789abcdef", 1980,         4800,         62914560};
    return m;
}

static Recording some_recording() {
    Recording recording;
    recording.card = "NVIDIA H200";
    recording.date = "2025-11-21";
    recording.measurements = {some_measurement(), some_measurement("transpose/10_naive")};
    return recording;
}

TEST_F(RecordingTest, ComesBackAsItWasWritten) {
    write_recording(some_recording(), file_);
    Recording back = read_recording(file_);
    EXPECT_EQ("NVIDIA H200", back.card);
    EXPECT_EQ("2025-11-21", back.date);
    EXPECT_EQ(file_, back.path);
    ASSERT_EQ(2u, back.measurements.size());
    const Measurement& m = back.measurements[0];
    EXPECT_EQ((std::vector<double>{33.123, 34.5}), m.samples_us);  // to the nanosecond
    Measurement rounded = some_measurement();
    rounded.samples_us = {33.123, 34.5};
    EXPECT_EQ(Json(rounded), Json(m));
    EXPECT_EQ("transpose/10_naive", back.measurements[1].stage);
}

TEST_F(RecordingTest, FindsTheRunOfAStage) {
    Recording recording = some_recording();
    KnobValues knobs = {{"PAD", 1}, {"TILE", 32}};
    const Measurement* found = recording.find("transpose/10_naive", knobs, "f32", 1024, 2048);
    EXPECT_EQ(&recording.measurements[1], found);
    EXPECT_EQ(nullptr, recording.find("transpose/20_tiled", knobs, "f32", 1024, 2048));
    EXPECT_EQ(nullptr, recording.find("transpose/10_naive", {{"PAD", 0}}, "f32", 1024, 2048));
    EXPECT_EQ(nullptr, recording.find("transpose/10_naive", knobs, "f64", 1024, 2048));
    EXPECT_EQ(nullptr, recording.find("transpose/10_naive", knobs, "f32", 2048, 1024));
}

TEST_F(RecordingTest, CutOffAnywhereIsAnErrorThatNamesTheFile) {
    write_recording(some_recording(), file_);
    std::string whole = read_file(file_);
    size_t last = whole.find_last_not_of("\n");  // the closing brace; without it nothing is whole
    for (size_t length = 0; length <= last; length += length < 200 ? 1 : 7) {
        write_file(file_, whole.substr(0, length));
        std::string message = problem();
        EXPECT_EQ(0u, message.find("cannot use the recording " + file_.string() +
                                   ": it is damaged or cut off near byte "))
            << length << ": " << message;
    }
}

TEST_F(RecordingTest, WhatIsWrongIsSaid) {
    Json good = {{"schema", 1},
                 {"card", "a"},
                 {"date", "b"},
                 {"measurements", {some_measurement(), some_measurement()}}};
    auto problem_with = [&](auto change) {
        Json bad = good;
        change(bad);
        write_file(file_, bad.dump());
        std::string message = problem(),
                    start = "cannot use the recording " + file_.string() + ": ";
        EXPECT_EQ(0u, message.find(start)) << message;
        return message.substr(start.size(), message.find("; record it again") - start.size());
    };
    EXPECT_EQ("it has schema 0, this program reads schema 1",
              problem_with([](Json& json) { json["schema"] = 0; }));
    EXPECT_EQ(
        "it was written by a newer Lanewise (schema 2; this one reads 1): update this program",
        problem_with([](Json& json) { json["schema"] = 2; }));
    EXPECT_EQ("its head: key 'card' not found",
              problem_with([](Json& json) { json.erase("card"); }));
    EXPECT_EQ("its head: type must be number, but is string",
              problem_with([](Json& json) { json["schema"] = "1"; }));
    EXPECT_EQ(
        "measurement 2: the number 4e+40 does not fit its field",
        problem_with([](Json& json) { json["measurements"][1]["time_us"]["samples"] = 4e40; }));
    EXPECT_EQ("measurement 2: key 'rows' not found",
              problem_with([](Json& json) { json["measurements"][1].erase("rows"); }));
    EXPECT_EQ("measurement 1: its shape is not positive",
              problem_with([](Json& json) { json["measurements"][0]["cols"] = 0; }));
    EXPECT_EQ("measurement 1: it has no samples", problem_with([](Json& json) {
                  json["measurements"][0]["samples_us"] = Json::array();
              }));
    EXPECT_EQ("measurement 2: its samples do not come in pairs",
              problem_with([](Json& json) { json["measurements"][1]["samples_us"].push_back(1); }));
    EXPECT_EQ("measurement 2: a sample is not a positive time",
              problem_with([](Json& json) { json["measurements"][1]["copy_samples_us"][0] = -1; }));
    write_file(file_, "[1, 2]");
    EXPECT_NE(std::string::npos, problem().find("its head: "));
}

TEST_F(RecordingTest, AFolderGivesWhatIsReadableAndNamesTheRest) {
    write_recording(some_recording(), folder_ / "b.json");
    write_recording(some_recording(), folder_ / "a.json");
    write_file(folder_ / "bad.json", "{");
    write_file(folder_ / "readme.txt", "not a recording");
    std::vector<std::string> problems;
    std::vector<Recording> found = read_recordings(folder_, problems);
    ASSERT_EQ(2u, found.size());
    EXPECT_EQ(folder_ / "a.json", found[0].path);
    ASSERT_EQ(1u, problems.size());
    EXPECT_NE(std::string::npos, problems[0].find("bad.json"));
    EXPECT_TRUE(read_recordings(folder_ / "missing", problems).empty());
}

}  // namespace lanewise
