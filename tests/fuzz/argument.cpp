// Any text as an --arg, and as a source that has a struct P: what is read lies in its struct as C++
// has it, and what is suggested for P can be read.
#include <array>

#include "fuzz.h"
#include "lab/kernel/kernel_arguments.h"

namespace lanewise {

static void check(const KernelArgument& argument) {
    if (argument.bytes == 0 || argument.bytes % argument.align != 0) __builtin_trap();
    // A pointer's members lie in its buffer, which is aligned to more than any.
    uint64_t end = 0, bytes = argument.is_pointer ? argument.own_bytes() : argument.bytes;
    for (const KernelArgument& member : argument.members) {
        if (member.offset < end || member.offset % member.align != 0) __builtin_trap();
        end = member.offset + member.bytes;
        if (end > bytes) __builtin_trap();
        if (!argument.is_pointer && member.align > argument.align) __builtin_trap();
        check(member);
    }
    if (argument.parts() > kMostParts) __builtin_trap();
}

void fuzz(std::string_view bytes) {
    std::string text(bytes);
    refusing([&] {
        KernelArgument argument = parse_argument(text);
        check(argument);
        if (argument.is_buffer && argument.fill.kind != BufferFill::Kind::unique_words &&
            argument.fill.kind != BufferFill::Kind::file) {
            std::array<std::byte, 64> some{};
            fill_buffer(some, argument.fill, *find_element_type(argument.type), {});
        }
    });
    StructMember layout = struct_in_source(text, "P");
    std::string form = struct_form(layout, [](const StructMember&) { return "u8:1"; });
    if (layout.is_struct) check(parse_argument(form));
}

}  // namespace lanewise
