// The engine for a browser's Worker: what `lanewise-engine serve` is elsewhere. The page's side,
// engine-host.js, puts the content into the file system, calls lanewise_start() and then hands in the
// frames of protocol.h that the window sends.
#include <emscripten.h>

#include <cstdlib>
#include <memory>

#include "base/error.h"
#include "service/single_server.h"
#include "web/page_methods.h"

EM_JS(void, hand_out, (const char* bytes, size_t count),
      { Module.onframe(HEAPU8.slice(bytes >>> 0, (bytes >>> 0) + count)); });

namespace {
std::unique_ptr<lanewise::SingleServer> server;
}  // namespace

extern "C" {

EMSCRIPTEN_KEEPALIVE void lanewise_start() {
    server = std::make_unique<lanewise::SingleServer>(
        lanewise::page_service(),
        [](const std::string& frame) { hand_out(frame.data(), frame.size()); });
    server->greet();
}

// 0 where the bytes cannot be understood; an error with id 0 has been handed out then.
EMSCRIPTEN_KEEPALIVE int lanewise_take(const char* bytes, size_t count) {
    try {
        server->take({bytes, count});
        return 1;
    } catch (const lanewise::Error&) {
        return 0;
    }
}

// 0 where nothing waits.
EMSCRIPTEN_KEEPALIVE int lanewise_work() { return server->work_one(); }

}  // extern "C"

int main() {
    // Where engine-host.js puts the content; nothing here lasts longer than the page.
    ::setenv("LANEWISE_HOME", "/lanewise", 1);
    ::setenv("XDG_CACHE_HOME", "/cache", 1);
    return 0;
}
