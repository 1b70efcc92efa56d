#include "gpu/cupti_counters.h"

#include <fmt/format.h>

#include <utility>

#include "gpu/cupti.h"
#include "gpu/cupti_permission.h"
#include "gpu/device.h"
#include "gpu/driver.h"

namespace lanewise {

namespace {

constexpr size_t kMostPasses = 100;  // far more than the counters of a launch ever need

struct CuptiAdvice {
    Cupti::Code code;
    const char* text;
};
constexpr CuptiAdvice kCuptiAdvice[] = {
    {Cupti::kNotSupported, "this card or this system does not support it"},
    {Cupti::kVirtualized, "the card is virtual, and its host does not share the counters"},
    {Cupti::kVirtualizedPrivileges,
     "the card is virtual, and its host keeps the counters to itself: have profiling enabled for "
     "this virtual GPU"},
    {Cupti::kOtherProfiler,
     "another profiler is at work in this process: run without it, or without --counters"},
    {Cupti::kHardwareBusy, "another profiler has the counters: wait until it ends"},
};

std::string without_permission() {
    return fmt::format(
        "the driver does not let this process read the counters ({}). To let everybody: {} (in a "
        "container: start it with --cap-add SYS_ADMIN). What bank conflicts cost can be measured "
        "without: lanewise-engine probe",
        in_words(counter_permission()), command_that_grants());
}

// Ends a reading; caught in read_counters().
struct Failed {
    std::string problem;
};

// Whose ranges: ours hold the launch and what CUPTI does to begin and to end them, which counts
// nothing but takes time; the profiler's own hold the launch alone.
enum class Ranges { ours, of_launches };
bool is_time(const std::string& metric) { return metric.starts_with("gpu__time"); }

class Reader {
  public:
    Reader(const Cupti& api, void* context, int device, Ranges ranges)
        : api_(api), context_(context), device_(device), ranges_(ranges) {}

    ~Reader() {  // the status is ignored: what failed was reported by the call that made it fail
        if (Gpu::lost()) return;  // ending might wait for a kernel that never ends
        release_profiler();
        release_host();
    }

    CounterReading read(const std::vector<std::string>& metrics, const ReplayedPass& pass) {
        CounterReading reading;
        start();
        for (const std::string& metric : metrics)
            (is_known(metric) ? known_ : reading.unknown).push_back(metric);
        if (known_.empty()) throw Failed{"this card has none of these counters"};
        names_.clear();
        for (const std::string& metric : known_) names_.push_back(metric.c_str());
        make_config();
        enable();
        reading.passes = take(pass);
        std::vector<double> values = evaluate();
        for (size_t i = 0; i < known_.size(); ++i) reading.values[known_[i]] = values[i];
        return reading;
    }

  private:
    template <typename Block>
    Cupti::Code ask(Cupti::Code (*function)(Block*), Block& block) {
        block.size = size_of(block);
        return function(&block);
    }
    template <typename Block>
    void call(const char* what, Cupti::Code (*function)(Block*), Block& block) {
        Cupti::Code code = ask(function, block);
        if (code == 0) return;
        if (code == Cupti::kInsufficientPrivileges) throw Failed{without_permission()};
        std::string text = fmt::format("CUPTI refused {}: {}", what, api_.in_words(code));
        for (const CuptiAdvice& advice : kCuptiAdvice)
            if (advice.code == code) text += fmt::format(": {}", advice.text);
        throw Failed{text};
    }

    void start() {
        cupti::Initialize initialize;
        call("to start", api_.Initialize, initialize);
        cupti::DeviceSupported supported;
        supported.device = device_;
        call("to say whether it can read this card's counters", api_.DeviceSupported, supported);
        if (supported.supported != cupti::kSupported) throw Failed{what_is_in_the_way(supported)};
        cupti::GetChipName chip;
        chip.device_index = static_cast<size_t>(device_);
        call("to name the card's chip", api_.GetChipName, chip);
        chip_ = chip.chip;
        cupti::GetCounterAvailability availability;
        availability.context = context_;
        call("to list the counters", api_.GetCounterAvailability, availability);
        availability_.resize(availability.image_bytes);
        availability.image = availability_.data();
        call("to list the counters", api_.GetCounterAvailability, availability);
    }

