// cooperative_groups (Programming Guide, section Cooperative Groups): blocks, tiles of a warp,
// coalesced threads, clusters, and the grid. grid_group::sync() uses the 8 bytes of memory that the
// driver gives a cooperative launch, as the CUDA toolkit's own header does.
#pragma once
#pragma clang system_header
#include "lanewise_cuda.h"

namespace cooperative_groups {

namespace __lw {
__LW unsigned thread_in_block() {
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
__LW unsigned threads_of_block() { return blockDim.x * blockDim.y * blockDim.z; }
__LW unsigned lane() { return __nvvm_read_ptx_sreg_laneid(); }
__LW unsigned place_in(unsigned mask) { return __popc(mask & __lanemask_lt()); }
__LW unsigned nth_lane(unsigned mask, unsigned n) {
    for (; n > 0; --n) mask &= mask - 1;
    return __ffs(mask) - 1;
}
}  // namespace __lw

// Any of the groups within a block, where it does not matter which.
class thread_group {
  public:
    __LW_MEMBER unsigned size() const { return size_; }
    __LW_MEMBER unsigned num_threads() const { return size_; }
    __LW_MEMBER unsigned thread_rank() const { return rank_; }
    __LW_MEMBER void sync() const { mask_ ? __syncwarp(mask_) : __syncthreads(); }
    __LW_MEMBER bool is_valid() const { return true; }

  protected:
    // mask: the lanes; 0 for a whole block.
    __LW_MEMBER thread_group(unsigned mask, unsigned rank, unsigned size)
        : mask_(mask), rank_(rank), size_(size) {}
    unsigned mask_, rank_, size_;
};

class thread_block : public thread_group {
  public:
    __LW_MEMBER thread_block() : thread_group(0, __lw::thread_in_block(), __lw::threads_of_block()) {}
    static __LW_MEMBER void sync() { __syncthreads(); }
    static __LW_MEMBER unsigned size() { return __lw::threads_of_block(); }
    static __LW_MEMBER unsigned num_threads() { return __lw::threads_of_block(); }
    static __LW_MEMBER unsigned thread_rank() { return __lw::thread_in_block(); }
    static __LW_MEMBER dim3 group_index() { return blockIdx; }
    static __LW_MEMBER dim3 thread_index() { return threadIdx; }
    static __LW_MEMBER dim3 group_dim() { return blockDim; }
    static __LW_MEMBER dim3 dim_threads() { return blockDim; }
};
__LW thread_block this_thread_block() { return thread_block(); }

namespace __lw {
// The driver's workspace of a cooperative launch: its size, then the barrier. 0 in any other launch.
__LW unsigned* grid_workspace() {
    unsigned high, low;
    asm("mov.u32 %0, %%envreg1;" : "=r"(high));
    asm("mov.u32 %0, %%envreg2;" : "=r"(low));
    return (unsigned*)((unsigned long long)high << 32 | low);
}
}  // namespace __lw

class grid_group {
  public:
    using arrival_token = unsigned;
    __LW_MEMBER bool is_valid() const { return __lw::grid_workspace() != nullptr; }
    __LW_MEMBER void sync() const { barrier_wait(barrier_arrive()); }
    // The barrier's top bit changes when all blocks have come: the first one adds 2^31 less the
    // number of the others, each of which adds 1.
    __LW_MEMBER arrival_token barrier_arrive() const {
        unsigned* barrier = here();
        unsigned before = 0;
        __syncthreads();
        if (__lw::thread_in_block() == 0) {
            unsigned mine = block_rank() == 0 ? 0x80000000u - ((unsigned)num_blocks() - 1) : 1;
            asm volatile("atom.add.release.gpu.u32 %0, [%1], %2;"
                         : "=r"(before) : "l"(barrier), "r"(mine) : "memory");
        }
        return before;
    }
    __LW_MEMBER void barrier_wait(arrival_token&& before) const {
        unsigned* barrier = here();
        if (__lw::thread_in_block() == 0) {
            unsigned now;
            do asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(now) : "l"(barrier) : "memory");
            while (((now ^ before) & 0x80000000u) == 0);
        }
        __syncthreads();
    }
    __LW_MEMBER unsigned long long size() const { return num_blocks() * __lw::threads_of_block(); }
    __LW_MEMBER unsigned long long num_threads() const { return size(); }
    __LW_MEMBER unsigned long long num_blocks() const {
        return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
    }
    __LW_MEMBER unsigned long long block_rank() const {
        return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    }
    __LW_MEMBER unsigned long long thread_rank() const {
        return block_rank() * __lw::threads_of_block() + __lw::thread_in_block();
    }
    __LW_MEMBER dim3 group_dim() const { return gridDim; }
    __LW_MEMBER dim3 dim_blocks() const { return gridDim; }
    __LW_MEMBER dim3 block_index() const { return blockIdx; }
    __LW_MEMBER dim3 thread_index() const { return threadIdx; }

