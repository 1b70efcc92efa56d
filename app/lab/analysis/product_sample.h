// A few blocks of a product that is too long to interpret whole, held against the reference: at the
// corners and edges of C, and spread over the rest. What they compute is compared element by
// element, as of a whole launch; of the elements of other blocks only that some block writes them
// is known (block_owners.h).
#pragma once
#include <span>
#include <string>
#include <vector>

#include "lab/analysis/block_owners.h"
#include "lab/machine/prepared.h"
#include "lab/product/product.h"

namespace lanewise {

class ProductSample {
  public:
    // Of up to so many blocks. Throws as BlockOwners.
    ProductSample(const Job& job, const PreparedKernel& prepared, const LaunchShape& launch,
                  uint64_t blocks, int threads, const CancelFlag* cancel);

    const std::vector<uint64_t>& blocks() const { return blocks_; }  // in order
    // Fills A and B, and poisons what the blocks have to write. The rest of C holds zeros.
    void prepare(StageLaunch& launch, int threads, const CancelFlag* cancel) const;
    // Compares that, and fills in correct, mismatch, error, sample and findings; says in a note
    // what is wrong beside elements. Throws Error(bad_input) where the blocks wrote elsewhere too.
    void judge(std::span<const std::byte> c, Analysis& analysis, int threads,
               const CancelFlag* cancel) const;

    // What it takes of this machine's memory, the operands among it.
    static uint64_t host_bytes(const Product& product);

  private:
    void poison(std::span<std::byte> c) const;
    struct Part {  // of C, by one block
        std::vector<uint64_t> elements;
    };
    struct Held {
        uint64_t element;
        double value, magnitude;
    };
    std::vector<Held> references(int threads, const CancelFlag* cancel) const;
    void note_unwritten(Analysis& analysis) const;

    Product product_;
    uint64_t of_blocks_ = 0, elements_ = 0;
    uint64_t unwritten_ = 0, first_unwritten_ = 0;
    std::vector<uint64_t> blocks_;
    std::vector<Part> parts_;  // by blocks_
    std::vector<Finding> findings_;
};

// The blocks that own C's corners, places along its edges, and others anywhere, from a fixed seed:
// `most` different ones where there are so many. owner: as BlockOwners::of().
std::vector<uint64_t> choose_blocks(std::span<const uint32_t> owner, int64_t rows, int64_t cols,
                                    uint64_t blocks, uint64_t most);

// What a sample in which nothing is wrong shows, in one sentence.
std::string in_words(const BlockSample& sample);

// How many suit a look in between: 64, or fewer where each does much of the product, but 4.
uint64_t blocks_to_sample(const Job& job);

}  // namespace lanewise