    static std::string what_is_in_the_way(const cupti::DeviceSupported& supported) {
        struct Obstacle {
            int state;
            const char* words;
        };
        for (const Obstacle& one : {Obstacle{supported.architecture, "the card is too old"},
                                    {supported.vgpu, "the card is virtual"},
                                    {supported.confidential, "confidential computing is on"},
                                    {supported.mining, "the card is made for mining"},
                                    {supported.sli, "cards are linked by SLI"},
                                    {supported.wsl, "WSL does not share them"}})
            if (one.state != cupti::kSupported && one.state != cupti::kUnknown)
                return fmt::format("the card's counters cannot be read: {}", one.words);
        return "CUPTI does not support this card";
    }

    void open_host() {
        release_host();
        cupti::HostInitialize host;
        host.chip = chip_.c_str();
        host.availability = availability_.data();
        call("a list of counters", api_.HostInitialize, host);
        host_ = host.host;
    }

    // Asked once for a chip: each answer takes a list of counters of its own.
    bool is_known(const std::string& metric) {
        static std::map<std::string, bool> answers;
        const std::string asked = chip_ + " " + metric;
        const auto before = answers.find(asked);
        if (before != answers.end()) return before->second;
        return answers[asked] = ask_whether_known(metric);  // which throws where CUPTI refuses
    }
    bool ask_whether_known(const std::string& metric) {
        open_host();
        const char* name = metric.c_str();
        cupti::HostConfigAddMetrics add;
        add.host = host_;
        add.names = &name;
        add.count = 1;
        return ask(api_.HostConfigAddMetrics, add) == 0;
    }

    void make_config() {
        open_host();
        cupti::HostConfigAddMetrics add;
        add.host = host_;
        add.names = names_.data();
        add.count = names_.size();
        call("these counters together", api_.HostConfigAddMetrics, add);
        cupti::HostGetConfigImageSize size;
        size.host = host_;
        call("to plan the passes", api_.HostGetConfigImageSize, size);
        config_.resize(size.bytes);
        cupti::HostGetConfigImage image;
        image.host = host_;
        image.bytes = config_.size();
        image.image = config_.data();
        call("to plan the passes", api_.HostGetConfigImage, image);
    }

    void enable() {
        cupti::RangeEnable enable;
        enable.context = context_;
        call("to read the counters", api_.RangeEnable, enable);
        profiler_ = enable.profiler;
        cupti::RangeGetCounterDataSize size;
        size.profiler = profiler_;
        size.names = names_.data();
        size.count = names_.size();
        size.most_ranges = 1;
        size.most_nodes = 1;
        call("room for the counters", api_.RangeGetCounterDataSize, size);
        counter_data_.resize(size.bytes);
        cupti::RangeInitializeCounterData initialize;
        initialize.profiler = profiler_;
        initialize.bytes = counter_data_.size();
        initialize.image = counter_data_.data();
        call("room for the counters", api_.RangeInitializeCounterData, initialize);
        cupti::RangeSetConfig config;
        config.profiler = profiler_;
        config.config_bytes = config_.size();
        config.config = config_.data();
        config.counter_data_bytes = counter_data_.size();
        config.counter_data = counter_data_.data();
        bool ours = ranges_ == Ranges::ours;
        config.range = ours ? cupti::kUserRange : cupti::kAutoRange;
        config.replay = ours ? cupti::kUserReplay : cupti::kKernelReplay;
        config.most_ranges_per_pass = 1;
        config.nesting_levels = config.least_nesting_level = config.target_nesting_level = 1;
        call("the plan of the passes", api_.RangeSetConfig, config);
    }

    void begin_range() {
        cupti::RangeStart start;
        start.profiler = profiler_;
        call("to begin a pass", api_.RangeStart, start);
        if (ranges_ == Ranges::of_launches) return;
        cupti::RangePush push;
        push.profiler = profiler_;
        push.name = "launch";
        call("to begin a range", api_.RangePush, push);
    }
    void end_range() {
        if (ranges_ == Ranges::ours) {
            cupti::RangePop pop;
            pop.profiler = profiler_;
            call("to end a range", api_.RangePop, pop);
        }
        cupti::RangeStop stop;
        stop.profiler = profiler_;
        call("to end a pass", api_.RangeStop, stop);
        // Where it replays the kernel itself, one launch of ours is all passes.
        is_done_ = stop.all_passes_submitted != 0 || ranges_ == Ranges::of_launches;
    }

