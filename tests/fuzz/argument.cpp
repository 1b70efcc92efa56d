// Any text as an --arg, and as a source that has a struct P: what is read lies in its struct as C++
// has it, and what is suggested for P can be read.
#include "fuzz.h"
#include "lab/kernel_arguments.h"

namespace lanewise {

static void check(const KernelArgument& argument) {
    if (argument.bytes == 0 || argument.bytes % argument.align != 0) __builtin_trap();
    uint32_t end = 0;
    for (const KernelArgument& member : argument.members) {
        if (member.offset < end || member.offset % member.align != 0) __builtin_trap();
        end = member.offset + member.bytes;
        if (end > argument.bytes || member.align > argument.align) __builtin_trap();
        check(member);
    }
}

void fuzz(std::string_view bytes) {
    std::string text(bytes);
    refusing([&] { check(parse_argument(text)); });
    StructMember layout = struct_in_source(text, "P");
    std::string form = struct_form(layout, [](const StructMember&) { return "u8:1"; });
    if (layout.is_struct) check(parse_argument(form));
}

}  // namespace lanewise
