#!/bin/sh
# ./lanewise bench: the program's own speed, then the ladder where there is a GPU.
# Arguments go to each benchmark program, e.g. --benchmark_filter=interpret.
set -eu
for program in build/bin/bench_*; do
    printf '\n== %s\n' "$(basename "$program")"
    "$program" "$@"
done
if command -v Xvfb >/dev/null && command -v xdotool >/dev/null; then
    printf '\n== the real window at rest, and in use (some minutes)\n'
    python3 tests/bench/window_use.py build/bin/lanewise idle 5
    python3 tests/bench/window_use.py build/bin/lanewise use
fi
printf '\n== the ladder on this machine'\''s GPU\n'
status=0
build/bin/lanewise-engine bench || status=$?
if [ "$status" = 4 ]; then
    exit 0  # no GPU here; the engine has said so and what to do
fi
exit "$status"
