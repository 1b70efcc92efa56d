#include "lab/micro/staircase.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <set>

#include "trace/count/rules.h"

namespace lanewise {

namespace {

constexpr int kWidths[] = {4, 8, 16};

LaneAddresses addresses_of(const StaircaseAccess& access) {
    LaneAddresses addresses;
    std::copy(access.offsets.begin(), access.offsets.end(), addresses.begin());
    return addresses;
}

int count(const StaircaseAccess& access) {
    return wavefronts(addresses_of(access), access.bytes_per_lane, access.mask, access.is_store);
}

// Each phase of 32 * 4 / width lanes in rows of its own: its first `ways` lanes one below the
// other, the others beside the first, each a column of the access's width further.
StaircaseAccess made_up(int width, bool is_store, int ways) {
    StaircaseAccess access;
    access.bytes_per_lane = width;
    access.is_store = is_store;
    int lanes_of_phase = kBanks * 4 / width;
    for (int lane = 0; lane < 32; ++lane) {
        int within = lane % lanes_of_phase, first_row = lane / lanes_of_phase * ways;
        int row = within < ways ? within : 0, column = within < ways ? 0 : within;
        access.offsets[static_cast<size_t>(lane)] =
            static_cast<uint32_t>((first_row + row) * kBanks * 4 + column * width);
    }
    access.wavefronts = count(access);
    access.name = ways == 1 ? "a bank for each lane"
                            : fmt::format("{} lanes{} want one bank", ways,
                                          width == 4 ? "" : " of each phase");
    return access;
}

}  // namespace

uint32_t StaircaseAccess::shared_bytes() const {
    uint32_t most = 0;
    for (size_t lane = 0; lane < 32; ++lane)
        if (mask >> lane & 1) most = std::max(most, offsets[lane]);
    return most + static_cast<uint32_t>(bytes_per_lane);
}

std::vector<StaircaseAccess> staircase_ladder() {
    std::vector<StaircaseAccess> ladder;
    for (bool is_store : {false, true})
        for (int width : kWidths)
            for (int ways = 1; ways <= kBanks * 4 / width; ++ways)
                ladder.push_back(made_up(width, is_store, ways));
    return ladder;
}

std::vector<StaircaseAccess> staircase_accesses(const Picture& picture) {
    std::vector<StaircaseAccess> list;
    std::set<std::pair<uint32_t, int>> had;  // instruction, wavefronts
    for (const TracedAccess& traced : picture.block.accesses) {
        const InstructionReport& instruction = picture.report.instructions[traced.instruction];
        if (instruction.space != Space::shared || instruction.kind != AccessKind::plain) continue;
        if (!had.insert({traced.instruction, traced.wavefronts}).second) continue;
        StaircaseAccess access;
        access.name = instruction.text;
        access.line = instruction.line;
        access.bytes_per_lane = instruction.bytes_per_lane;
        access.is_store = instruction.is_store;
        access.of_stage = true;
        access.mask = traced.mask;
        for (size_t lane = 0; lane < 32; ++lane)
            if (traced.mask >> lane & 1)
                access.offsets[lane] = static_cast<uint32_t>(traced.addresses[lane]);
        access.wavefronts = count(access);
        list.push_back(std::move(access));
    }
    std::stable_sort(list.begin(), list.end(),
                     [](const auto& a, const auto& b) { return a.wavefronts > b.wavefronts; });
    if (list.size() > kMostOfStage) list.resize(kMostOfStage);
    return list;
}

static StaircaseLine line_through(const std::vector<const StaircaseStep*>& steps) {
    StaircaseLine line;
    line.bytes_per_lane = steps.front()->access.bytes_per_lane;
    line.is_store = steps.front()->access.is_store;
    std::vector<double> slopes, bases;
    for (size_t i = 0; i < steps.size(); ++i)
        for (size_t j = i + 1; j < steps.size(); ++j) {
            int further = steps[j]->access.wavefronts - steps[i]->access.wavefronts;
            if (further != 0)
                slopes.push_back((steps[j]->cycles.median - steps[i]->cycles.median) / further);
        }
    line.per_wavefront = spread_of(slopes);
    auto beyond_base = [&](const StaircaseStep& step) {
        return step.cycles.median - line.per_wavefront.median * step.access.wavefronts;
    };
    for (const StaircaseStep* step : steps) bases.push_back(beyond_base(*step));
    line.base = spread_of(bases).median;
    for (double base : bases) line.worst = std::max(line.worst, std::abs(base - line.base));
    return line;
}

void fit_staircase(Staircase& staircase) {
    std::map<std::pair<bool, int>, std::vector<const StaircaseStep*>> made_up_steps;
    for (StaircaseStep& step : staircase.steps) {
        step.cycles = spread_of(step.samples);
        if (!step.access.of_stage)
            made_up_steps[{step.access.is_store, step.access.bytes_per_lane}].push_back(&step);
    }
    staircase.lines.clear();
    for (const auto& [key, steps] : made_up_steps)
        if (steps.size() > 1) staircase.lines.push_back(line_through(steps));
    for (StaircaseStep& step : staircase.steps) {
        const StaircaseLine* line = line_of(staircase, step.access);
        bool rises = line && line->per_wavefront.median > 0;
        step.seen = rises ? (step.cycles.median - line->base) / line->per_wavefront.median : 0;
    }
}

const StaircaseLine* line_of(const Staircase& staircase, const StaircaseAccess& access) {
    // What is narrower than a bank is served as a bank's word is.
    int width = std::max(access.bytes_per_lane, kWidths[0]);
    for (const StaircaseLine& line : staircase.lines)
        if (line.bytes_per_lane == width && line.is_store == access.is_store) return &line;
    return nullptr;
}

std::string in_words(const StaircaseLine& line) {
    const Spread& slope = line.per_wavefront;
    return fmt::format("{}-byte {}: {:.1f} cycles, {:.2f} ({:.2f} to {:.2f}) of them per wavefront",
                       line.bytes_per_lane, line.is_store ? "stores" : "loads",
                       line.base + slope.median * (line.bytes_per_lane / 4), slope.median,
                       slope.p05, slope.p95);
}

}  // namespace lanewise
