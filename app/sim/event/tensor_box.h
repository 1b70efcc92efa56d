// A box of a tensor, cut into the pieces in which a bulk copy moves it.
#pragma once
#include <array>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sim/event/event.h"
#include "sim/memory/tensor_map.h"

namespace lanewise {

inline constexpr int64_t kAlignInRow = 16;  // of the bytes of a row before the box

// Cuts boxes, and remembers how: kernels ask for the same few boxes in every block, only elsewhere
// in the tensor.
class TensorBoxes {
  public:
    // As decoded(), but null for none; valid until the next call.
    const TensorMap* map(std::span<const std::byte> bytes);

    // The box that begins at `start` (in elements), at `shared` in shared memory. The rows of the
    // box one after another, each in pieces that lie wholly within the tensor or wholly outside. A
    // store writes whole 16 bytes over the end of a row, as an H200 does
    // (tests/lab/golden_bulk_test.cpp).
    BulkPieces cut(const TensorMap& map, const std::array<int64_t, 5>& start, uint64_t shared,
                   bool to_shared);
    // The same of a map for im2col: a row for each pixel. Those behind the last image are outside.
    BulkPieces cut_im2col(const TensorBox& box, uint64_t shared, bool to_shared);

  private:
    struct Known {
        TensorMapBytes bytes{};
        TensorMap map;
    };
    // A box that lies within the tensor, its pieces' places counted from its first byte.
    struct Pattern {
        TensorMap map;
        uint64_t shared = 0;
        bool to_shared = false;
        std::shared_ptr<const BulkCut> cut;
    };
    static constexpr size_t kMost = 16;
    std::vector<Known> maps_;
    std::vector<Pattern> patterns_;
    size_t oldest_map_ = 0, oldest_pattern_ = 0;
};

}  // namespace lanewise
