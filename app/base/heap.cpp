#include "base/heap.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace lanewise {

uint64_t resident_bytes() {
    std::FILE* file = std::fopen("/proc/self/statm", "r");
    if (!file) return 0;
    unsigned long long size = 0, resident = 0;
    if (std::fscanf(file, "%llu %llu", &size, &resident) != 2) resident = 0;
    std::fclose(file);
    return resident * static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
}

uint64_t heap_bytes() {
#ifdef __GLIBC__
    struct mallinfo2 now = ::mallinfo2();
    return now.uordblks + now.hblkhd;
#else
    return 0;
#endif
}

HeapTrimmer::HeapTrimmer(uint64_t step) : step_(step) {
#ifdef __GLIBC__
    // malloc_trim() leaves the top of every arena but the first as it is, and malloc keeps up to
    // 64 MiB there once a large block was freed: free() itself is to give those back, too. (Naming
    // one threshold fixes both: the other is the greatest that malloc would have come to.)
    constexpr int kKeptTop = 256 << 10, kOwnMapping = 32 << 20;
    ::mallopt(M_TRIM_THRESHOLD, kKeptTop);
    ::mallopt(M_MMAP_THRESHOLD, kOwnMapping);
#endif
}

bool HeapTrimmer::after_work() {
#ifdef __GLIBC__
    std::lock_guard lock(mutex_);
    uint64_t now = resident_bytes();
    if (least_ != 0 && now < least_ + step_) {
        least_ = std::min(least_, now);
        return false;
    }
    ::malloc_trim(0);
    least_ = resident_bytes();
    return true;
#else
    return false;
#endif
}

}  // namespace lanewise
