#!/usr/bin/env bash
# What bash completes for both programs. completion_test.sh PROGRAMS_FOLDER COMPLETION
set -u
PATH=$1:$PATH
source "$2"
failures=0

# complete_of WORD…: the completions of the last word, sorted, on one line. COMP_WORDS are cut at = as bash does.
complete_of() {
    COMP_WORDS=() COMPREPLY=()
    local word
    for word; do
        if [[ $word == *=* ]]; then
            COMP_WORDS+=("${word%%=*}" =)
            [[ -n ${word#*=} ]] && COMP_WORDS+=("${word#*=}")
        else
            COMP_WORDS+=("$word")
        fi
    done
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    _lanewise "$1"
    printf '%s\n' "${COMPREPLY[@]}" | sort | tr '\n' ' '
}
expect() {
    local wanted=$1 got
    shift
    got=$(complete_of "$@")
    [[ $got == "$wanted " ]] || { echo "$*: expected \"$wanted\", got \"$got\""; failures=$((failures + 1)); }
}
expect_among() {
    local wanted got=" $(complete_of "${@:2}") "
    for wanted in $1; do
        [[ $got == *" $wanted "* ]] || { echo "${*:2}: no $wanted in \"$got\""; failures=$((failures + 1)); }
    done
}

cd "$(mktemp -d)" || exit 1
trap 'rm -rf "$PWD"' EXIT
touch mine.cu other.txt counts.csv

expect "trace" lanewise-engine tr
expect "report rules run" lanewise-engine r
expect "--cols --compiler --constant --counters" lanewise-engine run 30_padded --co
expect "--rows" lanewise-engine trace --ro
expect "30_padded" lanewise-engine trace 30_p
expect "transpose/30_padded" lanewise-engine trace transpose/30
expect "mine.cu" lanewise-engine trace mi
expect "counts.csv" lanewise-engine rules co
expect "other.txt" lanewise-engine probe --out ot
expect "PAD=0 PAD=1 PAD=2 PAD=3 PAD=4" lanewise-engine trace 30_padded --set PA
expect "0 1 2 3 4" lanewise-engine trace 30_padded --set PAD=
expect "3" lanewise-engine trace transpose/30_padded --set PAD=3
expect "16 32 64 8" lanewise --stage 30_padded --set TILE=
expect "f16 f32 f32x4 f64 u8" lanewise-engine trace 30_padded --type ""
expect "light" lanewise --theme l
expect "banks" lanewise --view ba
expect "mine.cu" lanewise mi
expect "30_padded" lanewise --stage 30_p

# Nothing that the help names is missing.
expect_among "$(lanewise-engine --help | sed -n '/^Subcommands:/I,/^$/s/^  \([a-z-]*\) .*/\1/p')" lanewise-engine ""
for command in trace run bench probe; do
    expect_among "$(lanewise-engine $command --help | grep -o '^  *--[a-z-]*')" lanewise-engine $command -
done
expect_among "$(lanewise --help | grep -o '^  *--[a-z-]*')" lanewise -
expect_among "$(lanewise-engine stages | sed -n 's#^\([a-z]*/[^ ]*\) .*#\1#p')" lanewise-engine trace ""
[[ $failures == 0 ]] && echo "completion: all as expected"
exit $((failures > 0))
