// What a launch leaves in a buffer, for somebody to compare: --save NAME=FILE.
#pragma once
#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

#include "lab/kernel/buffer_fill.h"
#include "lab/machine/prepared.h"

namespace lanewise {

struct SavedBuffer {
    std::string name;  // "out", "p.in", "A[2]", as findings have it
    std::filesystem::path file;
};

// "out=result.txt". Throws Error(bad_input).
SavedBuffer read_saved_buffer(const std::string& text);

// One element a line, integers as such, floats so that they read back the same.
std::string elements_as_text(std::span<const std::byte> bytes, const ElementType& type);

// Writes the file: elements_as_text() where its name ends in .txt, else the bytes as they lie.
// Throws Error(bad_input) where the launch has no such buffer, with those that it has, or where the
// file cannot be written.
void save_buffer(const StageLaunch& launch, const SavedBuffer& saved);

}  // namespace lanewise