  private:
    // As the toolkit's, it stops a kernel that was not launched for it.
    __LW_MEMBER unsigned* here() const {
        unsigned* workspace = __lw::grid_workspace();
        if (workspace == nullptr) asm volatile("trap;");
        return workspace + 1;
    }
};
__LW grid_group this_grid() { return grid_group(); }

// ---- threads of one warp
template <unsigned n, class Parent = void>
class thread_block_tile : public thread_group {
    static_assert(n <= 32 && (n & (n - 1)) == 0, "tiles of 1, 2, 4, 8, 16 or 32 threads are known");
    static constexpr unsigned kAll = n == 32 ? 0xffffffffu : (1u << n % 32) - 1;

  public:
    __LW_MEMBER thread_block_tile()
        : thread_group(kAll << (__lw::lane() & ~(n - 1)), __lw::lane() & (n - 1), n) {}
    __LW_MEMBER void sync() const { __syncwarp(mask_); }
    static constexpr __LW_MEMBER unsigned size() { return n; }
    static constexpr __LW_MEMBER unsigned num_threads() { return n; }
    static __LW_MEMBER unsigned thread_rank() { return __lw::thread_in_block() & (n - 1); }
    static __LW_MEMBER unsigned meta_group_rank() { return __lw::thread_in_block() / n; }
    static __LW_MEMBER unsigned meta_group_size() { return (__lw::threads_of_block() + n - 1) / n; }
    template <class T> __LW_MEMBER T shfl(T v, int rank) const { return __shfl_sync(mask_, v, rank, n); }
    template <class T> __LW_MEMBER T shfl_up(T v, unsigned by) const { return __shfl_up_sync(mask_, v, by, n); }
    template <class T> __LW_MEMBER T shfl_down(T v, unsigned by) const { return __shfl_down_sync(mask_, v, by, n); }
    template <class T> __LW_MEMBER T shfl_xor(T v, unsigned by) const { return __shfl_xor_sync(mask_, v, by, n); }
    __LW_MEMBER int any(int said) const { return n == 32 ? __any_sync(mask_, said) : ballot(said) != 0; }
    __LW_MEMBER int all(int said) const { return n == 32 ? __all_sync(mask_, said) : ballot(said) == kAll; }
    __LW_MEMBER unsigned ballot(int said) const { return here(__ballot_sync(mask_, said)); }
    template <class T> __LW_MEMBER unsigned match_any(T v) const { return here(__match_any_sync(mask_, v)); }
    template <class T> __LW_MEMBER unsigned match_all(T v, int& all) const {
        return here(__match_all_sync(mask_, v, &all));
    }
    __LW_MEMBER unsigned __mask() const { return mask_; }

  private:
    __LW_MEMBER unsigned here(unsigned lanes) const { return (lanes & mask_) >> (__lw::lane() & ~(n - 1)); }
};

class coalesced_group : public thread_group {
  public:
    __LW_MEMBER explicit coalesced_group(unsigned mask)
        : thread_group(mask, __lw::place_in(mask), __popc(mask)) {}
    __LW_MEMBER void sync() const { __syncwarp(mask_); }
    __LW_MEMBER unsigned meta_group_rank() const { return 0; }
    __LW_MEMBER unsigned meta_group_size() const { return 1; }
    template <class T> __LW_MEMBER T shfl(T v, unsigned rank) const {
        return __shfl_sync(mask_, v, __lw::nth_lane(mask_, rank));
    }
    template <class T> __LW_MEMBER T shfl_up(T v, unsigned by) const {
        return __shfl_sync(mask_, v, rank_ < by ? __lw::lane() : __lw::nth_lane(mask_, rank_ - by));
    }
    template <class T> __LW_MEMBER T shfl_down(T v, unsigned by) const {
        return __shfl_sync(mask_, v,
                           rank_ + by >= size_ ? __lw::lane() : __lw::nth_lane(mask_, rank_ + by));
    }
    __LW_MEMBER int any(int said) const { return __any_sync(mask_, said); }
    __LW_MEMBER int all(int said) const { return __all_sync(mask_, said); }
    __LW_MEMBER unsigned ballot(int said) const { return packed(__ballot_sync(mask_, said)); }
    template <class T> __LW_MEMBER unsigned match_any(T v) const { return packed(__match_any_sync(mask_, v)); }
    template <class T> __LW_MEMBER unsigned match_all(T v, int& all) const {
        return packed(__match_all_sync(mask_, v, &all));
    }
    __LW_MEMBER unsigned __mask() const { return mask_; }

