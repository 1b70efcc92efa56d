#include "hub/frames.h"

#include <vector>

#include "base/error.h"
#include "base/text.h"

namespace lanewise {

namespace {

constexpr size_t kLengthBytes = 4;
constexpr size_t kMostDepth = 32;  // as protocol.cpp has it
constexpr size_t kLongestWord = 128;

size_t length_of(std::string_view frame) {
    size_t length = 0;
    for (size_t i = kLengthBytes; i-- > 0;)
        length = length << 8 | static_cast<unsigned char>(frame[i]);
    return length;
}

// The head of one CBOR item (RFC 8949, section 3): its kind, and its number or how much follows.
struct Head {
    unsigned major = 0;
    uint64_t count = 0;
    unsigned char first = 0;
};

class Walk {
  public:
    explicit Walk(std::string_view body) : body_(body) {}

    bool head(Head& head) {
        if (at_ >= body_.size()) return false;
        ++items_;
        head.first = static_cast<unsigned char>(body_[at_++]);
        head.major = head.first >> 5;
        head.count = head.first & 31;
        if (head.major == 6 || head.count > 27) return false;  // tags, indefinite lengths
        if (head.count < 24) return true;
        size_t width = size_t{1} << (head.count - 24);
        if (body_.size() - at_ < width) return false;
        head.count = 0;
        for (size_t i = 0; i < width; ++i)
            head.count = head.count << 8 | static_cast<unsigned char>(body_[at_++]);
        return true;
    }

    // A text; one that is longer than words are is passed over and left empty.
    bool text(std::string& word) {
        Head item;
        return head(item) && item.major == 3 && bytes(item.count, &word);
    }

    bool bytes(uint64_t count, std::string* word) {
        if (count > body_.size() - at_) return false;
        if (word) *word = count <= kLongestWord ? body_.substr(at_, count) : std::string_view();
        at_ += count;
        return true;
    }

    // The next item with all that is in it, `depth` deep already. A loop, so that nesting costs no
    // stack.
    bool skip(size_t depth) {
        std::vector<uint64_t> open = {1};  // items still missing
        while (!open.empty()) {
            if (open.back() == 0) {
                open.pop_back();
                continue;
            }
            --open.back();
            Head item;
            if (!head(item)) return false;
            if ((item.major == 2 || item.major == 3) && !bytes(item.count, nullptr)) return false;
            if (item.major != 4 && item.major != 5) continue;
            if (item.count > body_.size() - at_) return false;  // an item has a byte at least
            open.push_back(item.major == 5 ? 2 * item.count : item.count);
            if (open.size() + depth > kMostDepth) return false;
        }
        return true;
    }

    // A map: `each` is given every name, and takes the value. Other items are passed over.
    template <typename Each>
    bool map(size_t depth, Each each) {
        size_t begin = at_;
        Head item;
        if (!head(item)) return false;
        if (item.major != 5) {
            at_ = begin;
            return skip(depth);
        }
        std::string name;
        for (uint64_t i = 0; i < item.count; ++i)
            if (!text(name) || !each(name)) return false;
        return true;
    }

    bool number(std::optional<uint64_t>& value) {
        Head item;
        if (!head(item) || item.major != 0) return false;
        value = item.count;
        return true;
    }
    bool flag(bool& value) {
        Head item;
        if (!head(item) || (item.first != 0xf4 && item.first != 0xf5)) return false;
        value = item.first == 0xf5;
        return true;
    }
    bool is_at_end() const { return at_ == body_.size(); }
    size_t items() const { return items_; }

  private:
    std::string_view body_;
    size_t at_ = 0, items_ = 0;
};

// params.job.stage.id, where that is a text.
bool find_stage_id(Walk& walk, std::string& stage) {
    return walk.map(1, [&](const std::string& in_params) {
        if (in_params != "job") return walk.skip(2);
        return walk.map(2, [&](const std::string& in_job) {
            if (in_job != "stage") return walk.skip(3);
            return walk.map(3, [&](const std::string& in_stage) {
                return in_stage == "id" ? walk.text(stage) : walk.skip(4);
            });
        });
    });
}

}  // namespace

std::optional<FrameGlance> glance_at(std::string_view frame) {
    if (frame.size() <= kLengthBytes || length_of(frame) != frame.size() - kLengthBytes)
        return std::nullopt;
    Walk walk(frame.substr(kLengthBytes));
    if ((static_cast<unsigned char>(frame[kLengthBytes]) >> 5) != 5) return std::nullopt;
    FrameGlance seen;
    bool whole = walk.map(0, [&](const std::string& name) {
        if (name == "type") return walk.text(seen.type);
        if (name == "method") return walk.text(seen.method);
        if (name == "id") return walk.number(seen.id);
        if (name == "what") return walk.text(seen.what);
        if (name == "last") return walk.flag(seen.last);
        if (name == "params") return find_stage_id(walk, seen.stage);
        return walk.skip(1);
    });
    if (!whole || !walk.is_at_end() || seen.type.empty()) return std::nullopt;
    seen.items = walk.items();
    return seen;
}

std::optional<std::string> FrameCutter::next() {
    if (buffer_.size() < kLengthBytes) return std::nullopt;
    size_t whole = kLengthBytes + length_of(buffer_);
    if (whole > most_bytes_)
        throw Error(Status::bad_input,
                    "the engine's answer is " + in_bytes(whole) + " long, more than is passed on");
    if (buffer_.size() < whole) return std::nullopt;
    std::string frame = buffer_.substr(0, whole);
    buffer_.erase(0, whole);
    return frame;
}

}  // namespace lanewise
