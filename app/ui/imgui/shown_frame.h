// Whether a frame that Dear ImGui has built is the one that the screen shows already. After each event a few
// frames are built until everything has settled, and most of them are the same. A browser without a GPU
// draws for tens of milliseconds, and calls the page the later the more it has to draw.
#pragma once
#include <imgui.h>

#include <cstdint>

namespace lanewise::ui {

class ShownFrame {
  public:
    // True where `data` draws just what the frame before did, so that it need not be drawn. `atlas`: the
    // fonts' texture; a frame that draws another one, whose pixels may have changed, never counts as the same.
    bool is(const ImDrawData& data, unsigned atlas);
    void forget() { known_ = false; }  // the screen, or the fonts' texture, holds something else now

  private:
    uint64_t digest_ = 0;
    bool known_ = false;
};

}  // namespace lanewise::ui
