#include "engine/bench_predict_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "base/error.h"
#include "base/files.h"
#include "engine/options.h"
#include "engine/where.h"
#include "lab/analysis/launch_timing.h"
#include "lab/job/devices.h"
#include "lab/json/json.h"
#include "lab/record/set_recording.h"

namespace lanewise {
namespace {

struct PredictedRow {
    const SetLaunch* launch = nullptr;
    const SetTime* recorded = nullptr;
    LaunchTime modelled;
    double measured_us() const { return recorded->times.time_us.median; }
    double error() const { return modelled.time_us / measured_us() - 1; }
    double counter(const char* name) const {
        auto found = recorded->times.counters.values.find(name);
        return found == recorded->times.counters.values.end() ? 0 : found->second;
    }
    double l1_hit() const {
        double all = counter("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum");
        return all > 0 ? counter("l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum") / all : 0;
    }
    double l2_hit() const {
        double all = counter("lts__t_sectors_srcunit_tex_op_read.sum");
        return all > 0 ? counter("lts__t_sectors_srcunit_tex_op_read_lookup_hit.sum") / all : 0;
    }
    double dram_read() const { return counter("dram__bytes_read.sum"); }
    double instructions() const { return counter("smsp__inst_executed.sum"); }
};

void print_predicted(const PredictedRow& row) {
    const LaunchTime& m = row.modelled;
    if (!m.holds)
        return fmt::print("{:<34} {:>9.2f} {:>9}   {}\n", row.launch->id(), row.measured_us(), "-", m.sentence);
    fmt::print("{:<34} {:>9.2f} {:>9.2f} {:>+7.1f} % {:>8.2f} {:>8.2f} {:>4.0f} {:>4.0f} {:>4.0f} {:>4.0f} {:>7.1f} {:>7.1f} {:>7.2f} {:>7.2f}   {}\n",
               row.launch->id(), row.measured_us(), m.time_us, 100 * row.error(), m.low_us, m.high_us,
               100 * m.l1_hit, 100 * row.l1_hit(), 100 * m.l2_hit, 100 * row.l2_hit(),
               m.dram_read_bytes / 1e6, row.dram_read() / 1e6, m.instructions / 1e6,
               row.instructions() / 1e6, m.limited_by);
}

struct Errors {
    std::vector<double> all;
    int inside = 0, counted = 0;
    void add(const PredictedRow& row) {
        all.push_back(std::fabs(row.error()));
        constexpr double kNear = 0.02;
        counted += std::fabs(row.modelled.instructions / row.instructions() - 1) <= kNear;
        inside += row.measured_us() >= row.modelled.low_us && row.measured_us() <= row.modelled.high_us;
    }
    void print(const std::string& name) {
        if (all.empty()) return;
        std::sort(all.begin(), all.end());
        double sum = 0;
        for (double e : all) sum += e;
        double count = static_cast<double>(all.size());
        fmt::print("{:<20} {:>3} launches: mean {:>5.1f} %, median {:>5.1f} %, worst {:>5.1f} %; {:.0f} % within the range\n",
                   name, all.size(), 100 * sum / count, 100 * all[all.size() / 2], 100 * all.back(),
                   100 * inside / count);
    }
};

SetRecording recording_of(const std::string& half, const std::string& file) {
    if (!file.empty()) return read_set_recording(file);
    SetRecording all;  // of both halves, as far as they come along
    for (SetRecording& recording :
         read_set_recordings(content_folder() / "assets" / "recordings" / "launches"))
        if (recording.card == device_in_use().name)
            all.times.insert(all.times.end(), recording.times.begin(), recording.times.end());
    if (!all.times.empty()) return all;
    throw Error(Status::bad_input,
                fmt::format("no recording of the {} half on {} comes along; name one with "
                            "--recording FILE, or make it with: lanewise-engine bench --set {} --record FILE",
                            half, device_in_use().name, half));
}

Json row_json(const PredictedRow& row) {
    const LaunchTime& m = row.modelled;
    Json loads = Json::object();
    for (size_t i = 0; i < kPartNames.size(); ++i) loads[kPartNames[i]] = m.loads[i];
    return {{"launch", row.launch->id()},  {"measured_us", row.measured_us()},
            {"card", device_in_use().name}, {"loads", loads},
            {"time_us", m.time_us},        {"low_us", m.low_us},
            {"simulated_us", m.simulated_us},
            {"high_us", m.high_us},        {"holds", m.holds},
            {"sentence", m.sentence},      {"limited_by", m.limited_by},
            {"l1_hit", m.l1_hit},          {"recorded_l1_hit", row.l1_hit()},
            {"l2_hit", m.l2_hit},          {"recorded_l2_hit", row.l2_hit()},
            {"dram_read_bytes", m.dram_read_bytes},
            {"recorded_dram_read_bytes", row.dram_read()},
            {"instructions", m.instructions},
            {"recorded_instructions", row.instructions()},
            {"load_store_turns", m.load_store_turns},
            {"recorded_load_store_turns", row.counter("l1tex__data_pipe_lsu_wavefronts.sum")}};
}

// Of a launch that was measured: what the correction is fitted to, and what limits it.
struct Compared {
    LoadedRatio loaded;
    std::string limit;
};

// The range is of the correction that the other launches give each of them: as of one that was not among them.
ModelRanges ranges_of(const std::vector<Compared>& launches) {
    std::vector<LoadedRatio> all;
    for (const Compared& launch : launches) all.push_back(launch.loaded);
    std::vector<double> ratios;
    std::map<std::string, std::vector<double>> by_limit;
    for (size_t i = 0; i < launches.size(); ++i) {
        std::vector<LoadedRatio> others = all;
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
        ratios.push_back(all[i].ratio / correction_of(others).of(all[i].loads));
        by_limit[launches[i].limit].push_back(ratios.back());
    }
    ModelRanges ranges;
    ranges.correction = correction_of(all);
    ranges.in_all = range_of(ratios);
    for (const auto& [limit, of_limit] : by_limit)
        if (of_limit.size() >= kEnoughForARange) ranges.by_limit[limit] = range_of(of_limit);
    return ranges;
}

// The model is nearer to launches that it was made with than to others. So the range is best taken from others, at the
// one time at which the model had not seen them.
ModelRange range_in(const std::string& file) {
    std::vector<double> ratios;
    std::string card;
    try {
        for (const Json& row : Json::parse(read_file(file))) {
            row.at("card").get_to(card);
            const double modelled = row.at("time_us").get<double>();  // 0: it does not hold
            if (modelled > 0) ratios.push_back(row.at("measured_us").get<double>() / modelled);
        }
    } catch (const Json::exception& error) {
        throw Error(Status::bad_input, file + " is not what `bench --predict --set … --json` prints: " + error.what());
    }
    if (ratios.size() < kEnoughForARange)
        throw Error(Status::bad_input, fmt::format("{} has {} times that hold; a range needs {}", file, ratios.size(), kEnoughForARange));
    ModelRange range = range_of(ratios);
    range.unseen_on = card;
    return range;
}

}  // namespace

void predict_set(const std::string& half, const std::string& file, bool json, const RangesToWrite& to_write) {
    std::optional<ModelRange> unseen;
    if (!to_write.unseen.empty()) unseen = range_in(to_write.unseen);
    std::vector<SetLaunch> launches = read_launch_set(content_folder(), half_called(half));
    SetRecording recording = recording_of(half, file);
    std::map<std::string, Errors> by_kind;
    Errors in_all;
    Json rows = Json::array();
    size_t missing = 0;
    std::vector<Compared> compared;
    bool has_machine_code = true;
    if (!json)
        fmt::print("{:<34} {:>9} {:>9} {:>9} {:>8} {:>8} {:>9} {:>9} {:>15} {:>15}\n", "launch", "measured", "modelled",
                   "error", "low", "high", "L1 hit %", "L2 hit %", "DRAM read, MB",
                   "instructions, M");
    for (const SetLaunch& launch : launches) {
        PredictedRow row;
        row.launch = &launch;
        row.recorded = recording.find(launch);
        if (!row.recorded) {
            ++missing;
            continue;
        }
        RecordedLaunch recorded = record_launch(launch.job);
        row.modelled = time_of(recorded);
        has_machine_code = has_machine_code && !recorded.code.machine.empty();
        rows.push_back(row_json(row));
        if (!json) print_predicted(row);
        std::fflush(stdout);
        if (!row.modelled.holds) continue;
        compared.push_back({{row.modelled.loads, row.measured_us() / row.modelled.simulated_us}, row.modelled.limited_by});
        by_kind[launch.kind].add(row);
        in_all.add(row);
    }
    if (!to_write.file.empty()) {
        ModelRanges ranges = ranges_of(compared);
        if (unseen) {
            ranges.in_all = *unseen;
            ranges.by_limit.clear();
        }
        write_file(to_write.file, ranges_json(ranges, device_in_use().name, has_machine_code));
    }
    if (json) return print_json(rows);
    fmt::print("\n");
    for (auto& [kind, errors] : by_kind) errors.print(kind);
    in_all.print("in all");
    fmt::print("Machine instructions are within 2 % of the counter in {} of {}.\n", in_all.counted,
               in_all.all.size());
    if (missing > 0)
        fmt::print("{} launches of this half are not in the recording, or were another launch then.\n", missing);
}

}  // namespace lanewise
