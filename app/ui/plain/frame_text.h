// Text for the frame at hand only, in memory that is kept from frame to frame: a frame like the
// last one then allocates nothing (tests/ui/shell/steady_test.cpp counts).
#pragma once
#include <fmt/format.h>

#include <string_view>

namespace lanewise::ui {

// A copy of the text that stands until the second begin_frame_text() from now.
std::string_view kept_text(std::string_view text);
std::string_view joined(std::string_view a, std::string_view b, std::string_view c = {});
std::string_view frame_text_of(fmt::string_view pattern, fmt::format_args arguments);
// As fmt::format, whose result stands as long as kept_text()'s.
template <typename... T>
std::string_view frame_text(fmt::format_string<T...> pattern, T&&... arguments) {
    return frame_text_of(fmt::string_view(pattern), fmt::make_format_args(arguments...));
}

void begin_frame_text();  // before the first widget of a frame

}  // namespace lanewise::ui