    // Returns the number of passes.
    size_t take(const ReplayedPass& pass) {
        size_t passes = 0;
        while (!is_done_) {
            if (++passes > kMostPasses) throw Failed{"CUPTI asks for one pass after the other"};
            pass([&] { begin_range(); }, [&] { end_range(); });
        }
        cupti::RangeDecodeData decode;
        decode.profiler = profiler_;
        call("to decode the counters", api_.RangeDecodeData, decode);
        if (decode.dropped > 0) throw Failed{"CUPTI lost the counters of the launch"};
        return passes;
    }

    std::vector<double> evaluate() {
        std::vector<double> values(names_.size());
        cupti::HostEvaluateToGpuValues evaluate;
        evaluate.host = host_;
        evaluate.counter_data = counter_data_.data();
        evaluate.counter_data_bytes = counter_data_.size();
        evaluate.names = names_.data();
        evaluate.count = names_.size();
        evaluate.values = values.data();
        call("to add the counters up", api_.HostEvaluateToGpuValues, evaluate);
        return values;
    }

    void release_profiler() {
        if (!profiler_) return;
        cupti::RangeDisable disable;
        disable.profiler = std::exchange(profiler_, nullptr);
        ask(api_.RangeDisable, disable);
    }
    void release_host() {
        if (!host_) return;
        cupti::HostDeinitialize deinitialize;
        deinitialize.host = std::exchange(host_, nullptr);
        ask(api_.HostDeinitialize, deinitialize);
    }

    const Cupti& api_;
    void* context_;
    int device_;
    Ranges ranges_;
    std::string chip_;
    std::vector<uint8_t> availability_, config_, counter_data_;
    std::vector<std::string> known_;
    std::vector<const char*> names_;
    void* host_ = nullptr;
    void* profiler_ = nullptr;
    bool is_done_ = false;
};

struct FoundCupti {
    std::unique_ptr<const Cupti> api;
    std::string problem;
};
const FoundCupti& find_cupti() {
    static const FoundCupti found = [] {
        FoundCupti result;
        result.api = load_cupti(cupti_libraries(), result.problem);
        return result;
    }();
    return found;
}

CounterReading without_counters(const std::string& problem) {
    CounterReading reading;
    reading.problem = problem;
    return reading;
}

}  // namespace

CounterReading read_counters(const Cupti& api, void* context, int device,
                             const std::vector<std::string>& metrics, const ReplayedPass& pass) {
    std::vector<std::string> counts, times;
    for (const std::string& metric : metrics) (is_time(metric) ? times : counts).push_back(metric);
    CounterReading reading;
    try {
        reading = Reader(api, context, device, Ranges::ours).read(counts, pass);
    } catch (const Failed& failed) {
        return without_counters(failed.problem);
    }
    if (times.empty()) return reading;
    try {
        CounterReading timed = Reader(api, context, device, Ranges::of_launches).read(times, pass);
        reading.values.merge(timed.values);
        reading.passes += timed.passes;
    } catch (const Failed&) {  // the counts are worth as much without
        reading.unknown.insert(reading.unknown.end(), times.begin(), times.end());
    }
    return reading;
}

CounterReading read_counters(const std::vector<std::string>& metrics, const ReplayedPass& pass) {
    if (!find_cupti().api) return without_counters(find_cupti().problem);
    if (!the_driver()) return without_counters(gpu_status().problem);
    void* context = nullptr;
    int device = 0;
    the_driver()->contexts.GetCurrent(&context);
    if (the_driver()->devices.Get(&device, gpu_status().gpu.index) != 0 || !context)
        return without_counters("the GPU is not open");
    return read_counters(*find_cupti().api, context, device, metrics, pass);
}

std::string missing_counters() {
    if (!find_cupti().api) return find_cupti().problem;
    return counter_permission().granted() ? "" : without_permission();
}

}  // namespace lanewise
