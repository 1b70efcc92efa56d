// The window's own state: where the keyboard is, what is open, what was drawn last, what is said.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "ui/part/beside.h"
#include "ui/part/sources.h"

namespace lanewise::ui {

struct SettingsPage;  // ui/state/settings.h

enum class Region { course, picture, controls };  // the columns, left to right

// Where the keyboard is. Keys, clicks and choose_view() change it.
struct Keyboard {
    Region region = Region::picture;
    Region side = Region::controls;  // the side column that a narrow window shows
    bool focus_wanted = true;        // the region is to be brought into the keyboard's focus
    bool used = false;
};

// What is open over the window or within a view. Whoever opens it closes it.
struct Open {
    bool help = false, help_focus_wanted = false;
    bool compare = false, compare_focus_wanted = false;  // the sheet to choose comparisons from
    Chooser chooser;
    std::shared_ptr<SettingsPage> settings;  // null: closed
    int proof = -1;                          // the badge whose proof is shown; -1: none
    int code_pane = 0;                       // source, PTX, SASS: the one that a small window shows
};

// Where the lists of the code stand; anew with each source.
struct SourceSight {
    int frames_to_follow = 0;
    int shown_line = 0;                         // the one last scrolled to
    int shown_ptx_for = 0, shown_sass_for = 0;  // likewise in the lists beside it
};

// What the views drew last, so that a list follows a choice once and not in every frame. A view
// changes it while it draws; nothing else depends on it.
struct Sight {
    struct {
        LaidOut access, banks, ladder, staircase, waterfall, occupancy;
    } figures;
    int hovered_line = 0;       // of the source, under the pointer in any of the code's lists
    size_t lesson_shown = 0;    // the stage whose lesson was last drawn
    size_t course_shown = 0;    // the stage that the course was scrolled to
    std::string section_shown;  // the view that the right column last scrolled to
    int list_scrolled_to[2] = {-1, -1};  // rows of the access lists already brought into sight
    SourceSight source;
};

// A word in passing at the window's foot.
struct Toast {
    std::string text;
    double since = -1;  // when it was first drawn, in the window's seconds; -1: not yet
};
inline constexpr double kToastSeconds = 3;

// What the window says of what went on.
struct Said {
    std::vector<std::string> notices;  // said once, can be closed
    Toast toast;
    std::string error;             // the last failure, for the banner
    Status failed = Status::fine;  // of the answer that error tells of; fine: of none
    std::string uncompiled;     // why nothing here can compile what is chosen, and what to install
    std::string shape_problem;  // why the rows or cols just entered were refused
};

}  // namespace lanewise::ui
