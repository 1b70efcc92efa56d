// Reads a cubin's DWARF line table: code address -> file and line. ptxas writes two of them with
// -lineinfo: .debug_line gives the CUDA source, .nv_debug_line_sass the line of the PTX text.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "compile/elf.h"

namespace lanewise {

struct LineTable {
    struct Row {  // says where the code from `address` up to the next row's comes from
        uint64_t address;
        bool is_end;  // the first address behind the code that the rows before describe
        int line;     // 1-based
        int file;     // 1-based index into files; 0 where the table names none
    };
    // In the order of addresses. Where several rows share one, the last holds: ptxas writes the
    // caller first and then what is inlined into it, as the PTX's .loc does.
    std::vector<Row> rows;
    std::vector<std::string> files;  // with their folder

    // nullptr where the table says nothing about `address`.
    const Row* at(uint64_t address) const;
    // The file of a row; empty where it has none.
    std::string file_of(const Row& row) const;
};

// The rows of the section called `name` that speak of the code section `code`, whose first byte
// has address 0. Empty where the cubin has no such table (compiled without -lineinfo). Understands
// DWARF 2 and 3; NVRTC 13.0 writes version 2. Throws Error(bad_input) where the table is malformed.
LineTable read_line_table(const Elf& elf, std::string_view name, const Elf64_Shdr& code);

}  // namespace lanewise
