// Which element of A, B and C each lane of a warp holds in which register when it multiplies with
// tensor cores: read off the machine's execution, whatever the kernel did to bring them there.
//
// The elements say it themselves. The kernel is run on matrices whose values are coordinates
// (lab/product/product_probe.h), and a FragmentReader takes down what the registers hold at one product.
#pragma once
#include <cstdint>
#include <vector>

#include "sim/event/event.h"

namespace lanewise {

// An element of the whole matrix; row -1: none, as where a tile is filled with zeros.
struct HeldElement {
    int row = -1, col = -1;
    bool operator==(const HeldElement&) const = default;
};

// Where registers is 0 no lane holds it: wgmma reads `held` from shared memory, for all lanes.
struct HeldFragment {
    static constexpr int kDepth = 16;     // of what wgmma reads
    int registers = 0, per_register = 0;  // of each lane; elements of a register
    // Lane by lane, register by register, low half first. Of what wgmma reads: line by line (rows
    // of A, columns of B), kDepth elements each.
    std::vector<HeldElement> held;
    std::vector<uint32_t> addresses = {};  // likewise, in bytes of shared memory; else empty
    int swizzle = 0;                       // bytes of its pattern: 0, 32, 64 or 128
    const HeldElement& at(int lane, int r, int i) const {
        return held[static_cast<size_t>((lane * registers + r) * per_register + i)];
    }
};

struct FragmentMap {
    uint32_t instruction = 0;  // index into ptx::Kernel::instructions
    HeldFragment a, b, c;      // of A (row, k), of B (k, col), of C (row, col)
    uint64_t products = 0;     // that the warp makes in all
    uint32_t warp = 0;         // of the block
    // wgmma: what each of the warpgroup's four warps has of A and of C; else empty.
    struct WarpPart {
        HeldFragment a, c;
    };
    std::vector<WarpPart> group = {};
};

// What the registers held at the `product`-th product (from 0) of one warp of the block it is run
// over: raw numbers, a fragment as HeldFragment::held orders it.
class FragmentReader : public Observer {
  public:
    FragmentReader(uint32_t warp, uint64_t product) : warp_(warp), product_(product) {}
    void on_product(const ProductEvent& event) override;

    bool found() const { return seen_ > product_; }
    uint64_t products() const { return seen_; }  // of that warp, so far
    uint32_t instruction() const { return instruction_; }
    struct Numbers {
        int registers = 0, per_register = 0;
        std::vector<double> numbers;
        std::vector<uint32_t> addresses = {};  // HeldFragment's
        int swizzle = 0;
    };
    const Numbers& a() const { return fragments_[0]; }
    const Numbers& b() const { return fragments_[1]; }
    const Numbers& c() const { return fragments_[2]; }

  private:
    uint32_t warp_;
    uint64_t product_, seen_ = 0;
    uint32_t instruction_ = 0;
    Numbers fragments_[3];
};

// The elements of a fragment from two readings of it: one of a run in which each number was its
// element's row plus one, and one in which it was its column plus one.
HeldFragment held_fragment(const FragmentReader::Numbers& rows,
                           const FragmentReader::Numbers& cols);

}  // namespace lanewise
