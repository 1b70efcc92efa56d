#!/bin/sh
# Exports stages, builds each with nvcc alone, and runs test and bench on this machine's GPU:
#   tests/gpu/export_live.sh [build/bin/lanewise-engine] [STAGE…]
# Prints a line for each test and bench; status 1 where one is wrong, 77 without nvcc or a GPU.
set -eu
engine=$(realpath "${1:-build/bin/lanewise-engine}")
[ $# -gt 0 ] && shift
command -v nvcc >/dev/null || { echo "there is no nvcc"; exit 77; }
nvidia-smi >/dev/null 2>&1 || { echo "there is no GPU"; exit 77; }
[ $# -gt 0 ] || set -- transpose transpose/00_copy transpose/30_padded transpose/60_tuned \
    transpose/70_shuffle transpose/82_async matmul/10_naive_product matmul/22_padded_tiles \
    matmul/32_double_buffered matmul/42_mma_sync reduction/00_interleaved reduction/50_vector \
    reduction/60_atomics
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
status=0
for stage; do
    out=$folder/$(echo "$stage" | tr / _)
    "$engine" export "$stage" --out "$out" >/dev/null
    cd "$out"
    nvcc -arch=native -O3 -o test test.cu
    nvcc -arch=native -O3 -o bench bench.cu
    printf '%-28s ' "$stage"
    ./test || status=1
    printf '%-28s ' "$stage"
    ./bench || status=1
    cd - >/dev/null
done
exit $status
