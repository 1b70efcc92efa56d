#include "ui/launch/launch.h"

#include "lab/flow/bytes_path.h"

namespace lanewise::ui {

bool bytes_shown(const App& app) { return app.chosen().tab == "bytes"; }
bool issues_shown(const App& app) { return app.chosen().tab == "issues"; }

// The card that the model is for; null where its profile is not here.
static const DeviceProfile* card_of(const App& app) {
    for (const DeviceProfile& profile : app.content.profiles)
        if (profile.name == app.of_launch()->prediction.device) return &profile;
    return nullptr;
}

BytesFigureInput bytes_input(const App& app, float width, float height) {
    BytesFigureInput input = bytes_of(*app.of_launch(), card_of(app));
    input.width = width;
    input.height = height;
    return input;
}

}  // namespace lanewise::ui
