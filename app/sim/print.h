// printf in a kernel, which the compiler makes a call of vprintf: format and arguments are read
// from the thread's memory, and the text goes to the observer.
#pragma once
#include "sim/warp.h"

namespace lanewise {

// op.a, op.b: where in the thread's local memory the addresses of the format and of the packed
// arguments lie; op.immediate: where its result goes, the number of arguments, or -1 where the
// format cannot be read.
void run_vprintf(Warp& w, const Op& op);

}  // namespace lanewise