  private:
    __LW_MEMBER unsigned packed(unsigned lanes) const {  // bit r: the thread of rank r
        unsigned r = 0;
        for (unsigned i = 0; i < size_; ++i) r |= ((lanes >> __lw::nth_lane(mask_, i)) & 1) << i;
        return r;
    }
};
__LW coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }

template <unsigned n, class Parent>
__LW thread_block_tile<n, Parent> tiled_partition(const Parent&) {
    return thread_block_tile<n, Parent>();
}
__LW coalesced_group tiled_partition(const thread_block&, unsigned n) {
    unsigned all = n == 32 ? 0xffffffffu : (1u << n % 32) - 1;
    return coalesced_group(all << (__lw::lane() & ~(n - 1)));
}
__LW coalesced_group tiled_partition(const coalesced_group& group, unsigned n) {
    unsigned mask = 0, first = group.thread_rank() / n * n;
    for (unsigned i = first; i < first + n && i < group.size(); ++i)
        mask |= 1u << __lw::nth_lane(group.__mask(), i);
    return coalesced_group(mask);
}
template <class Group, class Label>
__LW coalesced_group labeled_partition(const Group& group, Label label) {
    return coalesced_group(__match_any_sync(group.__mask(), label));
}
template <class Group>
__LW coalesced_group binary_partition(const Group& group, bool said) {
    unsigned lanes = __ballot_sync(group.__mask(), said);
    return coalesced_group(said ? lanes : group.__mask() & ~lanes);
}

template <class Group> __LW void sync(const Group& group) { group.sync(); }
template <class Group> __LW unsigned thread_rank(const Group& group) { return group.thread_rank(); }
template <class Group> __LW unsigned group_size(const Group& group) { return group.size(); }

#if __CUDA_ARCH__ >= 900
class cluster_group {
    static __LW_MEMBER unsigned here() {
        unsigned r;
        asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(r));
        return r;
    }

  public:
    struct arrival_token {};
    static __LW_MEMBER arrival_token barrier_arrive() {
        asm volatile("barrier.cluster.arrive;" ::: "memory");
        return {};
    }
    static __LW_MEMBER void barrier_wait() { asm volatile("barrier.cluster.wait;" ::: "memory"); }
    static __LW_MEMBER void barrier_wait(arrival_token&&) { barrier_wait(); }
    static __LW_MEMBER void sync() { barrier_arrive(), barrier_wait(); }
    static __LW_MEMBER unsigned block_rank() { return here(); }
    static __LW_MEMBER unsigned num_blocks() {
        unsigned r;
        asm volatile("mov.u32 %0, %%cluster_nctarank;" : "=r"(r));
        return r;
    }
    static __LW_MEMBER dim3 dim_blocks() {
        unsigned x, y, z;
        asm volatile("mov.u32 %0, %%cluster_nctaid.x;" : "=r"(x));
        asm volatile("mov.u32 %0, %%cluster_nctaid.y;" : "=r"(y));
        asm volatile("mov.u32 %0, %%cluster_nctaid.z;" : "=r"(z));
        return dim3(x, y, z);
    }
    static __LW_MEMBER dim3 block_index() {
        unsigned x, y, z;
        asm volatile("mov.u32 %0, %%cluster_ctaid.x;" : "=r"(x));
        asm volatile("mov.u32 %0, %%cluster_ctaid.y;" : "=r"(y));
        asm volatile("mov.u32 %0, %%cluster_ctaid.z;" : "=r"(z));
        return dim3(x, y, z);
    }
    static __LW_MEMBER unsigned thread_rank() {
        return block_rank() * __lw::threads_of_block() + __lw::thread_in_block();
    }
    static __LW_MEMBER dim3 thread_index() {
        dim3 block = block_index();
        return dim3(block.x * blockDim.x + threadIdx.x, block.y * blockDim.y + threadIdx.y,
                    block.z * blockDim.z + threadIdx.z);
    }
    static __LW_MEMBER dim3 dim_threads() {
        dim3 blocks = dim_blocks();
        return dim3(blocks.x * blockDim.x, blocks.y * blockDim.y, blocks.z * blockDim.z);
    }
    static __LW_MEMBER unsigned num_threads() { return num_blocks() * __lw::threads_of_block(); }
    static __LW_MEMBER unsigned size() { return num_threads(); }
    template <class T>
    static __LW_MEMBER T* map_shared_rank(T* at, int rank) {
        T* r;
        asm volatile("mapa.u64 %0, %1, %2;" : "=l"(r) : "l"(at), "r"(rank));
        return r;
    }
    static __LW_MEMBER unsigned query_shared_rank(const void* at) {
        unsigned r;
        asm volatile("getctarank.u64 %0, %1;" : "=r"(r) : "l"(at));
        return r;
    }
};
__LW cluster_group this_cluster() { return cluster_group(); }
#endif

}  // namespace cooperative_groups
