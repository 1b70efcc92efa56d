// Figures of one card by name, for a lesson's {{…}}. They come from its profile, where `calibrate` put
// them, so that none is typed in; and a lesson that asks for one says whose it is: {{card.name}}.
//   card.dram_latency_ns      how long a load from DRAM takes
//   card.l2_latency_ns        likewise from the L2 cache
//   card.dram_read_gb_per_s   the fastest reads; as many bytes in a nanosecond
//   card.dram_write_gb_per_s
//   card.sm_count             multiprocessors
//   card.warps_per_sm         for how many warps one has room
// All rounded to whole numbers.
#pragma once
#include <span>
#include <string_view>

#include "course/expression.h"
#include "model/device_profile.h"

namespace lanewise {

inline constexpr std::string_view kCardName = "card.name";  // a query of its own: it is no number

// The card called `wanted` if its figures were measured, else kModelledCard, else the first of which that is so;
// null where no card was measured.
const DeviceProfile* card_of_figures(std::span<const DeviceProfile> cards,
                                     std::string_view wanted = {});

// `names`, and those above of `card`; of null it knows none of them. Copies what it needs.
NameLookup with_card(NameLookup names, const DeviceProfile* card);

}  // namespace lanewise
