// Hands the machine's events to two observers.
#pragma once
#include "sim/event/event.h"

namespace lanewise {

class Both : public Observer {
  public:
    Both(Observer& first, Observer& second) : first_(first), second_(second) {}
    void on_memory(const MemoryEvent& event) override {
        first_.on_memory(event);
        second_.on_memory(event);
    }
    void on_copy_complete(const MemoryEvent& event, std::optional<uint32_t> mbarrier) override {
        first_.on_copy_complete(event, mbarrier);
        second_.on_copy_complete(event, mbarrier);
    }
    void on_matrix_read(const MemoryEvent& event) override {
        first_.on_matrix_read(event);
        second_.on_matrix_read(event);
    }
    void on_bulk_copy(const BulkCopyEvent& event) override {
        first_.on_bulk_copy(event);
        second_.on_bulk_copy(event);
    }
    void on_bulk_access(const BulkAccess& access) override {
        first_.on_bulk_access(access);
        second_.on_bulk_access(access);
    }
    void on_bulk_complete(const BulkAccess& access, std::optional<uint32_t> mbarrier) override {
        first_.on_bulk_complete(access, mbarrier);
        second_.on_bulk_complete(access, mbarrier);
    }
    void on_bulk_done(uint32_t block, uint64_t number) override {
        first_.on_bulk_done(block, number);
        second_.on_bulk_done(block, number);
    }
    void on_mbarrier(const MbarrierEvent& event) override {
        first_.on_mbarrier(event);
        second_.on_mbarrier(event);
    }
    void on_proxy_fence(uint32_t block, uint32_t warp, uint32_t lanes) override {
        first_.on_proxy_fence(block, warp, lanes);
        second_.on_proxy_fence(block, warp, lanes);
    }
    void on_product(const ProductEvent& event) override {
        first_.on_product(event);
        second_.on_product(event);
    }
    void on_fault(const Fault& fault) override {
        first_.on_fault(fault);
        second_.on_fault(fault);
    }
    void on_arrive(uint32_t block, uint32_t warp, uint32_t barrier) override {
        first_.on_arrive(block, warp, barrier);
        second_.on_arrive(block, warp, barrier);
    }
    void on_barrier(const BarrierEvent& event) override {
        first_.on_barrier(event);
        second_.on_barrier(event);
    }
    void on_shuffle(const ShuffleEvent& event) override {
        first_.on_shuffle(event);
        second_.on_shuffle(event);
    }
    void on_warp_sync(uint32_t block, uint32_t warp, uint32_t lanes) override {
        first_.on_warp_sync(block, warp, lanes);
        second_.on_warp_sync(block, warp, lanes);
    }
    void on_print(const Print& print) override {
        first_.on_print(print);
        second_.on_print(print);
    }
    void on_warp_end(uint32_t block, uint32_t warp, uint64_t executed) override {
        first_.on_warp_end(block, warp, executed);
        second_.on_warp_end(block, warp, executed);
    }
    void on_block_end(uint32_t block) override {
        first_.on_block_end(block);
        second_.on_block_end(block);
    }

  private:
    Observer& first_;
    Observer& second_;
};

}  // namespace lanewise
