// What lies over the window: the sheet of keys, the chooser of files, a word in passing.
#pragma once
#include "ui/state/app.h"

namespace lanewise::ui {

void draw_key_sheet(App& app);  // key_sheet.cpp
void draw_chooser(App& app);    // chooser.cpp
void draw_settings(App& app);   // view_settings.cpp
void draw_toast(App& app, double now);

// A centred panel of so many pixels; end it with ImGui::End(). focus: it takes the keyboard now.
void begin_overlay(const char* name, float width, float height, bool focus);

}  // namespace lanewise::ui
