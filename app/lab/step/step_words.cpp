#include "lab/step/step_words.h"

#include <fmt/format.h>

#include <cctype>

#include "base/text.h"

namespace lanewise {

std::string why_in_words(const StepPlace& place) {
    switch (place.why) {
        case StepStop::Why::moved:
            return "";
        case StepStop::Why::breakpoint:
            return fmt::format("Breakpoint {}, for {}.", place.breakpoint,
                               lanes_in_words(place.lanes));
        case StepStop::Why::fault:
            return fmt::format("The next instruction goes wrong, in {}.",
                               lanes_in_words(place.lanes));
        case StepStop::Why::returned:
            return fmt::format("Warp {} has returned.", place.warp);
        case StepStop::Why::launch_end:
            return "All blocks have ended. Going back still leads to any moment.";
        case StepStop::Why::start:
            return "This is the begin: there is nothing before.";
        case StepStop::Why::never_ends:
            return "The block was given up: it never ends.";
        case StepStop::Why::interrupted:
            return "Interrupted; the same command goes on.";
    }
    return "";
}

std::string written_in_words(const WrittenBy& by) {
    std::string text = fmt::format("{} is {}", by.what, by.value);
    if (!by.is_known)
        return text + ". No thread has written it so far; it holds what the launch gave it.";
    return text + fmt::format(": written by block {}, warp {}, {}, in step {}.", by.block,
                              by.write.warp, lanes_in_words(by.write.lanes),
                              with_thousands(by.write.at.step));
}

std::string error_in_words(std::string_view error) {
    std::string text(trimmed(error.substr(0, error.find('\n'))));
    if (text.empty()) return text;
    text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
    const char last = text.back();
    return last == '.' || last == '?' || last == '!' ? text : text + ".";
}

}  // namespace lanewise
