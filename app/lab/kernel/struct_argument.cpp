// {MEMBER,MEMBER,…} to the bytes of a struct, laid out as C++ does: each member at the next
// multiple of its alignment, the whole a multiple of the largest. And ptr[MEMBER,MEMBER,…], a
// pointer to memory that is laid out so.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "base/error.h"
#include "base/round_up.h"
#include "base/text.h"
#include "lab/kernel/kernel_arguments.h"

namespace lanewise {

namespace {

constexpr int64_t kMostAlignment = 128;  // the ABI's largest for a kernel's parameter
constexpr std::string_view kAlign = "align", kPointer = "ptr[";

// The pieces between the commas of this pair of braces or brackets; none for "". Throws where one
// is missing or one too many.
std::vector<std::string_view> members_of(std::string_view text) {
    std::vector<std::string_view> members;
    int depth = 0;
    size_t start = 1, at = 0;
    for (; at < text.size(); ++at) {
        if (text[at] == '{' || text[at] == '[') ++depth;
        if ((text[at] == '}' || text[at] == ']') && --depth == 0) break;
        if (text[at] != ',' || depth != 1) continue;
        members.push_back(trimmed(text.substr(start, at - start)));
        start = at + 1;
    }
    bool is_struct = text[0] == '{';
    if (depth > 0 || (text[at] == '}') != is_struct)
        reject(is_struct ? "a brace is not closed; a struct is {MEMBER,MEMBER,…}"
                         : "a bracket is not closed; a pointer is ptr[MEMBER,MEMBER,…]");
    if (at + 1 != text.size())
        reject(fmt::format("\"{}\" stands behind the closing {}", text.substr(at + 1),
                           is_struct ? "brace" : "bracket"));
    std::string_view last = trimmed(text.substr(start, at - start));
    if (!members.empty() || !last.empty()) members.push_back(last);
    return members;
}

// "64*f32[1024]" -> 64, and "f32[1024]" is left.
int64_t taken_times(std::string_view& member) {
    size_t star = member.find('*');
    size_t digits = member.find_first_not_of("0123456789");
    int64_t times = 1;
    if (star == 0 || star == member.npos || digits != star) return times;
    if (!parse_integer(member.substr(0, star), times) || times < 1 ||
        times > static_cast<int64_t>(kMostParts))
        reject(fmt::format("\"{}\" is said 1 to {} times", member, with_thousands(kMostParts)));
    member.remove_prefix(star + 1);
    return times;
}

uint32_t alignment(std::string_view text) {
    int64_t bytes = 0;
    if (!parse_integer(trimmed(text), bytes) || bytes < 1 || bytes > kMostAlignment ||
        !std::has_single_bit(static_cast<uint64_t>(bytes)))
        reject(fmt::format("\"{}{}\" is no alignment: align1, align2, align4, … align{}", kAlign,
                           text, kMostAlignment));
    return static_cast<uint32_t>(bytes);
}

// How `members` lie one after another, and what they need.
struct Layout {
    uint32_t end = 0, align = 1;
};
Layout lay_out(std::string_view text, int depth, uint32_t most_bytes,
               std::vector<KernelArgument>& members) {
    Layout layout;
    size_t parts = 1;
    for (std::string_view member : members_of(text)) {
        KernelArgument read;
        int64_t times = 1;
        try {
            std::string_view one = member;
            times = taken_times(one);
            read = read_argument(std::string(one), depth + 1);
        } catch (const Error& error) {
            reject(fmt::format("member {}, \"{}\": {}", members.size() + 1, member, error.what()));
        }
        parts += static_cast<size_t>(times) * read.parts();
        if (parts > kMostParts)
            reject(fmt::format("it has more than {} members", with_thousands(kMostParts)));
        layout.align = std::max(layout.align, read.align);
        for (int64_t i = 0; i < times; ++i) {
            read.offset = round_up(layout.end, read.align);
            if (read.bytes > most_bytes || read.offset > most_bytes - read.bytes)
                reject(fmt::format("it has more than the {} bytes that {} may have",
                                   with_thousands(most_bytes),
                                   most_bytes == kMostParameterBytes ? "a kernel's parameters"
                                                                     : "what a ptr[…] points to"));
            layout.end = read.offset + read.bytes;
            members.push_back(read);
        }
    }
    return layout;
}

// Structs and pointers together.
void check_depth(int depth) {
    constexpr int kMostDepth = 16;
    if (depth >= kMostDepth)
        reject(fmt::format("structs lie in each other more than {} deep", kMostDepth));
}

}  // namespace

bool is_struct_text(std::string_view text) {
    return text.starts_with('{') || text.starts_with(kAlign);
}

size_t KernelArgument::parts() const {
    size_t total = 1;
    for (const KernelArgument& member : members) total += member.parts();
    return total;
}

KernelArgument read_struct(const std::string& text, int depth) {
    check_depth(depth);
    KernelArgument argument;
    argument.text = text;
    argument.is_struct = true;
    size_t brace = text.find('{');
    if (brace == text.npos) reject("a struct is {MEMBER,MEMBER,…}, or align16{MEMBER,MEMBER,…}");
    if (brace > 0) argument.align = alignment(text.substr(kAlign.size(), brace - kAlign.size()));
    Layout layout =
        lay_out(std::string_view(text).substr(brace), depth, kMostParameterBytes, argument.members);
    argument.align = std::max(argument.align, layout.align);
    // Of an empty struct, too, each object has an address of its own.
    argument.bytes = round_up(std::max(layout.end, 1u), argument.align);
    return argument;
}

bool is_pointer_text(std::string_view text) { return text.starts_with(kPointer); }

KernelArgument read_pointer(const std::string& text, int depth) {
    constexpr uint32_t kMostBytes = 1u << 30;
    check_depth(depth);
    KernelArgument argument;
    argument.text = text;
    argument.is_buffer = argument.is_pointer = true;
    argument.is_float = false;
    argument.bytes = argument.align = 8;
    Layout layout = lay_out(std::string_view(text).substr(kPointer.size() - 1), depth, kMostBytes,
                            argument.members);
    if (argument.members.empty()) reject("ptr[] points to nothing; say what, as ptr[f32[1024]]");
    argument.type = layout.end % 8 == 0 ? "u64" : "u8";
    argument.element_bytes = layout.end % 8 == 0 ? 8 : 1;
    argument.count = layout.end / static_cast<uint32_t>(argument.element_bytes);
    return argument;
}

}  // namespace lanewise
