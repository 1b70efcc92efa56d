// Textures and surfaces of one and two dimensions by their objects: tex, suld, sust, txq and suq (PTX
// manual 9.7.10, 9.7.11). No load/store unit takes part, so that observers hear of no access.
//
// What a texture gives follows the CUDA programming guide, appendix "Texture Fetching". Coordinates
// without normalisation count elements. A linear filter takes the elements around the coordinate less
// a half; its weights are rounded to 8 bits of fraction, and the sum is of 32-bit floats, in an order
// that the guide leaves open. tex1Dfetch gives 0 outside. Elements with fewer than four channels are
// filled up with 0, 0, 1.
//
// Op: a: the row of objects; b, c: the coordinates'; vector: the values' rows, `elements` of them, each of
// `bytes` bytes; targets: dimensions. Textures: c_flip: coordinates are floats; target: Texture::Numbers
// of the result. Surfaces: target: SurfaceOutside.
#pragma once
#include <cstdint>

#include "sim/memory/texture.h"
#include "sim/warp/warp.h"

namespace lanewise {

// What an access outside a surface does: a fault, the nearest element, or nothing (a load gives 0).
enum class SurfaceOutside : uint8_t { trap, clamp, zero };

void run_texture(Warp& w, const Op& op);
void run_surface_load(Warp& w, const Op& op);
void run_surface_store(Warp& w, const Op& op);
// op.target: 0: the width, 1: the height, in elements.
void run_texture_query(Warp& w, const Op& op);

}  // namespace lanewise
