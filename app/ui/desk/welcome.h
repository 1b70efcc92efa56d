// The first run's question: learn from zero or from the first kernel, explore, or a kernel of one's own.
#pragma once

namespace lanewise::ui {

struct App;

struct Welcome {
    bool open = false, focus_wanted = false;
};

void open_welcome(App& app);
void close_welcome(App& app);  // it is not asked again
void draw_welcome(App& app);   // view_welcome.cpp

}  // namespace lanewise::ui
