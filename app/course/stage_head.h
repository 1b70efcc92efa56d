// Reads the head of a stage: the TOML between /*--- and ---*/ and the kernel's template line.
//   title     = "Padded tile"                      for the list and the title bar
//   types     = ["f32", "f64", "f16", "u8", "f32x4"]  offered element types; default ["f32"]
//   operation = "transpose" | "matmul" | "reduction"   what it computes, where the folder does not say
//   reference = "transpose" | "copy" | "in_place"  what the output must be; default "transpose".
//                                                  A product's is always C = A * B
//   block     = ["TILE", "ROWS"]                   launch expressions (expression.h), 1 to 3, over
//   grid      = ["ceil_div(cols, TILE)", …]        knobs, rows, cols, batch, element_bytes; of a
//                                                  product M, N and K as well
//   dynamic_shared = "STAGES * 4096"               bytes of `extern __shared__` memory, likewise
//   compare   = "22_coarsened"                     stem of the stage to show beside this one
//   require   = [{ expr = "TILE % ROWS == 0", why = "ROWS must divide TILE." }]
//   arch      = "sm_90"                            the oldest architecture that can run it;
//                                                  "sm_90a": the only one
//   headers   = "cutlass" | "cub"                  what it includes beyond the toolkit's headers
//   library   = "cublas_geam" | "cublas_gemm" | "cusparse_spmm"
//                                                  no kernel: the call that the source shows; then
//                                                  neither block nor grid nor tile. gemm may have
//                                                  the knob TF32, spmm has ZEROS (percent of A's
//                                                  elements); the first choice is the default
//   [tile]  array, rows, cols, pitch               the shared array's layout, in elements
//   [[tensor]]  of = "in", box = ["32", "32"], swizzle = "128B"   a map for the tensor memory
//           accelerator, of "in" or "out", or a product's "A", "B" or "C". The kernel takes them
//           in order: (const T* in, T* out, int rows, int cols, int batch, TensorMap, …)
// A product's kernel takes (const T* A, const T* B, float* C, int M, int N, int K, TensorMap, …).
//   [knob.TILE]  choices = [8, 16, 32], help = "…" one per template parameter after the type
#pragma once
#include "course/stage.h"

namespace lanewise {

// Fills everything of `stage` that its source says; id, operation, file and path are left alone.
// Throws Error(bad_input), "FILE:LINE: …", at the first thing that is wrong. Whether every setting that
// the head offers can be launched is looked at last, and takes most of the time.
enum class Settings { looked_at, trusted };
void read_head(Stage& stage, Settings settings = Settings::looked_at);

}  // namespace lanewise
