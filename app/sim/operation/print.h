// What a kernel says to the system, and asks of it: printf (which the compiler makes a call of
// vprintf), failed assertions (__assertfail), trap; malloc and free, which new and delete are, too.
// Texts are read from the thread's memory and go to the observer.
#pragma once
#include "sim/warp/warp.h"

namespace lanewise {

// op.vector: where in the thread's local memory the call's result and then its parameters lie,
// behind the frame in row op.a where op.has_base (a recursive function's call). Of vprintf these
// are the addresses of the format and of the packed arguments; its result is the number of
// arguments, or -1 where the format cannot be read.
void run_vprintf(Warp& w, const Op& op);

// op.vector as above. Fault trap for what free cannot take back: malloc never gave it, or it was
// freed before.
void run_malloc(Warp& w, const Op& op);
void run_free(Warp& w, const Op& op);

// Of __assertfail(text, file, line, function, character size), which has no result: Fault trap.
void run_assertion(Warp& w, const Op& op);
void run_trap(Warp& w, const Op& op);
// A call through a pointer to no function that could be followed (ptx/): Fault trap.
void run_lost_call(Warp& w, const Op& op);
// A recursive call for which no stack is left: Fault trap.
void run_full_stack(Warp& w, const Op& op);

}  // namespace lanewise
