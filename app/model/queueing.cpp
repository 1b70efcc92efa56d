#include "model/queueing.h"

#include <numeric>

namespace lanewise {

Rounds mean_value_analysis(std::span<const Centre> centres, int customers) {
    Rounds rounds;
    rounds.residence.resize(centres.size());
    std::vector<double> queue(centres.size(), 0.0);
    for (int n = 1; n <= customers; ++n) {
        for (size_t i = 0; i < centres.size(); ++i) {
            double ahead = centres[i].is_delay ? 0 : queue[i] / centres[i].copies;
            rounds.residence[i] = centres[i].service * (1 + ahead);
        }
        rounds.time = std::accumulate(rounds.residence.begin(), rounds.residence.end(), 0.0);
        rounds.rate = n / rounds.time;
        for (size_t i = 0; i < centres.size(); ++i) queue[i] = rounds.rate * rounds.residence[i];
    }
    for (const Centre& centre : centres)
        rounds.busy.push_back(rounds.rate * centre.service / centre.copies);
    return rounds;
}

}  // namespace lanewise
