// bench --predict --set: what the model of time says of each launch of a half of the set, beside
// what a card took and counted. Needs no GPU.
#pragma once
#include <string>

namespace lanewise {

struct RangesToWrite {
    std::string file;    // "": none
    std::string unseen;  // what `json` printed of launches that the model had not seen, whose range it is then; "": none
};

// recording: a file of bench --set --record; "": the one that comes along. Throws Error(bad_input)
// where there is none of this half, or it cannot be read.
// ranges: a file that is written with how far the model is off, and with the correction that this half's launches give.
void predict_set(const std::string& half, const std::string& recording, bool json,
                 const RangesToWrite& ranges);

}  // namespace lanewise
