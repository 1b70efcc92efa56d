#include "lab/analysis/cause_table.h"

#include <algorithm>

namespace lanewise {

static double sum_of(const CauseTable& table) {
    double sum = 0;
    for (const TimeCause& cause : table.causes) sum += cause.us;
    return sum;
}

double only_together_us(const CauseTable& table) {
    return std::max(0.0, table.time_us - table.without_us - sum_of(table));
}

double counted_again_us(const CauseTable& table) {
    return std::max(0.0, sum_of(table) - (table.time_us - table.without_us));
}

double unexplained_us(const CauseTable& table) {
    return std::max(0.0, table.without_us - table.launch_us);
}

}  // namespace lanewise
