// A learner who tries to cheat: hands in the source as it comes, with each of sixty shapes on screen;
// presses each chip alone; hands in each task in code as it begins. Nothing of it passes. What was
// tried stands in a log on the standard output. With LANEWISE_CHEATING_LOG=FILE it stands there, too,
// and says what would pass if the screen were judged, which takes most of the time and proves nothing.
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>

#include "../needs.h"
#include "base/error.h"
#include "base/text.h"
#include "compile/compiler.h"
#include "course/query.h"
#include "handed_in.h"

namespace lanewise {
namespace {

// Gates that one chip passes, and why that is enough there. A new one has to be argued for here.
const std::map<std::string, std::string>& passed_by_one_chip() {
    static const std::map<std::string, std::string> reasons = {
        {"zero/03_grid_block_warp", "one block of five passes: the index has to be worked out"},
        {"zero/06_banks", "of the strides above 16 one passes: it asks which, and why"},
        {"transpose/00_copy",
         "a first step: which width still fills sectors of halves is what it asks"},
        {"transpose/10_naive", "one width of four passes: two conditions pull it apart"},
        {"transpose/20_tiled", "one width of three passes: conflicts and sectors pull it apart"},
        {"transpose/22_coarsened", "it shows that fewer threads lose no sector"},
        {"transpose/32_swizzled", "it shows that the padding's exception is none here"},
        {"transpose/50_diagonal", "it asks for a counterexample, and only a conflict is one"},
        {"transpose/70_shuffle", "one type of four passes: it asks for bytes of a run"},
        {"transpose/80_register_tiles",
         "its idea is the type alone: bytes move in whole vectors, too"},
        {"transpose/86_in_place", "its idea is the type alone: bytes fill sectors, too"},
        {"transpose/88_any_shape", "one length of three passes, and a hidden odd shape judges it"},
        {"transpose/90_cublas", "a library's call has no source and no counts"},
        {"transpose/92_cute_naive", "it has two settings, of which one is the fault"},
        {"transpose/93_cute_shared",
         "it has two settings, and asks on which side the conflict goes"},
        {"matmul/10_naive_product", "one width passes: sectors of A and of B pull it apart"},
        {"matmul/12_columns_first", "one width passes: it asks which lanes share a row"},
        {"matmul/31_vectors", "one depth passes: it asks which one its padding suits"},
        {"matmul/32_double_buffered", "one depth passes: it asks how many stages are in flight"},
        {"matmul/90_cublas_product", "a library's call has no source and no counts"},
        {"matmul/92_cutlass_simt", "it has one knob, and its source is CUTLASS's"},
        {"matmul/96_cusparse_product",
         "a library's call: it asks for a sum of bytes, and not for the first chip"},
        {"reduction/00_interleaved", "one size passes: it asks for a ratio"},
        {"reduction/10_packed_threads", "one size passes: it asks where conflicts come from"},
        {"reduction/20_sequential", "one size passes: it asks for a ratio"},
        {"reduction/30_first_add", "one depth passes: it asks for a ratio"},
        {"reduction/40_shuffle", "one depth passes: it asks for a ratio"},
        {"reduction/60_atomics", "one size passes: it asks for a ratio"},
        {"reduction/90_cub", "one size passes, and its source is CUB's"},
    };
    return reasons;
}

// "7 x 33", of a product "7 x 33 x 8".
std::string in_words(const Stage& stage, const GateShape& shape) {
    std::string words = std::to_string(shape.rows) + " x " + std::to_string(shape.cols);
    return operation_of(stage).has_inner() ? words + " x " + std::to_string(shape.inner) : words;
}

// What a gate would say that looked at the screen: the result is right, nothing is found, and the
// counts are as the task asks. No gate does; the log says how far that would have gone.
bool passes_on_screen(const Job& job, const Gate& gate) {
    try {
        const Analysis seen = analyse(job, 1);
        if (!seen.correct || !seen.report.findings.empty()) return false;
        NameLookup counts = counts_lookup(seen.report.totals, seen.knobs, seen.rows, seen.cols,
                                          element_bytes(seen.type), seen.inner);
        return gate.expect.empty() || query_value(gate.expect, counts) != 0;
    } catch (const Error&) {
        return false;  // it does not compile, or such a launch is refused
    }
}

class CheatingLearner : public HandedIn {
  protected:
    ~CheatingLearner() override {
        if (log_.empty()) return;
        std::cout << log_ << std::flush;
        if (const char* file = std::getenv("LANEWISE_CHEATING_LOG"))
            std::ofstream(file, std::ios::app) << log_;
    }
    void say(const std::string& line) { log_ += line + "\n"; }

