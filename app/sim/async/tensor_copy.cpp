#include "sim/async/tensor_copy.h"

#include <algorithm>
#include <bit>
#include <string>

#include "base/error.h"
#include "sim/async/async_copy.h"
#include "sim/async/async_operands.h"
#include "sim/event/tensor_box.h"
#include "sim/memory/tensor_map.h"

namespace lanewise {

namespace {

// Where a map may be: among the parameters, or in global or constant memory.
const TensorMap& map_at(const BlockMemory& memory, uint64_t address) {
    const std::byte* bytes = nullptr;
    uint64_t parameter = address - kParameterWindow;
    if (parameter < memory.argument_bytes && memory.argument_bytes - parameter >= kTensorMapBytes)
        bytes = memory.arguments + parameter;
    else if (const Memory::Buffer* buffer = memory.global->find(address, kTensorMapBytes))
        bytes = buffer->storage ? buffer->storage + (address - buffer->address) : nullptr;
    const TensorMap* map = nullptr;
    if (bytes) map = memory.copies->bulk.boxes.map({bytes, kTensorMapBytes});
    if (!map)
        throw Error(Status::bad_input,
                    "cp.async.bulk.tensor is given an address where there is no tensor map; the "
                    "launch must say which tensor the kernel's parameter describes");
    return *map;
}

// Measured on an H200: a store whose map has a corner outside the tensor is an illegal instruction
// there, wherever its pixels lie; a load takes such a map.
bool sticks_out(const TensorMap& map) {
    auto is_below = [](int32_t corner) { return corner < 0; };
    auto is_above = [](int32_t corner) { return corner > 0; };
    return std::any_of(map.lower.begin(), map.lower.end(), is_below) ||
           std::any_of(map.upper.begin(), map.upper.end(), is_above);
}

void check_map(const TensorMap& map, const AsyncOperands& operands, bool to_shared) {
    if (map.dimensions != operands.dimensions)
        throw Error(Status::bad_input, "cp.async.bulk.tensor." +
                                           std::to_string(operands.dimensions) +
                                           "d is given the map of a tensor of " +
                                           std::to_string(map.dimensions) + " dimensions");
    if (map.is_im2col != operands.is_im2col)
        throw Error(Status::bad_input,
                    operands.is_im2col
                        ? "cp.async.bulk.tensor…im2col is given the map of a tensor in boxes; the "
                          "launch must describe it for im2col: tensor:…:pixels=…:channels=…"
                        : "cp.async.bulk.tensor without .im2col is given a map for im2col; the launch "
                          "must describe it in boxes: tensor:…:box=…");
    if (map.is_im2col && !to_shared && sticks_out(map))
        throw Error(Status::bad_input,
                    "cp.async.bulk.tensor…im2col_no_offs stores by a map with a corner outside its tensor: an "
                    "illegal instruction on a card. Give it a map with no lower corner below 0 and no upper "
                    "one above 0");
}

constexpr uint64_t kBoxAlign = 128;  // of the box in shared memory

std::string misaligned_start(const TensorMap& map, const std::array<int64_t, 5>& start,
                             bool to_shared) {
    std::string at;
    for (size_t i = 0; i < map.dimensions; ++i) at += (i ? ", " : "") + std::to_string(start[i]);
    return std::string("misaligned bulk ") + (to_shared ? "load" : "store") + ": the box at {" +
           at + "} begins " + std::to_string(start[0] * map.element_bytes) +
           " bytes from the start of its row, which is no multiple of 16. The hardware stops here "
           "with an illegal instruction; make the first coordinate a multiple of " +
           std::to_string(kAlignInRow / map.element_bytes);
}

BulkCopies::Copy box_of(Warp& w, const Op& op, int lane, bool to_shared) {
    const AsyncOperands& operands = async_operands(op);
    auto n = static_cast<size_t>(lane);
    const TensorMap& map = map_at(*w.memory, operands.map.of(w)[n]);
    check_map(map, operands, to_shared);
    std::array<int64_t, 5> start{};
    for (size_t i = 0; i < operands.dimensions; ++i)
        start[i] = static_cast<int32_t>(w.words(operands.coordinates[i])[lane]);
    uint64_t shared = offset_in_shared(w, (to_shared ? operands.to : operands.from).of(w)[n]);
    BulkCopies::Copy copy;
    copy.instruction = op.instruction;
    copy.warp = w.index;
    copy.lane = static_cast<uint8_t>(lane);
    copy.to_shared = to_shared;
    copy.arriving = map.box_bytes();
    Fault fault{Fault::Kind::misaligned,
                Space::shared,
                to_shared,
                static_cast<uint8_t>(kBoxAlign),
                op.instruction,
                w.memory->block,
                w.index * kLanes + static_cast<uint32_t>(lane),
                shared};
    int64_t before = start[0] * map.element_bytes;
    if (before % kAlignInRow != 0) {
        fault.space = Space::global;
        fault.is_store = !to_shared;
        fault.bytes = static_cast<uint8_t>(kAlignInRow);
        fault.address = map.address + static_cast<uint64_t>(before);
        fault.text = misaligned_start(map, start, to_shared);
    }
    if (shared % kBoxAlign != 0 || before % kAlignInRow != 0) {
        w.memory->observer->on_fault(fault);
        return copy;
    }
    copy.box = TensorBox{map, start};
    for (size_t i = 0; operands.has_offsets && i + 2 < operands.dimensions; ++i)
        copy.box->offsets[i] = w.words(operands.offsets[i])[lane] & 0xffff;
    TensorBoxes& boxes = w.memory->copies->bulk.boxes;
    copy.pieces = map.is_im2col ? boxes.cut_im2col(*copy.box, shared, to_shared)
                                : boxes.cut(map, start, shared, to_shared);
    drop_unreachable(w, op, copy);
    return copy;
}

}  // namespace

void run_tensor_load(Warp& w, const Op& op) {
    if (w.lanes == 0) return;
    LaneAddresses32 barriers = async_operands(op).barrier.of(w);
    for (uint32_t rest = w.lanes; rest != 0; rest &= rest - 1) {
        int lane = std::countr_zero(rest);
        BulkCopies::Copy copy = box_of(w, op, lane, true);
        copy.mbarrier = offset_in_shared(w, barriers[static_cast<size_t>(lane)]);
        issue_load(w, op, async_operands(op).to.of(w)[static_cast<size_t>(lane)], std::move(copy));
    }
}

void run_tensor_store(Warp& w, const Op& op) {
    for (uint32_t rest = w.lanes; rest != 0; rest &= rest - 1)
        w.memory->copies->bulk.add(*w.memory, box_of(w, op, std::countr_zero(rest), false));
}

}  // namespace lanewise
