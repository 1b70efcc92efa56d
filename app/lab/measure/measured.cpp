#include "lab/measure/measured.h"

#include <algorithm>

#include "lab/job/job.h"

namespace lanewise {

namespace {

double gb_per_s(double bytes, const Spread& us) {
    return us.median > 0 ? bytes / us.median / 1e3 : 0;  // bytes per microsecond are MB/s
}

// Round by round: how many times as long the other one took for the same work, of which the own
// does `share`.
std::vector<double> ratios_of(const std::vector<double>& other, const std::vector<double>& own,
                              double share) {
    std::vector<double> ratios;
    for (size_t i = 0; i < std::min(other.size(), own.size()); ++i)
        ratios.push_back(share * other[i] / own[i]);
    return ratios;
}

}  // namespace

Measurement measured(const Job& job, double bytes, const Racer& racer, const Racer* beside,
                     uint64_t l2_bytes, double bytes_beside) {
    if (bytes_beside == 0) bytes_beside = bytes;
    Measurement m;
    take_setting(m, job);
    m.title = job.stage.title;
    m.samples_us = racer.us;
    m.launches_per_sample = racer.launches;
    m.time_us = spread_of(racer.us);
    m.gb_per_s = gb_per_s(bytes, m.time_us);
    m.cold_samples_us = racer.cold_us;
    m.cold_time_us = spread_of(racer.cold_us);
    m.cold_gb_per_s = gb_per_s(bytes, m.cold_time_us);
    m.beyond_l2 = bytes >= 4 * static_cast<double>(l2_bytes);
    if (!beside) return m;
    m.copy_samples_us = beside->us;
    m.copy_launches_per_sample = beside->launches;
    m.copy_time_us = spread_of(beside->us);
    m.copy_gb_per_s = gb_per_s(bytes_beside, m.copy_time_us);
    m.copy_cold_samples_us = beside->cold_us;
    m.copy_cold_gb_per_s = gb_per_s(bytes_beside, spread_of(beside->cold_us));
    m.ratio_to_copy = spread_of(ratios_of(beside->us, racer.us, bytes / bytes_beside));
    return m;
}

}  // namespace lanewise
