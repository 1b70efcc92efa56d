#include "ui/imgui/shown_frame.h"

#include <cstddef>
#include <cstring>

#include "ui/imgui/imgui_compat.h"

namespace lanewise::ui {
namespace {

// A frame has half a megabyte of triangles: eight bytes at a time take some tenths of a millisecond.
class Digest {
  public:
    void add(const void* bytes, size_t count) {
        auto at = static_cast<const char*>(bytes);
        for (; count >= sizeof(uint64_t); at += sizeof(uint64_t), count -= sizeof(uint64_t)) {
            uint64_t word = 0;
            std::memcpy(&word, at, sizeof word);
            mix(word);
        }
        uint64_t rest = 0;
        std::memcpy(&rest, at, count);
        mix(rest ^ static_cast<uint64_t>(count) << 56);
    }
    uint64_t value() const { return value_; }

  private:
    // Each step can be undone, so that no two frames that differ in one word become the same.
    void mix(uint64_t word) {
        value_ = (value_ ^ word) * 0x9e3779b97f4a7c15u;  // odd; 2^64 by the golden ratio
        value_ ^= value_ >> 29;
    }
    uint64_t value_ = 0x243f6a8885a308d3u;
};

void add_list(Digest& digest, const ImDrawList& list, unsigned atlas, bool& only_atlas) {
    digest.add(list.VtxBuffer.Data, static_cast<size_t>(list.VtxBuffer.Size) * sizeof(ImDrawVert));
    digest.add(list.IdxBuffer.Data, static_cast<size_t>(list.IdxBuffer.Size) * sizeof(ImDrawIdx));
    for (const ImDrawCmd& command : list.CmdBuffer) {
        digest.add(&command.ClipRect, sizeof command.ClipRect);
        const unsigned elements[] = {command.ElemCount, command.IdxOffset, command.VtxOffset};
        digest.add(elements, sizeof elements);
        only_atlas = only_atlas && (command.ElemCount == 0 || texture_of(command) == atlas);
    }
}

}  // namespace

bool ShownFrame::is(const ImDrawData& data, unsigned atlas) {
    Digest digest;
    const ImVec2 place[] = {data.DisplayPos, data.DisplaySize, data.FramebufferScale};
    digest.add(place, sizeof place);
    const ImVec4& back = ImGui::GetStyle().Colors[ImGuiCol_WindowBg];
    digest.add(&back, sizeof back);
    bool only_atlas = true;
    for (int n = 0; n < data.CmdListsCount; ++n)
        add_list(digest, *data.CmdLists[n], atlas, only_atlas);
    const bool same = known_ && only_atlas && digest.value() == digest_;
    digest_ = digest.value();
    known_ = true;
    return same;
}

}  // namespace lanewise::ui
