#include "lab/job/operation_code.h"

namespace lanewise {

uint64_t KernelBuffer::bytes(int64_t batch) const {
    return static_cast<uint64_t>(batch * rows) * static_cast<uint64_t>(cols) *
           static_cast<uint64_t>(element_bytes(type));
}

void OperationCode::check(const Job&) const {}

uint64_t OperationCode::most_instructions_of_block(const Job&, uint64_t) const { return 0; }

std::string OperationCode::cannot_map(const Job&) const { return ""; }

uint64_t OperationCode::useful_bytes(const Job& job) const {
    MovedBytes moved = moved_bytes(job);
    return moved.read + moved.written;
}

MovedBytes moved_bytes(const Job& job) {
    MovedBytes moved;
    for (const KernelBuffer& buffer : code_of(job.stage).buffers(job)) {
        uint64_t bytes = buffer.bytes(job.batch);
        if (buffer.role != KernelBuffer::Role::output) moved.read += bytes;
        if (buffer.role != KernelBuffer::Role::input) moved.written += bytes;
    }
    return moved;
}

bool OperationCode::are_comparable(const Job& a, const Job& b) const {
    return element_bytes(a.type) == element_bytes(b.type);
}

}  // namespace lanewise
