#include "ui/plain/wide_characters.h"

#include <algorithm>

namespace lanewise::ui {
namespace {

// From the end of the private use area, U+F8FF, downwards; fonts of icons begin at its other end.
constexpr unsigned kLast = 0xf8ff, kMost = 4096;
constexpr size_t kBytes = 3, kWideBytes = 4;

std::string stand_in(size_t index) {
    unsigned c = kLast - static_cast<unsigned>(index);
    return {static_cast<char>(0xe0 | c >> 12), static_cast<char>(0x80 | (c >> 6 & 0x3f)),
            static_cast<char>(0x80 | (c & 0x3f))};
}

// Which one stands at `at`; kMost: none.
size_t index_of_stand_in(std::string_view text, size_t at) {
    auto byte = [&](size_t i) { return static_cast<unsigned char>(text[at + i]); };
    if (at + kBytes > text.size() || byte(0) < 0xee || byte(0) > 0xef) return kMost;
    unsigned c = (byte(0) & 0xfu) << 12 | (byte(1) & 0x3fu) << 6 | (byte(2) & 0x3fu);
    return c <= kLast && c > kLast - kMost ? kLast - c : kMost;
}

// Bytes of the character at `at` that is to be stood in for; 0: it may stand as it is. A stand-in
// that the text itself holds needs one, too.
size_t bytes_to_hold(std::string_view text, size_t at) {
    if ((text[at] & 0xf8) == 0xf0) return at + kWideBytes <= text.size() ? kWideBytes : 0;
    return index_of_stand_in(text, at) < kMost ? kBytes : 0;
}

}  // namespace

std::string WideCharacters::boxed(std::string_view text) {
    std::string result;
    result.reserve(text.size());
    for (size_t at = 0; at < text.size();) {
        auto lead = static_cast<unsigned char>(text[at]);
        size_t bytes = lead < 0xee ? 0 : bytes_to_hold(text, at);
        if (bytes == 0) {
            result += text[at++];
            continue;
        }
        std::string character(text.substr(at, bytes));
        auto found = std::find(held_.begin(), held_.end(), character);
        auto index = static_cast<size_t>(found - held_.begin());
        if (found == held_.end() && held_.size() < kMost) held_.push_back(character);
        result += index < kMost ? stand_in(index) : character;
        at += bytes;
    }
    return result;
}

std::string WideCharacters::unboxed(std::string_view boxed) const {
    if (held_.empty()) return std::string(boxed);
    std::string result;
    result.reserve(boxed.size());
    for (size_t at = 0; at < boxed.size();) {
        size_t index = index_of_stand_in(boxed, at);
        if (index < held_.size()) {
            result += held_[index];
            at += kBytes;
        } else {
            result += boxed[at++];
        }
    }
    return result;
}

size_t WideCharacters::boxed_place(std::string_view text, size_t byte) {
    return boxed(text.substr(0, std::min(byte, text.size()))).size();
}

size_t WideCharacters::unboxed_place(std::string_view boxed, size_t byte) const {
    if (held_.empty()) return byte;
    return unboxed(boxed.substr(0, std::min(byte, boxed.size()))).size();
}

}  // namespace lanewise::ui
