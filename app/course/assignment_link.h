// A link that opens an assignment, in the window and in the page:
//   lanewise://1/assignment?text=…&check=1a2b3c4d
// The text is the handout's (course/assignment.h), percent-encoded; what a link is besides, and what
// `check` is, ui/desk/share.h says.
#pragma once
#include <string>

#include "course/assignment.h"

namespace lanewise {

inline constexpr const char* kAssignmentPlace =
    "assignment";                               // where a stage's id stands otherwise
inline constexpr size_t kLongestLink = 65'536;  // bytes

// Throws Error(bad_input) where it would be longer than a link may be: its starts are too long, and
// its file is to be handed out.
std::string assignment_link(const Assignment& assignment);

// What ends each link: the low half of hash() over all before, so that one that was cut is noticed.
std::string link_check(std::string_view link);

}  // namespace lanewise
