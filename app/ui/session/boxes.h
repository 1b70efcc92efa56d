// What one frame drew and where, as JSON for scripts: --boxes, --texts. Read from the audit, which
// must have listened.
#pragma once
#include <string>

#include "ui/kit/audit.h"

namespace lanewise::ui {

// A list of {kind, label, x, y, w, h} in pixels of the window, of what can be seen of each: the
// figures, the largest first, then the widgets, then the texts. What is scrolled away is left out.
std::string boxes_as_json(const Audit& audit);
// A list of every text that was drawn, in the order in which it was.
std::string texts_as_json(const Audit& audit);

}  // namespace lanewise::ui
