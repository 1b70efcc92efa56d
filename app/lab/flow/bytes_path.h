// Where the bytes of a launch go, from level to level: the input of the picture (bytes_figure.h).
// What the counts say is exact; what lies below L1 is what the model takes it to be.
#pragma once
#include <string>

#include "figure/flow/bytes_figure.h"
#include "lab/job/results.h"
#include "model/device_profile.h"

namespace lanewise {

// Of the whole launch, or of as much of it as was counted. A wavefront of shared memory is 128
// bytes, a sector 32; what an ideal access would not have moved is in vain. `card`: the one that
// the model is for, whose sizes are told; null: not known. No title. No width.
BytesFigureInput bytes_of(const Analysis& analysis, const DeviceProfile* card);

}  // namespace lanewise
