// What the app answers to a lesson's questions, for counts worked out by hand.
#include "course/query.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace lanewise {
namespace {

// naive at 4096 x 4096 floats, with a shared read that conflicts two-way in half of its accesses.
Counts counts() {
    Counts counts;
    counts.global_load = {524'288, 524'288, 2'097'152, 2'097'152, 67'108'864};
    counts.global_store = {524'288, 524'288, 16'777'216, 2'097'152, 67'108'864};
    counts.shared_load = {100, 150, 100, 12'800};
    counts.global_atomic = {7, 7, 224, 7, 896};
    counts.async_copy = {5, 4, 16, 12, 10, 5, 640};
    counts.bulk_store = {2, 40, 32, 1'024};
    return counts;
}

std::string answer(const std::string& query) {
    return answer_query(query, counts(), {{"TILE", 32}, {"PAD", 1}}, 4096, 1000, 4);
}

double value(const std::string& query) {
    return query_value(query, counts_lookup(counts(), {{"TILE", 32}}, 4096, 1000, 4));
}

TEST(Query, KnowsWhatAMultiprocessorHasRoomFor) {
    NameLookup names = counts_lookup({}, {{"TILE", 32}}, 1, 1, 4);
    EXPECT_EQ(2, query_value("sm_90.threads / (TILE * TILE)", names));
    EXPECT_EQ(1, query_value("sm_86.threads / (TILE * TILE)", names));  // 1,536
    EXPECT_EQ(99 * 1024, query_value("sm_89.shared_bytes_per_block", names));
    EXPECT_THROW(query_value("sm_12.threads", names), Error);
    EXPECT_THROW(query_value("sm_90.thread", names), Error);
}

DeviceProfile card() {
    DeviceProfile made;
    made.name = "Made by hand";
    made.sm_count = 100;
    made.max_warps_per_sm = 64;
    made.sm_clock_mhz = 2000;  // two clocks are a nanosecond
    made.costs.dram_latency_clocks = 661;
    made.costs.dram_read_gb_per_s = 4590.4;
    return made;
}

TEST(Query, KnowsTheFiguresOfACard) {
    const DeviceProfile of = card();
    const NameLookup knobs = counts_lookup({}, {{"LOADS", 2}}, 1, 1, 4);
    EXPECT_EQ("Made by hand", answer_query("card.name", knobs, &of));
    EXPECT_EQ("331", answer_query("card.dram_latency_ns", knobs, &of));  // of 330.5
    EXPECT_EQ("4,590", answer_query("card.dram_read_gb_per_s", knobs, &of));
    // Little's law: 4,590 bytes in a nanosecond for 331 nanoseconds, over 100 multiprocessors.
    EXPECT_EQ("1,519,290",
              answer_query("card.dram_read_gb_per_s * card.dram_latency_ns", knobs, &of));
    EXPECT_EQ("15", answer_query("ceil_div(card.dram_read_gb_per_s * card.dram_latency_ns / "
                                 "card.sm_count, LOADS * 16 * 32)",
                                 knobs, &of));  // 15,192 / 1,024
    EXPECT_EQ("64", answer_query("card.warps_per_sm", knobs, &of));
    EXPECT_EQ("–", answer_query("card.weight", knobs, &of));
    EXPECT_EQ("–", answer_query("card.name", knobs));
    EXPECT_EQ("–", answer_query("card.sm_count", knobs));
}

TEST(Query, AsksTheCardThatIsThereIfItWasMeasured) {
    std::vector<DeviceProfile> cards(3, card());
    cards[0].name = "Scaled";
    cards[0].costs_like = "Measured";
    cards[1].name = "Measured";
    cards[2].name = "Measured, too";
    EXPECT_EQ("Measured", card_of_figures(cards)->name);
    EXPECT_EQ("Measured, too", card_of_figures(cards, "Measured, too")->name);
    EXPECT_EQ("Measured", card_of_figures(cards, "Scaled")->name);
    EXPECT_EQ(nullptr, card_of_figures(std::span(cards).first(1)));
}

TEST(Query, AnswersCountsAndKnobs) {
    EXPECT_EQ("524,288", answer("global_load.requests"));
    EXPECT_EQ("16,777,216", answer("global_store.sectors"));
    EXPECT_EQ("2,097,152", answer("global_store.sectors_ideal"));
    EXPECT_EQ("67,108,864", answer("global_load.bytes"));
    EXPECT_EQ("150", answer("shared_load.wavefronts"));
    EXPECT_EQ("100", answer("shared_load.wavefronts_ideal"));
    EXPECT_EQ("0", answer("shared_store.instructions"));
    EXPECT_EQ("224", answer("global_atomic.sectors"));
    EXPECT_EQ("0", answer("global_reduction.requests"));
    EXPECT_EQ("10", answer("async_copy.wavefronts"));
    EXPECT_EQ("40", answer("bulk_store.sectors"));
    EXPECT_EQ("–", answer("bulk_store.wavefronts"));
    EXPECT_EQ("32", answer("TILE"));
    EXPECT_EQ("16,384", answer("rows * element_bytes"));
    EXPECT_EQ("-1,000", answer("0 - cols"));
}

TEST(Query, AnswersRatios) {
    EXPECT_EQ("4", answer("sectors_per_request load"));
    EXPECT_EQ("32", answer("sectors_per_request store"));
    EXPECT_EQ("100 %", answer("useful_percent load"));
    EXPECT_EQ("12.5 %", answer("useful_percent store"));  // 4 of 32 bytes
    EXPECT_EQ("1.5", answer(" wavefronts_per_request  load "));
}

TEST(Query, ShowsADashWhereThereIsNothingToSay) {
    EXPECT_EQ("–", answer("wavefronts_per_request store"));
    EXPECT_EQ("–", answer("wavefronts_per_request"));
    EXPECT_EQ("–", answer("TILES"));
    EXPECT_EQ("–", answer("1 +"));
}

TEST(Query, ShowsADashForMoreElementsThan64BitsHold) {
    EXPECT_EQ("16,384", answer_query("n", counts(), {}, 128, 128, 4));
    EXPECT_EQ("–", answer_query("n", counts(), {}, int64_t{1} << 32, int64_t{1} << 31, 4));
}

TEST(Query, GivesNumbersForGatesAndPredictions) {
    EXPECT_EQ(12.5, value("useful_percent store"));
    EXPECT_EQ(1.5, value("wavefronts_per_request load"));
    EXPECT_EQ(1, value("global_load.sectors == global_load.sectors_ideal"));
    EXPECT_EQ(0, value("global_store.sectors == global_store.sectors_ideal"));
    EXPECT_THROW(value("wavefronts_per_request store"), Error);
    EXPECT_THROW(value("sectors_per_request"), Error);
    EXPECT_THROW(value("PAD"), Error);
}

TEST(Query, KnowsEveryNameThatItOffers) {
    // Four groups of 5 names, four of 4, one of 8, two of 4.
    ASSERT_EQ(52u, counts_names().size());
    for (const std::string& name : counts_names()) EXPECT_NO_THROW(value(name)) << name;
}

}  // namespace
}  // namespace lanewise
