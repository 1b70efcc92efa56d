// A lesson's scenes and links held to the machine: each names one access, no two are one picture,
// and what a scene expects holds at its setting. For the tests and for whoever writes lessons.
#pragma once
#include <string>
#include <vector>

#include "course/scenes.h"
#include "lab/job/job.h"

namespace lanewise {

// What the machine is asked for a scene: what the scene does not name is as the stage begins.
Job scene_job(const Stage& stage, const Scene& scene);

// One sentence per problem, each naming the stage and the scene or link; empty when all is fine.
//   an `at` that fits no access or several, which are listed; two scenes that show one access at
//   one setting under two names; two that show the same of it in the same view; an `expect` that
//   does not hold, or that cannot be asked
// Interprets a block for each scene that names an access or expects anything, and one for the links
// ("at:…") of the lesson's text. Nothing is asked of a stage that cannot be interpreted.
std::vector<std::string> access_problems(const Lesson& lesson, const std::vector<Scene>& scenes,
                                         const Stage& stage);

}  // namespace lanewise
