// What was recorded and published of the hardware: a second part of the content, two megabytes of text
// that no picture waits for.
#pragma once
#include <filesystem>

#include "ui/state/app.h"

namespace lanewise::ui {

// Adds what lies in content/assets/recordings to what is there; a file that cannot be read becomes a
// notice. read_content() calls it. The page of a browser has these files only once the first picture
// is drawn, and calls it then, with a derive() behind it.
void read_records(App& app, const std::filesystem::path& content);

}  // namespace lanewise::ui
