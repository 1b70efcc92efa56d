// What a multiprocessor has room for, by name: "sm_90.threads". A lesson's question and a stage's
// requirement ask the occupancy tables (model/occupancy.h), so that no limit is typed in.
#pragma once
#include <cstdint>
#include <string_view>

namespace lanewise {

// sm_NN, a dot, and threads, blocks, registers, shared_bytes or shared_bytes_per_block. False where
// the name is none of these, or the tables do not know the architecture.
bool look_up_limit(std::string_view name, int64_t& value);

}  // namespace lanewise
