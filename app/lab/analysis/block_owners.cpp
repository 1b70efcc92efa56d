#include "lab/analysis/block_owners.h"

#include <atomic>

#include "base/error.h"
#include "lab/product/product.h"

namespace lanewise {

namespace {

// Notes who stores to C. Safe to call from several threads.
class Writers : public Observer {
  public:
    Writers(const Memory::Buffer& c, std::vector<uint32_t>& owner) : c_(c), owner_(owner) {}
    void on_memory(const MemoryEvent& event) override {
        if (event.space != Space::global || !event.is_store) return;
        for (size_t lane = 0; lane < 32; ++lane)
            if (event.mask >> lane & 1)
                write((*event.addresses)[lane], event.bytes_per_lane, event.block + 1);
    }
    bool any_shared() const { return any_shared_; }

  private:
    void write(uint64_t address, uint64_t bytes, uint32_t block) {
        if (!c_.holds(address, bytes)) return;
        uint64_t first = (address - c_.address) / sizeof(float);
        uint64_t end = (address - c_.address + bytes + sizeof(float) - 1) / sizeof(float);
        for (uint64_t i = first; i < end; ++i) {
            uint32_t before = BlockOwners::kNobody;
            std::atomic_ref owner(owner_[i]);
            if (!owner.compare_exchange_strong(before, block, std::memory_order_relaxed) &&
                before != block)
                any_shared_.store(true, std::memory_order_relaxed);
        }
    }
    const Memory::Buffer& c_;
    std::vector<uint32_t>& owner_;
    std::atomic<bool> any_shared_ = false;
};

[[noreturn]] void refuse(const Job& job, const std::string& why) {
    throw Error(Status::bad_input, "some blocks of " + job.stage.id +
                                       " do not stand for all: " + why + "; interpret all of them");
}

bool works_together(const Counts& totals) {
    return totals.global_atomic.instructions + totals.global_reduction.instructions > 0;
}

}  // namespace

BlockOwners::BlockOwners(const Job& given, const PreparedKernel& prepared,
                         const LaunchShape& launch, int threads, const CancelFlag* cancel) {
    Job job = given;
    job.inner = 0;
    LaunchShape shape =
        launch_shape(job.stage, job.knobs, job.type, job.rows, job.cols, job.batch, job.inner);
    if (!(shape.grid == launch.grid && shape.block == launch.block))
        refuse(job, "its grid depends on K, so that several share an element");
    StageLaunch stage(job, prepared.kernel, threads);
    of_.resize(Product::elements(job.rows, job.cols));
    Writers writers(stage.memory.buffers().back(), of_);
    Report report = interpret(prepared, shape, stage, threads, cancel, {}, &writers);
    if (writers.any_shared()) refuse(job, "several write the same element");
    if (works_together(report.totals)) refuse(job, "they work together by atomics");
    bool any = false;
    for (uint32_t owner : of_) any |= owner != kNobody;
    if (!any) refuse(job, "who writes what is found out with K = 0, where none writes anything");
    findings_ = std::move(report.findings);
}

}  // namespace lanewise
