#include "lab/flow/flow_parts.h"

#include "lab/flow/block_walk.h"

namespace lanewise {

// Where nobody says how the kernel lays its shared memory out: words in rows of 32.
static constexpr int kRowBytes = 128;

static SharedTiles tiles_of_matrices(const Picture& picture,
                                     const std::vector<FlowMatrix>& matrices) {
    std::vector<int64_t> row_bytes(picture.block.buffers.size());
    for (const FlowMatrix& matrix : matrices)
        row_bytes[static_cast<size_t>(matrix.buffer)] = matrix.cols * matrix.element_bytes;
    int pitch = picture.tile.rows > 0 ? picture.tile.pitch * picture.element_bytes : kRowBytes;
    SharedTiles tiles = shared_tiles(picture.block, picture.report, row_bytes, pitch);
    return has_tiles_of_matrices(tiles) ? tiles : SharedTiles();
}

FlowParts flow_parts(const Picture& picture, const Job& job) {
    FlowParts parts;
    parts.life = block_life(picture.block, picture.report);
    for (const MatrixShape& shape : matrices_of(job))
        for (size_t i = 0; i < picture.block.buffers.size(); ++i)
            if (picture.block.buffers[i].name == shape.name)
                parts.matrices.push_back(
                    {shape.name, static_cast<int>(i), shape.rows, shape.cols, shape.element_bytes,
                     touched_box(picture.block, picture.report, static_cast<int>(i), shape.cols,
                                 shape.element_bytes)});
    parts.tiles = tiles_of_matrices(picture, parts.matrices);
    return parts;
}

FlowFigureInput flow_input(const Picture& picture, const FlowParts& parts, int step, float width) {
    FlowFigureInput input;
    input.block = &picture.block;
    input.report = &picture.report;
    input.life = &parts.life;
    input.step = step;
    input.matrices = parts.matrices;
    const bool tile = picture.tile.rows > 0;
    input.tile_rows =
        tile ? picture.tile.rows
             : static_cast<int>((picture.block.shared_bytes + kRowBytes - 1) / kRowBytes);
    input.tile_pitch = tile ? picture.tile.pitch : kRowBytes / 4;
    input.tile_element_bytes = tile ? picture.element_bytes : 4;
    if (!parts.tiles.tiles.empty()) input.tiles = &parts.tiles;
    input.width = width;
    return input;
}

}  // namespace lanewise
