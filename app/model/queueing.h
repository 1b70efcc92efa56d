// A closed queueing network, solved exactly by mean value analysis (Reiser and Lavenberg, "Mean-
// Value Analysis of Closed Multichain Queuing Networks", JACM 27, 1980). A fixed number of
// customers go round: each is served at every centre once per round and waits there for those
// before it; a delay keeps it for a while without a queue. Here customers are resident blocks.
//
// What a customer finds on arrival at a centre is what a network with one customer less holds there
// on average. So, from one customer upwards:
//   residence(n) = service * (1 + queue(n - 1))     at a centre; service at a delay
//   rate(n)      = n / sum of residences
//   queue(n)     = rate(n) * residence(n)
#pragma once
#include <span>
#include <string>
#include <vector>

namespace lanewise {

struct Centre {
    double service = 0;  // of one customer in one round, in any unit of time
    // So many alike, of which each customer uses one, evenly: the multiprocessors' own parts.
    double copies = 1;
    bool is_delay = false;  // serves everybody at once
};

struct Rounds {
    double rate = 0;                // customers per unit of time
    double time = 0;                // of one round: the sum of the residences
    std::vector<double> residence;  // by centre: waiting and service
    // By centre: the share of the time in which one of its copies is busy; for a delay, how many
    // customers it holds.
    std::vector<double> busy;
};

// customers is at least 1; at least one service is more than 0.
Rounds mean_value_analysis(std::span<const Centre> centres, int customers);

}  // namespace lanewise
