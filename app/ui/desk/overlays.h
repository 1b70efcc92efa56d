// What lies over the window: the sheet of keys, the chooser of files, a word in passing.
#pragma once
#include "ui/state/app.h"

namespace lanewise::ui {

void draw_key_sheet(App& app);  // key_sheet.cpp
void draw_chooser(App& app);    // chooser.cpp
void draw_settings(App& app);   // view_settings.cpp
void draw_toast(App& app, double now);

// One at a time: where another has just been opened, what lay there closes.
void keep_one_overlay(App& app);

// A centred panel of so many pixels, all around it dimmed; end it with ImGui::End(). focus: it takes the keyboard now.
void begin_overlay(const char* name, float width, float height, bool focus);

}  // namespace lanewise::ui
