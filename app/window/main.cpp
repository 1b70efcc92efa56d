// lanewise: the window. Everything it can do is in ui/; what it shows is computed by
// lanewise-engine.
#include <cstdio>

#include "base/error.h"
#include "ui/session/offscreen.h"
#include "ui/session/options.h"
#include "ui/session/window.h"
#include "ui/state/views.h"

int main(int argc, char** argv) {
    using namespace lanewise;
    try {
        ui::ParsedOptions parsed = ui::parse_options(argc, argv);
        if (parsed.finished) return parsed.status;
        if (parsed.options.list_views)
            for (const ui::View& view : ui::views()) std::printf("%-8s %s\n", view.id, view.title);
        else if (parsed.options.offscreen)
            ui::draw_offscreen(parsed.options);
        else
            ui::run_window(parsed.options);
        return 0;
    } catch (const Error& error) {
        std::fprintf(stderr, "lanewise: %s\n", error.what());
        return static_cast<int>(error.status());
    }
}
