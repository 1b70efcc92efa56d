// From rows to constants, station by station, and from constants to the files of profiles.
#include "model/fit.h"

#include <map>

#include "base/files.h"
#include "model/fitter.h"
#include "model/sizes.h"

namespace lanewise {

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    size_t middle = values.size() / 2;
    return values.size() % 2 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

static constexpr uint64_t kLanes = 32;

// Pieces of neighbouring vectors, `a` bytes from piece to piece. A column is pieces of one word,
// each in a line of its own.
Touched touched_by(const CalibrationRow& row) {
    if (row.kernel == "micro_column") return {kLanes, kLanes, kLanes};
    std::string type = row.argument(0);
    uint64_t bytes = type == "uint4" ? 16 : type == "uint2" ? 8 : 4;
    auto piece = static_cast<uint64_t>(std::max(1, row.number(1)));
    std::map<uint64_t, uint64_t> sectors, lines;  // number -> bytes
    for (uint64_t lane = 0; lane < kLanes; ++lane) {
        uint64_t at = lane / piece * row.a + lane % piece * bytes;
        sectors[at / kSectorBytes] += bytes;
        lines[at / kLineBytes] += bytes;
    }
    Touched touched{static_cast<double>(lines.size()), static_cast<double>(sectors.size())};
    for (auto [number, covered] : sectors) touched.parts += covered < kSectorBytes;
    return touched;
}

bool on_few_sms(const CalibrationRow& row) { return row.blocks <= 8; }

Fit fit_costs(const Calibration& calibration, const DeviceProfile& card) {
    Fitter fitter(calibration, card);
    fit_multiprocessor(fitter);
    fit_memory(fitter);
    return std::move(fitter.fit);
}

std::vector<std::filesystem::path> refit_profiles(const Calibration& calibration,
                                                  const std::filesystem::path& folder) {
    std::vector<std::pair<std::filesystem::path, DeviceProfile>> profiles;
    for (const std::filesystem::path& file : device_profile_files(folder))
        profiles.emplace_back(file, read_device_profile(file));
    auto own = std::find_if(profiles.begin(), profiles.end(), [&](const auto& profile) {
        return profile.second.name == calibration.card;
    });
    if (own == profiles.end())
        throw Error(Status::bad_input,
                    fmt::format("{} has no profile of an {}; copy another card's, with this name",
                                folder.string(), calibration.card));
    Fit fit = fit_costs(calibration, own->second);
    own->second.costs = fit.costs;
    own->second.costs_from = fit.from;
    own->second.launch_us = fit.launch_us;
    std::vector<std::filesystem::path> written;
    for (auto& [file, profile] : profiles) {
        bool takes_over = profile.costs_like == calibration.card;
        if (takes_over) profile.costs = scaled_costs(own->second, profile);
        if (takes_over) profile.launch_us = fit.launch_us;
        if (!takes_over && profile.name != calibration.card) continue;
        write_file(file, device_profile_json(profile));
        written.push_back(file);
    }
    return written;
}

}  // namespace lanewise
