// Every stage that is shipped, read once for all tests of a process, which registers the tests of every stage
// before it runs one.
#pragma once
#include "course/catalogue.h"

namespace lanewise {

inline const Catalogue& shipped_stages() {
    static const Catalogue stages = Catalogue::load(CONTENT_FOLDER);
    return stages;
}

}  // namespace lanewise
