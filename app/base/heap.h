// Memory that is free, given back to the system. malloc keeps what is freed below its arenas' tops,
// and more of it the larger the blocks were that it gave out: after some large pictures a process
// holds twice or three times what it uses.
#pragma once
#include <cstdint>
#include <mutex>

namespace lanewise {

// What is resident of this process; 0 where the system does not say.
uint64_t resident_bytes();
// What malloc has handed out and was not freed, of all threads; 0 where it does not say.
uint64_t heap_bytes();

// Call after_work() where a piece of work has ended and nobody waits for the next. It gives free
// memory back as soon as the process has grown by `step` since the last time: that costs some
// milliseconds, and what follows must fetch its pages anew (a quarter of a second for a gigabyte);
// the many small pieces of work in between pay ten microseconds. Safe to call from several threads.
// To make one sets thresholds of malloc's for the whole process: make it before the large work.
class HeapTrimmer {
  public:
    explicit HeapTrimmer(uint64_t step = uint64_t{8} << 20);
    bool after_work();  // whether it gave something back

  private:
    std::mutex mutex_;
    uint64_t step_, least_ = 0;  // resident bytes when it last ended
};

}  // namespace lanewise
