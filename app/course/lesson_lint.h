// What is wrong with a lesson's text: for the tests and for whoever writes lessons.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "course/catalogue.h"
#include "course/lesson.h"

namespace lanewise {

// lessons/<operation>/<stem>.md of the catalogue's content folder.
std::filesystem::path lesson_path(const Catalogue& catalogue, const Stage& stage);

// Stages without a lesson and lessons without a stage, one sentence each; empty when all are
// paired.
std::vector<std::string> unpaired(const Catalogue& catalogue);

// One sentence per problem, each naming the lesson; empty when the lesson is fine:
//   a loss that the model does not know
//   a link that leads nowhere: a view not in `view_ids`, a stage or lesson that does not exist, a
//   knob setting that is not offered, quoted code that the stage's source does not hold exactly
//   once, a {{query}}, a prediction's answer or a gate that cannot be evaluated, a setting of its
//   solution that is not offered fewer than two choices, a choice twice, or one that is no number
//   like the answer's (of a scene's question: an answer that is none of them) a number in front of
//   sectors, wavefronts, GB/s, % …: the app computes or measures those. Only a block quote may hold
//   published figures, and must name their card
std::vector<std::string> lesson_problems(const Lesson& lesson, const Stage& stage,
                                         const Catalogue& catalogue,
                                         const std::vector<std::string>& view_ids);

}  // namespace lanewise
