// Which charts there are of the operation that is looked at.
#pragma once
#include "ui/state/app.h"

namespace lanewise::ui {

// `chart`: index into chart_kinds().
bool chart_offered(const App& app, size_t chart);

}  // namespace lanewise::ui