    // How many shapes would do if the screen were judged, and the first few of them.
    std::string on_screen(const Job& job, const Gate& gate) const {
        size_t offered = 0;
        std::vector<std::string> passing;
        for (const GateShape& shape : sixty_shapes()) {
            if (!is_offered(shape)) continue;
            ++offered;
            if (passes_on_screen(at_shape(job, shape), gate))
                passing.push_back(in_words(start_, shape));
        }
        std::string words = "as asked on screen at " + std::to_string(passing.size()) + " of " +
                            counted(offered, "shape");
        for (size_t i = 0; i < std::min<size_t>(3, passing.size()); ++i)
            words += (i == 0 ? " (" : ", ") + passing[i];
        return passing.empty() ? words : words + (passing.size() > 3 ? ", …)" : ")");
    }

    // Where it is judged does not depend on what is on screen: one judgement is that of all sixty.
    void expect_judged_alike_at_each_shape(const Job& job, const GateTask& task) const {
        const std::vector<GateShape> shapes = sixty_shapes();
        ASSERT_EQ(60u, shapes.size());
        for (const GateShape& shape : shapes)
            for (const GateCase& one : task.cases) {
                Job other = at_shape(job, shape);
                other.batch = 3;
                const Job here = job_at(job, one), there = job_at(other, one);
                ASSERT_TRUE(here.rows == there.rows && here.cols == there.cols &&
                            here.inner == there.inner && here.batch == there.batch &&
                            here.type == there.type && here.knobs == there.knobs);
            }
    }

    void hand_in(const std::string& what, const Job& job, const Gate& gate) {
        const GateTask task = task_of(gate, start_);
        ASSERT_EQ("", job.stage.error);
        const Judgement judgement = judge(job, task);
        EXPECT_FALSE(judgement.passed()) << what << " passed as it came";
        EXPECT_NE("", judgement.sentence);
        expect_judged_alike_at_each_shape(job, task);
        std::string line = "- " + what + ": ";
        if (!is_library_call(start_) && std::getenv("LANEWISE_CHEATING_LOG")) line += on_screen(job, gate) + ", ";
        say(line + "passed at none. " + judgement.sentence);
    }

    // Each setting that differs from the stage's own in one knob or in the type.
    std::vector<std::pair<std::string, Job>> chips() const {
        std::vector<std::pair<std::string, Job>> all;
        auto add = [&](const std::string& name, const Job& job) {
            if (knob_problem(start_, job.knobs, job.type).empty()) all.emplace_back(name, job);
        };
        Job own = start();
        own.knobs = default_knobs(start_);
        for (const Knob& knob : start_.knobs)
            for (int64_t choice : knob.choices) {
                Job job = own;
                job.knobs[knob.name] = choice;
                if (job.knobs != own.knobs) add(knob.name + "=" + std::to_string(choice), job);
            }
        for (size_t i = 1; i < start_.types.size(); ++i) {
            Job job = own;
            job.type = start_.types[i];
            add(job.type, job);
        }
        return all;
    }

    void press_each_chip() {
        std::string passing;
        size_t pressed = 0;
        for (const auto& [name, job] : chips()) {
            ++pressed;
            if (judge(job, task()).passed()) passing += " " + name;
        }
        auto reason = passed_by_one_chip().find(start_.id);
        EXPECT_EQ(reason != passed_by_one_chip().end(), !passing.empty()) << passing;
        if (pressed == 0) return;  // an exercise has only its source
        std::string line = "- each of " + counted(pressed, "chip") + " alone: ";
        say(line + (passing.empty()
                        ? "none passes."
                        : passing.substr(1) + " passes, because " +
                              (reason == passed_by_one_chip().end() ? "?" : reason->second) + "."));
    }

  private:
    std::string log_;
};

TEST_P(CheatingLearner, PassesNothing) {
    say("\n## " + start_.id + "\nThe task is there to catch the belief: " + lesson_.gate.catches);
    hand_in("the source as it comes", start(), lesson_.gate);
    press_each_chip();
    if (lesson_.write.empty()) return;
    NEEDS_NVRTC();
    for (const WriteTask& write : lesson_.write)
        hand_in("the " + write.size + " as it begins", begun(write), write.gate);
}

INSTANTIATE_TEST_SUITE_P(Of, CheatingLearner, testing::ValuesIn(all_stage_ids()), name_of_stage);

}  // namespace
}  // namespace lanewise
