#include "trace/report.h"

namespace lanewise {

GlobalCounts& GlobalCounts::operator+=(const GlobalCounts& other) {
    instructions += other.instructions;
    requests += other.requests;
    sectors += other.sectors;
    sectors_ideal += other.sectors_ideal;
    bytes += other.bytes;
    return *this;
}

SharedCounts& SharedCounts::operator+=(const SharedCounts& other) {
    instructions += other.instructions;
    wavefronts += other.wavefronts;
    wavefronts_ideal += other.wavefronts_ideal;
    bytes += other.bytes;
    return *this;
}

Counts& Counts::operator+=(const Counts& other) {
    global_load += other.global_load;
    global_store += other.global_store;
    shared_load += other.shared_load;
    shared_store += other.shared_store;
    return *this;
}

}  // namespace lanewise
