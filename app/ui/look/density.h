// A window that comes to a screen of another density, or whose user chooses another scale: the
// fonts are baked anew, and what was scrolled stays where it was.
#pragma once

namespace lanewise::ui {

// Pixels per point of the screen that the window is on; cheap where it is as before.
void adopt_density(float density);
// All lengths are now `ratio` times what they were: so is how far each list is scrolled. Dear ImGui
// knows the new heights only after a frame, so the places are kept for a few.
void scroll_along(float ratio);
void keep_scrolled_places();  // before each frame
}  // namespace lanewise::ui
