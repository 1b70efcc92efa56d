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

ColdTimes cold_times(double bytes, const std::vector<double>& us) {
    Spread time = spread_of(us);
    return {us, time, gb_per_s(bytes, time)};
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
    m.cold = cold_times(bytes, racer.cold_us);
    m.beyond_l2 = bytes >= 4 * static_cast<double>(l2_bytes);
    if (!beside) return m;
    Yardstick& yardstick = m.yardstick;
    yardstick.samples_us = beside->us;
    yardstick.launches_per_sample = beside->launches;
    yardstick.time_us = spread_of(beside->us);
    yardstick.gb_per_s = gb_per_s(bytes_beside, yardstick.time_us);
    yardstick.cold = cold_times(bytes_beside, beside->cold_us);
    yardstick.ratio = spread_of(ratios_of(beside->us, racer.us, bytes / bytes_beside));
    return m;
}

}  // namespace lanewise
