// why: what a launch's time is made of, by the model; each cause in microseconds. Needs no GPU.
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "engine/commands.h"
#include "engine/options.h"
#include "lab/analysis/launch_timing.h"
#include "lab/job/devices.h"

namespace lanewise {
namespace {

using Json = nlohmann::json;

Json json_of(const TimeCauses& causes) {
    const LaunchTime& time = causes.time;
    Json json = {{"card", device_in_use().name},     {"holds", time.holds},
                 {"sentence", time.sentence},        {"time_us", time.time_us},
                 {"low_us", time.low_us},            {"high_us", time.high_us},
                 {"limited_by", time.limited_by},    {"without_us", causes.without_us},
                 {"causes", Json::array()}};
    for (const TimeCause& cause : causes.causes)
        json["causes"].push_back(
            {{"name", cause.name}, {"us", cause.us}, {"line", cause.line}, {"fix", cause.fix}});
    return json;
}

void print(const TimeCauses& causes) {
    const LaunchTime& time = causes.time;
    if (!time.holds) return fmt::print("{}\n", time.sentence);
    fmt::print("{:.2f} us on {}, between {:.2f} and {:.2f}; limited by {}. {}\n\n", time.time_us,
               device_in_use().name, time.low_us, time.high_us, time.limited_by, time.sentence);
    double sum = 0;
    for (const TimeCause& cause : causes.causes) {
        std::string line = cause.line > 0 ? fmt::format("line {}", cause.line) : "";
        fmt::print("{:>9.2f} us  {:<32} {:<9} {}\n", cause.us, cause.name, line, cause.fix);
        sum += cause.us;
    }
    double together = time.time_us - causes.without_us;
    fmt::print("\n{:>9.2f} us  are left without all of them at once.\n", causes.without_us);
    constexpr double kNothing = 0.005;
    if (sum < together - kNothing)
        fmt::print("{:>9.2f} us  go only where several of them go together.\n", together - sum);
    if (sum > together + kNothing)
        fmt::print("{:>9.2f} us  are counted more than once, as causes hide behind each other.\n", sum - together);
}

}  // namespace

static void add_why(EngineCommand& app, int& status) {
    auto* command = app.add_subcommand("why", "what a launch's time is made of, cause by cause");
    auto options = std::make_shared<JobOptions>();
    options->add_to(*command);
    command->callback([options, &status] {
        TimeCauses causes = causes_of(record_launch(options->job()));
        if (options->json)
            print_json(json_of(causes));
        else
            print(causes);
        status = 0;
    });
}
static const CommandRow kWhy("why", "probe", add_why, Compiles::yes);

}  // namespace lanewise
