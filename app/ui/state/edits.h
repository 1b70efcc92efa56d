// The learner's own versions of the stages: typed in the code view, tried as they are typed, kept
// as files of their own. While the chosen stage has one, it stands in for the catalogue's: the
// pictures, the counts, the gate and Run are of it. Its id ends in kEditedMark, so that no
// recording and no bar of the ladder is taken for its.
#pragma once
#include <filesystem>
#include <map>
#include <string>

#include "ui/state/app.h"

namespace lanewise::ui {

inline constexpr const char* kEditedMark = " (edited)";
// Seconds after the last key until what was typed is compiled.
inline constexpr double kTypingRest = 0.11;

// The catalogue's source of the chosen stage, and what is in the editor now.
const std::string& original_source(const App& app);
const std::string& typed_source(const App& app);
bool is_edited(const App& app);  // they differ

// Opens or closes the editor of the chosen stage. A kernel of the user's own is edited in the
// user's own editor: its file is watched.
void open_editor(App& app);
void close_editor(App& app);  // what was typed is settled first

// The text box holds another text now. Nothing is compiled before settle_edit().
void type_source(App& app, const std::string& text);
// The same from anywhere else: the text box takes it up.
void replace_source(App& app, const std::string& text);
// Makes what was typed the chosen stage and writes it to its file. Cheap where nothing is pending.
void settle_edit(App& app);
// Settles it when the hand rests. `now`: the window's seconds; call it once per frame.
void settle_typing(App& app, double now);
double typing_due(const App& app, double now);  // seconds until then; negative: nothing is typed
// Back to the catalogue's source; a second call takes the learner's back.
void reset_edit(App& app);

// ---- files: <folder>/<operation>/<stem>.cu
// Reads those of the catalogue's stages; others are left alone. What cannot be read becomes a
// notice.
void read_edits(App& app, const std::filesystem::path& folder);
// Called by choose_stage: the learner's version of the stage, where there is one.
void take_up_edit(App& app);

}  // namespace lanewise::ui
