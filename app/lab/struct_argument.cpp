// {MEMBER,MEMBER,…} to the bytes of a struct, laid out as C++ does: each member at the next
// multiple of its alignment, the whole a multiple of the largest.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "base/error.h"
#include "base/text.h"
#include "lab/kernel_arguments.h"

namespace lanewise {

namespace {

constexpr int64_t kMostAlignment = 128;  // the ABI's largest for a kernel's parameter
constexpr std::string_view kAlign = "align";

[[noreturn]] void refuse(const std::string& why) { throw Error(Status::bad_input, why); }

// The pieces between the commas of this pair of braces; none for "". Throws where a brace is
// missing or one too many.
std::vector<std::string_view> members_of(std::string_view text) {
    std::vector<std::string_view> members;
    int depth = 0;
    size_t start = 1, at = 0;
    for (; at < text.size(); ++at) {
        if (text[at] == '{') ++depth;
        if (text[at] == '}' && --depth == 0) break;
        if (text[at] != ',' || depth != 1) continue;
        members.push_back(trimmed(text.substr(start, at - start)));
        start = at + 1;
    }
    if (depth > 0) refuse("a brace is not closed; a struct is {MEMBER,MEMBER,…}");
    if (at + 1 != text.size())
        refuse(fmt::format("\"{}\" stands behind the closing brace", text.substr(at + 1)));
    std::string_view last = trimmed(text.substr(start, at - start));
    if (!members.empty() || !last.empty()) members.push_back(last);
    return members;
}

uint32_t alignment(std::string_view text) {
    int64_t bytes = 0;
    if (!parse_integer(trimmed(text), bytes) || bytes < 1 || bytes > kMostAlignment ||
        !std::has_single_bit(static_cast<uint64_t>(bytes)))
        refuse(fmt::format("\"{}{}\" is no alignment: align1, align2, align4, … align{}", kAlign,
                           text, kMostAlignment));
    return static_cast<uint32_t>(bytes);
}

uint32_t rounded_up(uint32_t bytes, uint32_t align) { return (bytes + align - 1) / align * align; }

}  // namespace

bool is_struct_text(std::string_view text) {
    return text.starts_with('{') || text.starts_with(kAlign);
}

KernelArgument read_struct(const std::string& text, int depth) {
    constexpr int kMostDepth = 16;
    if (depth >= kMostDepth)
        refuse(fmt::format("structs lie in each other more than {} deep", kMostDepth));
    KernelArgument argument;
    argument.text = text;
    argument.is_struct = true;
    size_t brace = text.find('{');
    if (brace == text.npos) refuse("a struct is {MEMBER,MEMBER,…}, or align16{MEMBER,MEMBER,…}");
    if (brace > 0) argument.align = alignment(text.substr(kAlign.size(), brace - kAlign.size()));
    uint32_t end = 0;
    for (std::string_view member : members_of(std::string_view(text).substr(brace))) {
        KernelArgument& read = argument.members.emplace_back();
        try {
            read = read_argument(std::string(member), depth + 1);
        } catch (const Error& error) {
            refuse(fmt::format("member {}, \"{}\": {}", argument.members.size(), member,
                               error.what()));
        }
        read.offset = rounded_up(end, read.align);
        end = read.offset + read.bytes;
        if (end > kMostParameterBytes)
            refuse(fmt::format("it has more than the {} bytes that a kernel's parameters may have",
                               with_thousands(kMostParameterBytes)));
        argument.align = std::max(argument.align, read.align);
    }
    // Of an empty struct, too, each object has an address of its own.
    argument.bytes = rounded_up(std::max(end, 1u), argument.align);
    return argument;
}

}  // namespace lanewise
