// What the pictures of a product's stage show: which lane holds what, and how often each element
// is fetched. Both come from interpreting the stage's own kernel (lab/product_probe.h).
#pragma once
#include <optional>
#include <vector>

#include "lab/analysis.h"
#include "lab/product_probe.h"

namespace lanewise {

struct ProductPictures {
    ProductSize size;
    std::vector<ReuseMap> reuse;           // of A and of B; empty where halves cannot number them
    std::optional<FragmentMap> fragments;  // of the first warp's first product with tensor cores;
                                           // none where it makes none
};

// `job` is of a product that can be interpreted, and no side of it is above 2,000. Two runs of the
// whole launch, and four of its first block. Throws as prepare() does.
ProductPictures product_pictures(const Job& job);

}  // namespace lanewise
