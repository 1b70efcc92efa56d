// Any text as an assignment, as it stands in a file and as a link brings it, read against the course's
// own catalogue; what was read is handed out, and that is read again as the same.
#include "course/assignment.h"

#include "base/files.h"
#include "course/assignment_link.h"
#include "course/catalogue.h"
#include "fuzz.h"

namespace lanewise {

// Without it every text would be refused, and nothing tried.
static const Catalogue& course() {
    static const Catalogue catalogue = [] {
        try {
            return Catalogue::load(content_folder());
        } catch (const Error&) {
            __builtin_trap();
        }
    }();
    return catalogue;
}

void fuzz(std::string_view bytes) {
    const std::string text(bytes);
    Assignment assignment;
    try {
        assignment = parse_assignment(text, "the assignment", course());
    } catch (const Error& error) {
        if (std::string_view(error.what()).empty()) __builtin_trap();
        return;
    }
    const std::string once = handout(assignment);
    const Assignment again = parse_assignment(once, "the handout", course());
    if (handout(again) != once || again.tasks.size() != assignment.tasks.size()) __builtin_trap();
    for (size_t i = 0; i < again.tasks.size(); ++i)
        if (again.tasks[i].start != assignment.tasks[i].start) __builtin_trap();
    refusing([&] { assignment_link(assignment); });
}

}  // namespace lanewise
