// A kernel of the planted suite's correct ones, with its result: CUDA with inline assembly, a tile
// copied by the tensor memory accelerator with a swizzle of 128 bytes and read down its columns.
#include <gtest/gtest.h>

#include <cstring>

#include "../needs.h"
#include "base/files.h"
#include "compile/compiler.h"
#include "ptx/parser.h"
#include "sim/memory/tensor_map.h"
#include "sim/warp/machine.h"

namespace lanewise {
namespace {

TEST(TensorKernel, TransposesOverASwizzledTile) {
    NEEDS_NVRTC();
    CompileOptions options;
    options.kernel = "kernel";
    options.include_folders = {TESTS_FOLDER "/planted"};
    std::string path = TESTS_FOLDER "/planted/clean/tensor_copy_swizzled_transpose.cu";
    Program program = compile({path, read_file(path)}, options);
    ptx::Kernel kernel = ptx::parse(program.ptx, program.entry);
    Memory memory;
    constexpr uint32_t kSide = 64;
    constexpr uint64_t kBytes = kSide * kSide * 4;
    uint64_t in = memory.allocate_unique_words(kBytes, "in"), out = memory.allocate(kBytes, "out");
    TensorMap map;
    map.address = in;
    map.dimensions = 2;
    map.sizes = {kSide, kSide};
    map.strides = {kSide * 4};
    map.box = {32, 32};
    map.swizzle = Swizzle::bytes_128;
    TensorMapBytes bytes = encoded(map);
    std::vector<std::byte> arguments(192);  // in, out, rows, cols; the map at 64
    std::memcpy(&arguments[0], &in, 8);
    std::memcpy(&arguments[8], &out, 8);
    std::memcpy(&arguments[16], &kSide, 4);
    std::memcpy(&arguments[20], &kSide, 4);
    std::memcpy(&arguments[64], bytes.data(), bytes.size());
    Observer nobody;
    Machine(kernel).run({{2, 2}, {32, 8}}, arguments, memory, 0, 4, nobody);
    for (uint32_t row = 0; row < kSide; ++row)
        for (uint32_t col = 0; col < kSide; ++col) {
            uint32_t word;
            std::memcpy(&word, memory.buffers()[1].storage + 4 * (col * kSide + row), 4);
            ASSERT_EQ(unique_word(row * kSide + col), word) << row << ", " << col;
        }
}

}  // namespace
}  // namespace lanewise
