#include "lab/report/access_drawing.h"

#include <algorithm>

#include "figure/drawing/figures.h"

namespace lanewise {
namespace {

const InstructionReport& instruction_of(const Picture& picture, const TracedAccess& access) {
    return picture.report.instructions[access.instruction];
}

double cost(const TracedAccess& a) {
    return a.wavefronts ? double(a.wavefronts) / std::max(1, a.wavefronts_ideal)
                        : double(a.sectors) / std::max(1, a.sectors_ideal);
}

}  // namespace

std::string knobs_in_words(const KnobValues& knobs) {
    std::string words;
    for (const auto& [name, value] : knobs)
        words += (words.empty() ? "" : ", ") + name + " = " + std::to_string(value);
    return words;
}

int dearest_access(const Picture& picture, Space space, bool is_store) {
    int dearest = -1;
    for (size_t i = 0; i < picture.block.accesses.size(); ++i) {
        const TracedAccess& access = picture.block.accesses[i];
        const InstructionReport& instruction = instruction_of(picture, access);
        if (instruction.space != space || instruction.is_store != is_store) continue;
        if (dearest < 0 ||
            cost(access) > cost(picture.block.accesses[static_cast<size_t>(dearest)]))
            dearest = static_cast<int>(i);
    }
    return dearest;
}

int first_access(const Picture& picture, Space space, bool is_store) {
    for (size_t i = 0; i < picture.block.accesses.size(); ++i) {
        const InstructionReport& instruction = instruction_of(picture, picture.block.accesses[i]);
        if (instruction.space == space && instruction.is_store == is_store)
            return static_cast<int>(i);
    }
    return -1;
}

int64_t row_length(const Picture& picture, const Stage& stage, bool is_store) {
    return is_store && stage.reference == "transpose" ? picture.rows : picture.cols;
}

Drawing warp_drawing(const Picture& picture, int access, int64_t matrix_cols, float width) {
    WarpFigureInput input;
    input.block = &picture.block;
    input.report = &picture.report;
    input.access = access;
    input.element_bytes = picture.element_bytes;
    input.block_x = picture.launch.block.x;
    input.block_y = picture.launch.block.y;
    input.width = width;
    input.matrix_cols = matrix_cols;
    return warp_figure(input, measure_approximately);
}

Drawing bank_drawing(const Picture& picture, int access, const std::string& title, float width,
                     float height) {
    BankFigureInput input;
    input.block = &picture.block;
    input.report = &picture.report;
    input.access = access;
    input.rows = picture.tile.rows;
    input.cols = picture.tile.cols;
    input.pitch = picture.tile.pitch;
    input.element_bytes = picture.element_bytes;
    input.title = title;
    input.width = width;
    input.height = height;
    return bank_figure(input, measure_approximately);
}

Drawing side_by_side(const Drawing& left, const Drawing& right, float width) {
    Drawing both;
    both.width = width;
    both.height = std::max(left.height, right.height);
    both.add(left, {0, 0});
    both.add(right, {width - right.width, 0});
    return both;
}

}  // namespace lanewise
