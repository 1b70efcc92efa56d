// The part of NVML that app/gpu/nvml.cpp asks for, in the fake driver's library: a card that can be
// told to become hot or to change its clock.
#pragma once

struct FakeNvml {
    int hot_answers = 0;           // so many of the next answers say that the card is too hot
    int answers = 0;               // given since
    unsigned sm_clock_mhz = 1980;  // the answer to the first question, and
    unsigned then_mhz = 1980;      // to all others
};
