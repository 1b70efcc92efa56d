#!/bin/sh
# ./lanewise bench: the program's own speed, then the ladder where there is a GPU.
# Arguments go to each benchmark program, e.g. --benchmark_filter=interpret.
set -eu
for program in build/bin/bench_*; do
    printf '\n== %s\n' "$(basename "$program")"
    "$program" "$@"
done
printf '\n== the ladder on this machine'\''s GPU\n'
status=0
build/bin/lanewise-engine bench || status=$?
if [ "$status" = 4 ]; then
    exit 0  # no GPU here; the engine has said so and what to do
fi
exit "$status"
