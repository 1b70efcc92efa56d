// Whether the program runs in a browser: no processes, no threads, no shared libraries, and files that
// the page keeps. Asked only to say so on screen; what differs is hidden behind what it differs in.
#pragma once

namespace lanewise {

#ifdef __EMSCRIPTEN__
inline constexpr bool kInBrowser = true;
#else
inline constexpr bool kInBrowser = false;
#endif

// What needs a compiler or a graphics card, in the words of the page.
inline constexpr const char* kWantsDesktop =
    "a browser compiles nothing and reaches no graphics card: the desktop program of Lanewise does "
    "both";

}  // namespace lanewise
