#include "course/assignment_link.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/percent.h"

namespace lanewise {

std::string link_check(std::string_view link) { return hex(hash(link)).substr(8); }

std::string assignment_link(const Assignment& assignment) {
    std::string link = fmt::format("lanewise://1/{}?text={}", kAssignmentPlace,
                                   percent_encoded(handout(assignment)));
    link += "&check=" + link_check(link);
    if (link.size() > kLongestLink)
        throw Error(Status::bad_input,
                    fmt::format("a link to this assignment would have {} bytes, and {} are the "
                                "most: hand out its file instead (assignment handout)",
                                link.size(), kLongestLink));
    return link;
}

}  // namespace lanewise
