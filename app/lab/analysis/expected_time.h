// How long the machine will be at a large product: told before it begins, so that nobody waits in
// vain.
#pragma once
#include <string>

#include "lab/job/job.h"

namespace lanewise {

// Whether asking is worth its time: a second or two.
bool is_long_to_interpret(const Job& job);

// Seconds that analyse() will take on so many threads (0: all cores), from the time that the same
// stage takes for a smaller product, here and now. Good to a factor of two or so. Throws as
// analyse() does. blocks: as analyse() takes them.
double seconds_to_interpret(const Job& job, int threads, const CancelFlag* cancel = nullptr,
                            uint64_t blocks = 0);

// "about 40 seconds", "about 3 minutes", "about 2 hours"
std::string about_so_long(double seconds);

// What to do where that is longer than the limit, in one sentence.
std::string sentence_on_long(const Job& job, double seconds, double limit_s);

}  // namespace lanewise
