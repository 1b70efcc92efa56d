#include "ui/plain/frame_text.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

namespace lanewise::ui {
namespace {

// Pieces of memory, filled one after the other; those of a frame are used again two frames later,
// so that what one frame leaves to the next (a tooltip, say) still stands in it.
class FrameMemory {
  public:
    char* take(size_t bytes) {
        while (at_ < pieces_.size() && used_ + bytes > pieces_[at_].size) {
            ++at_;
            used_ = 0;
        }
        if (at_ == pieces_.size())
            pieces_.push_back(
                {std::make_unique<char[]>(std::max(kPiece, bytes)), std::max(kPiece, bytes)});
        char* taken = pieces_[at_].memory.get() + used_;
        used_ += bytes;
        return taken;
    }
    void clear() { at_ = used_ = 0; }

  private:
    static constexpr size_t kPiece = 64 << 10;
    struct Piece {
        std::unique_ptr<char[]> memory;
        size_t size;
    };
    std::vector<Piece> pieces_;
    size_t at_ = 0, used_ = 0;
};

struct Memories {
    FrameMemory of[2];
    int now = 0;
    fmt::memory_buffer formatted;
};
Memories& memories() {
    static Memories kept;  // only one window draws
    return kept;
}

}  // namespace

std::string_view kept_text(std::string_view text) { return joined(text, {}); }

std::string_view joined(std::string_view a, std::string_view b, std::string_view c) {
    size_t size = a.size() + b.size() + c.size();
    if (size == 0) return {};
    Memories& m = memories();
    char* taken = m.of[m.now].take(size);
    char* to = taken;
    for (std::string_view part : {a, b, c}) {
        if (!part.empty()) std::memcpy(to, part.data(), part.size());
        to += part.size();
    }
    return {taken, size};
}

std::string_view frame_text_of(fmt::string_view pattern, fmt::format_args arguments) {
    fmt::memory_buffer& buffer = memories().formatted;
    buffer.clear();
    fmt::vformat_to(fmt::appender(buffer), pattern, arguments);
    return kept_text({buffer.data(), buffer.size()});
}

void begin_frame_text() {
    Memories& m = memories();
    m.now = 1 - m.now;
    m.of[m.now].clear();
}

}  // namespace lanewise::ui
