// One row per tool that keeps something of its own in step with the state, in the order in which
// they are told.
#include "ui/class/class_link.h"
#include "ui/desk/tools.h"

namespace lanewise::ui {

static constexpr Follower kFollowers[] = {
    {.changing = remember_setting},
    {.counted = complete_runs, .measured = note_run},
    {.counted = note_badges, .answered = note_answer},
    {.answered = settle_claim},
    {.answered = tell_class_of_answer},
    {.counted = tell_of_wrong_result, .measured = tell_of_wrong_run},
};

std::span<const Follower> followers() { return kFollowers; }

}  // namespace lanewise::ui
