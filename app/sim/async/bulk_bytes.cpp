#include "sim/async/bulk_bytes.h"

#include <cstring>
#include <type_traits>

#include "sim/async/async_copy.h"

namespace lanewise {

namespace {

// f(width), where the usual width is a constant: a copy of so many bytes is one instruction then.
template <class F>
void with_width(uint32_t width, F f) {
    if (width == 16)
        f(std::integral_constant<size_t, 16>{});
    else
        f(size_t{width});
}

// f(buffer, offset in it, offset in the copy's bytes, how many) for what follows each other in one
// buffer of global memory.
template <class F>
void each_run(BlockMemory& memory, const BulkPieces& pieces, F f) {
    const Memory::Buffer*& buffer = memory.recent;
    const std::vector<BulkPiece>& all = pieces.cut().all;
    size_t width = pieces.width();
    for (const BulkCut::Run& run : pieces.cut().runs) {
        uint64_t address = all[run.first].global + pieces.base();
        size_t at = run.first * width, rest = run.count * width;
        while (rest > 0) {
            // Buffers may touch each other: then piece by piece.
            const Memory::Buffer* whole = memory.global->find(address, rest, buffer);
            size_t bytes = whole ? rest : width;
            buffer = whole ? whole : memory.global->find(address, width, buffer);
            f(*buffer, address - buffer->address, at, bytes);
            address += bytes;
            at += bytes;
            rest -= bytes;
        }
    }
}

}  // namespace

void read_global(BlockMemory& memory, const BulkPieces& pieces, std::byte* to) {
    each_run(memory, pieces,
             [&](const Memory::Buffer& buffer, uint64_t from, size_t at, size_t bytes) {
                 if (buffer.storage)
                     std::memcpy(to + at, buffer.storage + from, bytes);
                 else
                     read_unique(from, to + at, static_cast<uint32_t>(bytes));
             });
}

void write_global(BlockMemory& memory, const BulkPieces& pieces, const std::byte* from) {
    each_run(memory, pieces,
             [&](const Memory::Buffer& buffer, uint64_t to, size_t at, size_t bytes) {
                 std::memcpy(buffer.storage + to, from + at, bytes);
             });
}

void read_shared(const BlockMemory& memory, const BulkPieces& pieces, std::byte* to) {
    with_width(pieces.width(), [&](auto width) {
        for (const BulkPiece& piece : pieces.cut().all) {
            std::memcpy(to, memory.shared + piece.shared, width);
            to += width;
        }
    });
}

void write_shared(BlockMemory& memory, const BulkPieces& pieces, const std::byte* from) {
    with_width(pieces.width(), [&](auto width) {
        for (const BulkPiece& piece : pieces.cut().all) {
            std::memcpy(memory.shared + piece.shared, from, width);
            from += width;
        }
    });
}

}  // namespace lanewise
