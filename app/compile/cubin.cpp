#include "compile/cubin.h"

#include <algorithm>

#include "base/error.h"
#include "compile/elf.h"

namespace lanewise {

// .nv.info is a list of attributes; those of one kernel that we read. Numbers as printed by
// `readelf` of cubins whose needs `ptxas -v` had told.
static constexpr uint8_t kSizedFormat = 4, kFrameSize = 0x11, kRegisterCount = 0x2f;
// From sm_90 on, .nv.shared.<kernel> includes the system's 1 KiB; such cubins have this section.
static constexpr std::string_view kReservedSection = ".nv.shared.reserved.0";
static constexpr uint64_t kReservedBytes = 1024;

// The value of `attribute` for symbol `kernel` in .nv.info, or -1.
static int64_t kernel_attribute(std::string_view info, uint8_t attribute, int64_t kernel) {
    for (uint64_t at = 0; at + 4 <= info.size();) {
        auto format = Elf::read<uint8_t>(info, at), kind = Elf::read<uint8_t>(info, at + 1);
        uint64_t size = format == kSizedFormat ? Elf::read<uint16_t>(info, at + 2) : 0;
        if (format == kSizedFormat && kind == attribute && size >= 8 &&
            Elf::read<uint32_t>(info, at + 4) == kernel)
            return Elf::read<uint32_t>(info, at + 8);
        at += 4 + size;
    }
    return -1;
}

KernelResources kernel_resources(std::string_view cubin, std::string_view entry) {
    if (cubin.empty()) return {};
    Elf elf(cubin);
    const Elf64_Shdr* code = elf.section(".text." + std::string(entry));
    if (!code) throw Error(Status::bad_input, "the cubin has no kernel " + std::string(entry));
    KernelResources result;
    // Before sm_90 the count is also the high byte of the code section's sh_info; later it is not.
    result.registers_per_thread = static_cast<int>(code->sh_info >> 24);
    result.local_bytes = 0;
    const Elf64_Shdr* info = elf.section(".nv.info");
    int64_t symbol = elf.symbol(entry);
    if (info && symbol >= 0) {
        std::string_view attributes = elf.contents(*info);
        if (int64_t count = kernel_attribute(attributes, kRegisterCount, symbol); count >= 0)
            result.registers_per_thread = static_cast<int>(count);
        if (int64_t frame = kernel_attribute(attributes, kFrameSize, symbol); frame >= 0)
            result.local_bytes = static_cast<int>(frame);
    }
    if (const Elf64_Shdr* shared = elf.section(".nv.shared." + std::string(entry))) {
        uint64_t reserved = elf.section(kReservedSection) ? kReservedBytes : 0;
        result.static_shared_bytes =
            static_cast<int>(shared->sh_size > reserved ? shared->sh_size - reserved : 0);
    }
    return result;
}

std::string without_ptx_text(std::string cubin) {
    Elf elf(cubin);
    const Elf64_Shdr* text = elf.section(".nv_debug_ptx_txt");
    if (!text) return cubin;
    size_t bytes = elf.contents(*text).size();
    std::fill_n(cubin.begin() + static_cast<std::ptrdiff_t>(text->sh_offset), bytes, '\0');
    return cubin;
}

std::vector<CubinPart> cubin_parts(std::string_view cubin) {
    std::vector<CubinPart> parts;
    try {
        const Elf elf(cubin);
        for (auto [name, contents] : elf.sections()) {
            const bool is_code = name.starts_with(".text.");
            if (contents.empty() || !(is_code || name == ".debug_line" || name == ".nv_debug_line_sass"))
                continue;
            parts.push_back({is_code ? CubinPart::Kind::code : CubinPart::Kind::lines,
                             static_cast<size_t>(contents.data() - cubin.data()), contents.size()});
        }
    } catch (const Error&) {
        return {};
    }
    std::sort(parts.begin(), parts.end(), [](const CubinPart& a, const CubinPart& b) { return a.begin < b.begin; });
    for (size_t i = 1; i < parts.size(); ++i)
        if (parts[i].begin - parts[i - 1].begin < parts[i - 1].bytes) return {};
    return parts;
}

}  // namespace lanewise
