// Every stage that is shipped, read once for all tests of a process, which registers the tests of every stage
// before it runs one.
#pragma once
#include <string>
#include <vector>

#include "course/catalogue.h"

namespace lanewise {

inline const Catalogue& shipped_stages() {
    static const Catalogue stages = Catalogue::load(CONTENT_FOLDER);
    return stages;
}

inline std::vector<std::string> all_stage_ids() {
    std::vector<std::string> ids;
    for (const Stage& stage : shipped_stages().stages()) ids.push_back(stage.id);
    return ids;
}

}  // namespace lanewise
