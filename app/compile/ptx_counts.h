// PTX with its numbers told from those before: for packing. A compiler numbers registers, labels and
// lines in turn, so that a loop that it unrolled is the same text again and again but for them. Told as
// how many further they are than the last of their kind the copies are equal, and pack to nothing:
//
//     add.s32 %r17, %r16, 4;        add.s32 %r+, %r+, 4;
//     add.s32 %r18, %r17, 4;        add.s32 %r+, %r+, 4;
//
// Of a kind are the numbers of one name after one character: registers that are written begin a
// line's operands, and are counted apart from those that are read.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace lanewise {

// Any text, which needs not be PTX.
std::string ptx_counted(std::string_view ptx);

// Of ptx_counted(ptx): ptx. nullopt for what it cannot have made.
std::optional<std::string> ptx_restored(std::string_view counted);

}  // namespace lanewise
