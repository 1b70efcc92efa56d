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

CopyCounts& CopyCounts::operator+=(const CopyCounts& other) {
    instructions += other.instructions;
    requests += other.requests;
    sectors += other.sectors;
    sectors_ideal += other.sectors_ideal;
    wavefronts += other.wavefronts;
    wavefronts_ideal += other.wavefronts_ideal;
    bytes += other.bytes;
    tag_sectors += other.tag_sectors;
    return *this;
}

BulkCounts& BulkCounts::operator+=(const BulkCounts& other) {
    instructions += other.instructions;
    sectors += other.sectors;
    sectors_ideal += other.sectors_ideal;
    bytes += other.bytes;
    return *this;
}

Counts& Counts::operator+=(const Counts& other) {
    global_load += other.global_load;
    global_store += other.global_store;
    shared_load += other.shared_load;
    shared_store += other.shared_store;
    global_atomic += other.global_atomic;
    global_reduction += other.global_reduction;
    shared_atomic += other.shared_atomic;
    async_copy += other.async_copy;
    matrix_load += other.matrix_load;
    bulk_load += other.bulk_load;
    bulk_store += other.bulk_store;
    return *this;
}

}  // namespace lanewise
