// Which characters the fonts are baked with: what the program and its lessons write, and whatever
// else comes to be drawn, as the user's own kernels, paths and messages may hold any.
#pragma once
#include <imgui.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace lanewise::ui {

// Call it for every text that is drawn. Where it holds a character that was never asked for, the
// fonts are baked again before the next frame (look().fonts_changed); costs next to nothing else.
void want_glyphs(std::string_view text);
// Before the first frame: for now only what most texts are of, which is baked in a third of the time.
// Another character that is drawn brings all that the program writes; so does want_all_glyphs().
void want_few_glyphs();
void want_all_glyphs();
// As Dear ImGui wants them: pairs of first and last, and 0. Stand until the next want_glyphs().
const ImWchar* glyph_ranges();
// Call it once the atlas is finished: looks which of those asked for no font has.
void take_stock_of_glyphs();

// One sentence, where no font has a character of `text`: which, and that only the picture of it is
// missing. Else empty. `name`: what the text is, "own.cu".
std::string missing_glyphs(std::string_view text, std::string_view name);
uint64_t glyph_stock();    // changes where missing_glyphs() may say something else
uint64_t glyphs_wanted();  // changes where another look than look() has to bake its fonts again too
void forget_glyphs();      // of the user's texts; for a new context
}  // namespace lanewise::ui
