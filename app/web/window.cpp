// The window for a browser. index.html and window.js prepare what it reads: content, fonts and whatever
// was kept of the last visit.
#include <emscripten.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "base/error.h"
#include "ui/session/options.h"
#include "ui/session/window.h"

EM_JS(void, page_failed, (const char* text), { Module.page.failed(UTF8ToString(text)); });

int main(int argc, char** argv) {
    using namespace lanewise;
    ::setenv("LANEWISE_HOME", "/lanewise", 1);
    ::setenv("LANEWISE_FONTS", "/fonts", 1);
    ::setenv("XDG_CACHE_HOME", "/cache", 1);
    ::setenv("XDG_STATE_HOME", "/state", 1);
    ::setenv("HOME", "/saved", 1);  // what is saved is offered for download
    if (::chdir("/saved") != 0) std::fprintf(stderr, "lanewise: nothing can be saved here\n");
    try {
        ui::ParsedOptions parsed = ui::parse_options(argc, argv);
        if (!parsed.finished) ui::run_window(parsed.options);
        return 0;
    } catch (const Error& error) {
        page_failed(error.what());
        return 0;  // the page stays, and shows it
    }
}
