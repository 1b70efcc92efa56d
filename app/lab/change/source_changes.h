// Changes of a kernel's source that may make it faster. Each leaves the result as it is at every shape
// and for every input, as far as the text tells; where the text does not tell, there is none. Whether
// one is faster, fixes.h finds out.
#pragma once
#include <string>
#include <vector>

#include "lab/job/job.h"

namespace lanewise {

struct SourceChange {
    std::string title;   // "The columns of tile are swizzled"
    std::string source;  // with it
};

// tile[row][col] becomes tile[row][col ^ row], within the row: an alternative to longer rows that
// takes no memory. Of arrays in shared memory with rows of a power of two, which are used element by
// element alone; rows shorter than all banks are turned once for as many as fill the banks.
std::vector<SourceChange> swizzle_changes(const Job& job);

// A loop over n elements that neighbouring threads walk side by side moves 16 bytes at a time. The
// pointers' alignment is asked for where the loop begins; what is left over, or all of it, goes
// element by element as before. Of pointers to float, int, unsigned and double, where the loop's
// threads are those of a block or a grid of one dimension, and what a thread does for an element
// depends on this element alone.
std::vector<SourceChange> vector_changes(const Job& job);

// Atomic additions of whole numbers to a buffer go to a copy of its first elements in shared memory,
// and each block adds this to the buffer at its end. What lies behind the copy is added as before.
// Of buffers that the kernel uses for nothing else, in kernels that no thread leaves early.
std::vector<SourceChange> histogram_changes(const Job& job);

}  // namespace lanewise
