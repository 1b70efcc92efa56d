// The fields of each message, frozen in message_fields.txt: one line a field, "required" where a
// reader stumbles if it is missing, else "added". Whoever adds a field reads here whether the
// protocol's version must rise (service/protocol.h). LANEWISE_WRITE_FIELDS=1 writes the file anew.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/files.h"
#include "lab/change/pad_table.h"
#include "lab/change/swizzle.h"
#include "lab/flow/block_walk.h"
#include "lab/flow/product_pictures.h"
#include "lab/grade/judgement.h"
#include "lab/json/cause_table_json.h"
#include "lab/json/json.h"
#include "lab/json/staircase_json.h"
#include "lab/measure/hardware_counts.h"
#include "lab/mismatch/mismatch_map.h"
#include "service/protocol.h"

namespace lanewise {

namespace {

const std::string kFile = TESTS_FOLDER "/service/message_fields.txt";

// Can a message that lacks the field still be read?
template <typename Message>
bool is_read(const Json& json) {
    try {
        Message message = json.get<Message>();
        return true;
    } catch (const std::exception&) {
        return false;
    }
}

// Every field of `at`, a part of `whole`, and of the objects in it.
template <typename Message>
void list(const std::string& path, Json& whole, const Json::json_pointer& at, std::string& lines) {
    std::vector<std::string> names;
    for (const auto& [name, value] : whole.at(at).items()) names.push_back(name);
    for (const std::string& name : names) {
        const Json kept = whole;
        whole.at(at).erase(name);
        lines += path + "." + name + (is_read<Message>(whole) ? " added\n" : " required\n");
        whole = kept;
        if (whole.at(at / name).is_object())
            list<Message>(path + "." + name, whole, at / name, lines);
    }
}

// `example` must hold something wherever its fields are to be seen.
template <typename Message>
std::string fields_of(const std::string& name, const Message& example) {
    Json json = example;
    EXPECT_TRUE(is_read<Message>(json)) << name;
    std::string lines;
    list<Message>(name, json, Json::json_pointer(), lines);
    return lines;
}

}  // namespace

TEST(MessageFields, AreThoseOfThisVersion) {
    Measurement measurement;
    measurement.stage = "transpose/00_copy";
    measurement.samples_us = {1};
    std::string now =
        "protocol " + std::to_string(kProtocolVersion) + "\n" + fields_of("Job", Job()) +
        fields_of("Picture", Picture()) + fields_of("Analysis", Analysis()) +
        fields_of("Measurement", measurement) + fields_of("BlockWalk", BlockWalk()) +
        fields_of("PadTable", PadTable()) + fields_of("MismatchMap", MismatchMap()) +
        fields_of("ProductPictures", ProductPictures()) + fields_of("Staircase", Staircase()) +
        fields_of("SwizzleTrial", SwizzleTrial()) + fields_of("SwizzleResult", SwizzleResult()) +
        fields_of("CounterReading", CounterReading()) + fields_of("GateTask", GateTask()) +
        fields_of("Judgement", Judgement()) + fields_of("CauseTable", CauseTable());
    if (std::getenv("LANEWISE_WRITE_FIELDS")) write_file(kFile, now);
    EXPECT_EQ(read_file(kFile), now)
        << "A field that is \"required\", gone or of another meaning raises kProtocolVersion; one "
           "that is \"added\" does not. Then: LANEWISE_WRITE_FIELDS=1 test_service";
}

}  // namespace lanewise
