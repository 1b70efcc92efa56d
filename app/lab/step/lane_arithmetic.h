// C's operators on 32 lanes at once; lane_expression.cpp says which. Private to this room.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "lab/step/lane_values.h"

namespace lanewise {

// sign: one of - + ~ !
LaneValues lane_unary(char sign, const LaneValues& of);
// By C's conversions; not && and ||. Lanes that divide by zero have no value, and are added to
// `divided_by_zero`.
LaneValues lane_binary(std::string_view sign, const LaneValues& left, const LaneValues& right,
                       uint32_t& divided_by_zero);
LaneValues lane_choice(uint32_t yes_lanes, const LaneValues& yes, const LaneValues& no);
LaneValues lane_truth(uint32_t true_lanes, uint32_t known);
// What is left of it in an element of this type: (unsigned char) 257 is 1.
LaneValues narrowed(LaneValues values, std::string_view element);

// min, max, abs, fminf, fmaxf, fabsf, sqrtf, __popc, __ffs, __clz and their like.
bool is_lane_function(std::string_view name, size_t arguments);
LaneValues lane_function(std::string_view name, const std::vector<LaneValues>& given);

}  // namespace lanewise
