#include "lab/json/json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "../../shipped_stages.h"
#include "base/error.h"
#include "course/catalogue.h"
#include "lab/record/doctor.h"

namespace lanewise {

namespace {

// Through the wire's own format and back, and then to JSON again: equal where nothing was lost.
template <typename T>
T travelled(const T& value) {
    return Json::from_cbor(Json::to_cbor(Json(value))).template get<T>();
}

Report small_report() {
    Report report;
    report.totals.global_load = {1, 2, 3, 4, 5};
    report.totals.shared_store = {6, 7, 8, 9};
    InstructionReport load;
    load.instruction = 12;
    load.text = "ld.global.f32 %f1, [%rd15]";
    load.file = "30_padded.cu";
    load.line = 36;
    load.column = 17;
    load.space = Space::shared;
    load.is_store = true;
    load.bytes_per_lane = 8;
    load.counts = report.totals;
    report.instructions = {load};
    report.lines = {{"30_padded.cu", 36, report.totals}};
    report.findings = {{"out_of_bounds", "global", "30_padded.cu", 17, 23, "(1,0)", "(0,4)", 3,
                        "out[4096] of 4096 elements"}};
    report.warp_instructions = uint64_t{1} << 40;
    return report;
}

}  // namespace

TEST(Json, AJobArrivesWithItsWholeStage) {
    Job job;
    job.stage = shipped_stages().find("30_padded");
    job.knobs = {{"TILE", 16}, {"PAD", 0}};
    job.type = "f64";
    job.rows = 33;
    job.cols = 65;
    job.arch = "sm_80";
    Job there = travelled(job);
    EXPECT_EQ(job.stage.source, there.stage.source);
    EXPECT_EQ(job.knobs, there.knobs);
    EXPECT_EQ(Json(job), Json(there));
    validate(there);
    EXPECT_EQ(8, there.knobs.at("ROWS"));  // the default, known without a content folder
}

// What a worker is told of a stage is all that a stage says, but for the place of its file.
TEST(Json, EveryStageArrivesWhole) {
    const Catalogue& catalogue = shipped_stages();
    for (Stage stage : catalogue.stages()) {
        stage.path.clear();
        EXPECT_EQ(stage, travelled(stage)) << stage.id;
    }
}

// What an earlier version wrote has none of the fields that came later.
TEST(Json, FieldsAddedLaterMayBeMissing) {
    Job job;
    job.stage = shipped_stages().find("30_padded");
    job.rows = 33;
    Json json = job;
    ASSERT_EQ(1u, json.erase("own"));
    Job there = json.get<Job>();
    EXPECT_EQ(33, there.rows);
    EXPECT_FALSE(there.own.is_used());
    json["own"] = 7;  // there, but nonsense
    EXPECT_THROW(json.get<Job>(), Json::exception);
    json.erase("own");
    json.erase("rows");  // there from the beginning
    EXPECT_THROW(json.get<Job>(), Json::exception);

    Json analysis = Analysis{};
    for (const char* added : {"has_reference", "notes"}) ASSERT_EQ(1u, analysis.erase(added));
    ASSERT_EQ(1u, analysis["report"].erase("checked_blocks"));
    EXPECT_TRUE(analysis.get<Analysis>().has_reference);
}

TEST(Json, APictureKeepsEveryAccess) {
    Picture picture;
    picture.stage = "transpose/30_padded";
    picture.knobs = {{"TILE", 32}};
    picture.type = "f32";
    picture.launch = {{2, 3, 4}, {32, 8, 1}, 128};
    picture.report = small_report();
    picture.tile = {32, 32, 33};
    picture.block.block = 5;
    picture.block.warps = 8;
    picture.block.left_out = 1ull << 40;
    picture.block.buffers = {{"in", 4096, 1 << 26}};
    for (uint32_t i = 0; i < 3; ++i) {
        TracedAccess access;
        access.instruction = i;
        access.warp = 7;
        access.mask = 0x80000001u;
        access.buffer = i == 0 ? -1 : 0;
        access.sectors = 32;
        access.wavefronts_ideal = 4;
        for (uint64_t lane = 0; lane < 32; ++lane) access.addresses.push_back(lane << 33 | i);
        picture.block.accesses.push_back(access);
    }
    picture.block.marks = {{TracedMark::Kind::barrier, 7, 2, 40},
                           {TracedMark::Kind::bulk_copy, 0, 3, 0}};
    picture.code.ptx = {{412, 36, 2, "ld.global.f32 %f1, [%rd15]"}};
    picture.code.sass = {{0x1f0, 412, 36, 8, "LDG.64", "@!P0", "merged"}};
    picture.code.notes = {{36, "merged: 2 ld.global.f32 → 1 LDG.64"}};
    picture.code.remark = "Only the first lines are listed.";
    Picture there = travelled(picture);
    EXPECT_EQ(2, there.code.ptx[0].access);
    EXPECT_EQ("merged", there.code.sass[0].relation);
    EXPECT_EQ(Json(picture), Json(there));
    ASSERT_EQ(3u, there.block.accesses.size());
    EXPECT_EQ(picture.block.accesses[2].addresses, there.block.accesses[2].addresses);
    EXPECT_EQ(-1, there.block.accesses[0].buffer);
    EXPECT_EQ(0x80000001u, there.block.accesses[1].mask);
    EXPECT_EQ(1ull << 40, there.block.left_out);
    EXPECT_EQ(picture.block.marks, there.block.marks);
    EXPECT_EQ(33, there.tile.pitch);
    EXPECT_EQ(Space::shared, there.report.instructions[0].space);
}

TEST(Json, ADamagedBlockIsRefused) {
    Json json = Picture{};
    json["block"]["accesses"] = Json::binary({1, 2, 3});
    EXPECT_THROW(json.get<Picture>(), Error);
    json["block"]["accesses"] = 7;
    EXPECT_THROW(json.get<Picture>(), Json::exception);
    json.erase("block");
    EXPECT_THROW(json.get<Picture>(), Json::exception);
}

TEST(Json, AnAnalysisArrives) {
    Analysis analysis;
    analysis.stage = "transpose/10_naive";
    analysis.correct = false;
    analysis.mismatch = {17, 3, 4, "0x00000001", "0x00000002"};
    analysis.report = small_report();
    analysis.occupancy = {8, 64, 1.0, "threads", 30, 4224, 256};
    analysis.prediction = {39.5,          3400, "DRAM", {{"DRAM", 30.0, "because"}},
                           "NVIDIA H200", 4800, 0,      0, ""};
    Analysis there = travelled(analysis);
    EXPECT_EQ(Json(analysis), Json(there));
    EXPECT_EQ(17u, there.mismatch.count);
    EXPECT_EQ("because", there.prediction.stations[0].because);
}

TEST(Json, TraceJsonHasTheDocumentedShape) {
    Analysis analysis;
    analysis.stage = "transpose/30_padded";
    analysis.knobs = {{"TILE", 32}, {"PAD", 1}};
    analysis.type = "f32";
    analysis.rows = analysis.cols = 4096;
    analysis.correct = true;
    analysis.report = small_report();
    Json json = trace_json(analysis);
    EXPECT_EQ(Json({{"TILE", 32}, {"PAD", 1}, {"type", "f32"}}), json["params"]);
    EXPECT_EQ(true, json["correct"]);
    EXPECT_EQ(3, json["totals"]["global_load"]["sectors"]);
    EXPECT_EQ(4, json["totals"]["global_load"]["sectors_ideal"]);
    EXPECT_EQ(7, json["totals"]["shared_store"]["wavefronts"]);
    EXPECT_EQ(36, json["lines"][0]["line"]);
    EXPECT_EQ(7, json["lines"][0]["shared_store"]["wavefronts"]);
    EXPECT_EQ("(0,4)", json["findings"][0]["thread"]);
    EXPECT_TRUE(json["occupancy"].is_object());
    EXPECT_TRUE(json["prediction"].is_object());
}

TEST(Json, StageJsonHasTheDocumentedShape) {
    Json json = stage_json(shipped_stages().find("30_padded"));
    EXPECT_EQ("transpose/30_padded", json["id"]);
    EXPECT_EQ("f32", json["types"][0]);
    EXPECT_TRUE(json["error"].is_null());
    EXPECT_EQ("TILE", json["knobs"][0]["name"]);
    Stage broken;
    broken.error = "kernels/transpose/99_broken.cu:1: no head";
    EXPECT_EQ(broken.error, stage_json(broken)["error"].get<std::string>());
}

TEST(Json, ARunOfAnOwnKernelComesBackWhole) {
    OwnMeasurement m;
    m.file = "turn.cu";
    m.kernel = "turn<float>";
    m.launch = {{4, 2, 1}, {32, 8, 1}, 1024};
    m.arguments = {"f32[64]", "i32:8"};
    m.before = {{"out", "f32", 64, 2, 1, 7, "3f800001", "3f800000"},
                {"in", "f32", 64, 0, 0, 0, "", ""}};
    m.after = {m.before[1]};
    m.findings = 3;
    m.samples_us = {1.5, 2.5};
    m.launches_per_sample = 20;
    m.time_us = {2, 1.5, 2.5, 2};
    m.notes = {"It was slow."};
    m.provenance.card = "NVIDIA H200";
    OwnMeasurement back = own_run_from(Json::from_cbor(Json::to_cbor(own_run_json(m))));
    EXPECT_EQ(own_run_json(m), own_run_json(back));
    EXPECT_TRUE(m.before == back.before);
    EXPECT_EQ(1024u, back.launch.dynamic_shared_bytes);
    EXPECT_FALSE(back.is_near());
}

TEST(Doctor, WhatIsMissingComesWithAdvice) {
    std::vector<Check> checks = examine();
    EXPECT_GE(checks.size(), 9u);
    for (const Check& check : checks) {
        EXPECT_FALSE(check.name.empty());
        EXPECT_FALSE(check.found.empty()) << check.name;
        EXPECT_EQ(check.ok, check.advice.empty()) << check.name;
    }
}

}  // namespace lanewise
