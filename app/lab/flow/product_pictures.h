// What the pictures of a product's stage show: which lane holds what, how often each element is
// fetched, and how a block walks along K. All of it comes from interpreting the stage's own kernel
// (lab/product/product_probe.h).
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "lab/job/job.h"
#include "lab/product/product_probe.h"

namespace lanewise {

// The product that stands for the job's in pictures: its own shape where that can be interpreted in
// some seconds, else one whose sides are at most 256, with the same edges left over from tiles of
// any power of two up to 128.
ProductSize pictured_size(const Job& job);

// Where to look; what does not exist is clamped to what does.
struct ProductPlace {
    uint32_t block = 0, warp = 0;
    uint64_t product = 0;  // of that warp with tensor cores, from 0
    bool operator==(const ProductPlace&) const = default;
};

struct ProductPictures {
    std::string stage;
    ProductSize size;                      // that the pictures are of
    ProductPlace place;                    // as it was clamped
    std::vector<ReuseMap> reuse;           // of A, B and C; empty where it was not asked for
    TileWalk walk;                         // of the place's block
    std::optional<FragmentMap> fragments;  // none where the warp uses no tensor cores
    uint32_t multiplying = 0;  // where there are none: bit w for each warp of the block that does
    std::string instruction;   // that makes the product, as PTX has it
};

// `job` is of a product that can be interpreted. The reuse takes runs of the whole launch, up to a
// second or two; the rest a few of one block. Throws as prepare() does.
ProductPictures product_pictures(const Job& job, ProductPlace place = {}, bool with_reuse = true);

// What the maps of reuse are of, and what a fetch is: "M = 256, N = 256, K = 256, the whole
// launch".
std::string reuse_caption(const ProductPictures& pictures);

void to_json(nlohmann::json&, const ProductPictures&);
void from_json(const nlohmann::json&, ProductPictures&);

}  // namespace lanewise
