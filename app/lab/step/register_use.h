// Which instructions of a kernel write and read each register, and which registers stand for a
// variable of the source: by the lines that -lineinfo gives the instructions. The compiler keeps no
// names, so this can only be told where one register alone fits.
#pragma once
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "lab/step/source_variables.h"
#include "ptx/instruction.h"

namespace lanewise {

struct RegisterOrder {
    bool operator()(const ptx::Register& a, const ptx::Register& b) const {
        return a.kind != b.kind ? a.kind < b.kind : a.index < b.index;
    }
};

struct RegisterUse {
    std::vector<uint32_t> writers, readers;  // indices of instructions, in order
    std::string element;  // "f32", "i32" … as the instructions treat it; of a predicate "u8"
};

// A register that holds a variable's value once one of the instructions has written it.
struct HeldIn {
    ptx::Register reg;
    std::vector<uint32_t> writers;
    bool is_carried = false;  // from turn to turn of a loop: it is written in several places
};

class RegisterUses {
  public:
    explicit RegisterUses(const ptx::Kernel& kernel);

    const RegisterUse& of(const ptx::Register& reg) const;
    // Of "%r12". False where the kernel has none of this name.
    bool named(std::string_view name, ptx::Register& reg) const;
    const std::string& name_of(const ptx::Register& reg) const;  // "" where none is known
    const std::vector<std::string>& names() const { return names_; }

    // The instructions of the kernel that stand at one of these lines of the file.
    std::vector<uint32_t> at_lines(int file, int first, int last) const;

    // Where the variable's value is after its assignments; none where that cannot be told.
    // bytes: of the variable's type, 0 where it is not known; is_float likewise.
    std::vector<HeldIn> held_in(const SourceVariable& variable, int file, int bytes,
                                bool is_float) const;
    // The register of what a statement stores: the first element's.
    std::vector<HeldIn> stored_by(const SourceAssignment& assignment, int file) const;

  private:
    void take(const ptx::Instruction& instruction, uint32_t index);
    void take_names(const ptx::Instruction& instruction);
    std::vector<HeldIn> ends_of(const std::set<ptx::Register, RegisterOrder>& written,
                                const std::set<uint32_t>& here, bool only_next) const;
    bool fits(const ptx::Register& reg, int bytes, bool is_float) const;

    const ptx::Kernel& kernel_;
    std::map<ptx::Register, RegisterUse, RegisterOrder> uses_;
    std::map<std::string, ptx::Register, std::less<>> by_name_;
    std::map<ptx::Register, std::string, RegisterOrder> names_of_;
    std::vector<std::string> names_;
    std::map<std::pair<int, int>, std::vector<uint32_t>> by_line_;  // by file and line
};

}  // namespace lanewise
