#!/bin/sh
# ./lanewise fuzz [SECONDS]: runs every fuzz target for so long, two at a time, on a copy of its
# corpus. Stops with the path of the input that broke a target; the copies keep what was found new.
set -eu
seconds=${1:-60}
case $seconds in
    '' | *[!0-9]* | 0) echo "usage: ./lanewise fuzz [SECONDS]" >&2; exit 2 ;;
esac
here=$PWD
work=$here/build-fuzz/work
mkdir -p "$work"

# One target: fuzz_one PROGRAM. An input may take 10 seconds and 1 GB.
fuzz_one='
    name=$(basename "$1"); name=${name#fuzz_}
    seeds=$2/tests/fuzz/corpus/$name
    mkdir -p "$3/$name"
    words=$2/tests/fuzz/$name.dict
    [ -f "$words" ] && dictionary=-dict=$words || dictionary=
    if "$1" -max_total_time="$4" -timeout=10 -rss_limit_mb=2048 -malloc_limit_mb=1024 \
            -max_len=65536 -print_final_stats=1 $dictionary -artifact_prefix="$3/$name-" \
            "$3/$name" "$seeds" >"$3/$name.log" 2>&1; then
        runs=$(sed -n "s/^stat::number_of_executed_units: *//p" "$3/$name.log")
        echo "$name: $runs inputs, none broke it"
    else
        tail -n 60 "$3/$name.log"
        echo "$name: broken by $(sed -n "s/^.*Test unit written to //p" "$3/$name.log" | tail -n 1)"
        echo "$name: the whole log: $3/$name.log"
        exit 1
    fi'
status=0
printf '%s\n' "$here"/build-fuzz/bin/fuzz_* |
    xargs -P 2 -I '{}' sh -c "$fuzz_one" fuzz '{}' "$here" "$work" "$seconds" || status=1
exit "$status"
