// PTX as typed instructions: what ptx/parser.h makes of the compiler's text.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace lanewise::ptx {

// Where an instruction comes from, as the .loc directive before it says.
struct Position {
    int file = 0;  // index into Module::files; 0 = unknown
    int line = 0, column = 0;
};

struct Instruction {
    std::string text;  // as written, without the semicolon
    Position position;
};

struct Parameter {
    std::string name;
    uint32_t offset = 0, bytes = 0;  // within the packed argument block
};

struct Kernel {
    std::string name;
    std::vector<Parameter> parameters;
    std::vector<Instruction> instructions;
    std::vector<std::string> files;  // by .file number; [0] is empty
};

}  // namespace lanewise::ptx
