// What content there is: read_content() reads it, and an assignment changes its lessons (assignment_work.h).
#pragma once
#include <vector>

#include "course/catalogue.h"
#include "course/lesson.h"
#include "lab/micro/staircase.h"
#include "lab/record/counted.h"
#include "lab/record/published.h"
#include "lab/record/recording.h"
#include "model/device_profile.h"

namespace lanewise::ui {

struct Content {
    Catalogue catalogue;
    std::vector<Lesson> lessons;  // one per stage
    std::vector<Recording> recordings;
    std::vector<CounterRecording> counter_recordings;
    std::vector<PublishedFigure> published;
    std::vector<Staircase> staircases;    // recorded ones
    std::vector<DeviceProfile> profiles;  // of every card that is known
};

}  // namespace lanewise::ui
