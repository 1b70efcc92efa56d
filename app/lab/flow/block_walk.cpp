#include "lab/flow/block_walk.h"

#include <algorithm>
#include <unordered_set>

#include "base/error.h"
#include "lab/job/devices.h"
#include "lab/job/operation_code.h"
#include "lab/machine/prepared.h"
#include "trace/count/rules.h"

namespace lanewise {

std::vector<MatrixShape> matrices_of(const Job& job) {
    if (job.own.is_used()) return {};
    std::vector<MatrixShape> matrices;
    for (const KernelBuffer& buffer : code_of(job.stage).buffers(job))
        matrices.push_back(
            {buffer.name, job.batch * buffer.rows, buffer.cols, element_bytes(buffer.type)});
    return matrices;
}

namespace {

// What the blocks touch, matrix by matrix.
class Walker : public Observer {
  public:
    Walker(const Memory& memory, std::vector<WalkedMatrix>& matrices) : matrices_(matrices) {
        for (const WalkedMatrix& matrix : matrices) {
            Place place;
            for (const Memory::Buffer& buffer : memory.buffers())
                if (buffer.name == matrix.shape.name)
                    place = {buffer.address, buffer.address + buffer.bytes};
            places_.push_back(place);
        }
        all_.resize(matrices.size());
        of_block_.resize(matrices.size());
        boxes_.resize(matrices.size());
    }

    void on_memory(const MemoryEvent& event) override {
        if (event.space != Space::global || event.kind == AccessKind::barrier) return;
        for (int lane = 0; lane < 32; ++lane)
            if (event.mask >> lane & 1)
                touch((*event.addresses)[static_cast<size_t>(lane)], event.bytes_per_lane);
    }

    void on_block_end(uint32_t) override {
        for (size_t i = 0; i < matrices_.size(); ++i) {
            WalkedMatrix& matrix = matrices_[i];
            all_[i].insert(of_block_[i].begin(), of_block_[i].end());
            matrix.boxes.push_back(boxes_[i]);
            matrix.sectors.push_back(static_cast<uint32_t>(of_block_[i].size()));
            matrix.together.push_back(all_[i].size());
            of_block_[i].clear();
            boxes_[i] = {};
        }
    }

  private:
    struct Place {
        uint64_t begin = 0, end = 0;
    };

    void touch(uint64_t address, uint64_t bytes) {
        for (size_t i = 0; i < places_.size(); ++i) {
            if (address < places_[i].begin || address + bytes > places_[i].end) continue;
            for (uint64_t s = address / kSectorBytes; s <= (address + bytes - 1) / kSectorBytes;
                 ++s)
                of_block_[i].insert(s);
            const MatrixShape& shape = matrices_[i].shape;
            auto size = static_cast<uint64_t>(shape.element_bytes);
            auto first = static_cast<int64_t>((address - places_[i].begin) / size);
            auto last = static_cast<int64_t>((address - places_[i].begin + bytes - 1) / size);
            boxes_[i].include(first / shape.cols, first % shape.cols);
            boxes_[i].include(last / shape.cols, last % shape.cols);
            return;
        }
    }

    std::vector<WalkedMatrix>& matrices_;
    std::vector<Place> places_;
    std::vector<std::unordered_set<uint64_t>> all_, of_block_;
    std::vector<TouchedBox> boxes_;
};

}  // namespace

uint64_t BlockWalk::resident() const {
    auto at_once = static_cast<uint64_t>(std::max(1, resident_per_sm)) *
                   static_cast<uint64_t>(std::max(1, multiprocessors));
    return std::min(at_once, grid);
}

BlockWalk walk_blocks(const Job& given, uint64_t blocks, const CancelFlag* cancel) {
    Job job = given;
    validate(job);
    if (job.own.is_used())
        throw Error(Status::bad_input,
                    "what the matrices of a kernel from outside the catalogue are is not known");
    Preparation preparation = prepare(job);
    const PreparedKernel& prepared = *preparation.kernel;
    LaunchShape launch =
        launch_shape(job.stage, job.knobs, job.type, job.rows, job.cols, job.batch, job.inner);
    const DeviceProfile& card = device_in_use();
    BlockWalk walk;
    walk.stage = job.stage.id;
    walk.grid = launch.grid.count();
    walk.card = card.name;
    walk.multiprocessors = card.sm_count;
    walk.resident_per_sm =
        occupancy(
            card, static_cast<int>(launch.block.count()), prepared.resources.registers_per_thread,
            prepared.resources.static_shared_bytes + static_cast<int>(launch.dynamic_shared_bytes))
            .blocks_per_sm;
    for (const MatrixShape& shape : matrices_of(job)) walk.matrices.push_back({shape, {}, {}, {}});
    StageLaunch stage(job, prepared.kernel);
    Walker walker(stage.memory, walk.matrices);
    uint64_t most = std::min({std::max<uint64_t>(1, blocks), walk.grid, kMostWalked}), executed = 0;
    while (walk.blocks < most && executed < kMostWalkInstructions) {
        if (cancel && *cancel) throw Cancelled{};
        executed += prepared.machine->run(launch, stage.arguments(), stage.memory, walk.blocks,
                                          walk.blocks + 1, walker);
        ++walk.blocks;
    }
    return walk;
}

std::string order_in_words(const std::vector<TouchedBox>& boxes, size_t count) {
    count = std::min(count, boxes.size());
    size_t along = 0, down = 0, diagonal = 0, steps = 0;
    for (size_t i = 1; i < count; ++i) {
        int64_t rows = boxes[i].row - boxes[i - 1].row, cols = boxes[i].col - boxes[i - 1].col;
        if (boxes[i].rows == 0 || boxes[i - 1].rows == 0 || (rows == 0 && cols == 0)) continue;
        ++steps;
        along += rows == 0 && cols > 0;
        down += cols == 0 && rows > 0;
        diagonal += rows > 0 && cols > 0;
    }
    if (steps == 0) return "";
    // A walk along rows turns at the end of each; so do the others.
    for (auto [number, words] : {std::pair{along, "along the rows"},
                                 {down, "down the columns"},
                                 {diagonal, "along diagonals"}})
        if (2 * number > steps) return words;
    return "in another order";
}

}  // namespace lanewise
