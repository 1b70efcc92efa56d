// What the presenter's one window has in common with the two of two screens.
#pragma once
#include <string_view>

#include "ui/desk/presenter.h"

namespace lanewise::ui {

inline constexpr float kPresenterBar = 40, kPresenterMargin = 28;  // points

// Everything becomes so large; in steps, so that a window that is dragged larger does not bake its
// fonts at every frame.
void adopt_presented_size(float wanted);

// Letters, since "who is for 2?" is unclear where 2 is the third choice; the keys are digits.
std::string_view letter_of(size_t index);
std::string_view hands_in_words(int all);
int hands_up_for(const Presenter& p, size_t choice);  // 0 where nobody has counted
int hands_up(const Presenter& p);                     // of all choices together

// Where in the lesson, and the clock; `time`: of the day, empty: not shown.
void draw_presenter_bar(App& app, double now, std::string_view time);

// Where a scene that moves stands. `buttons`: and how to move it.
void draw_moment(App& app, bool buttons);

}  // namespace lanewise::ui
