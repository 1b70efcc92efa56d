#!/usr/bin/env bash
# What the README tells a person to do, on a machine that has nothing (as root):
# `./lanewise test` on a bare Debian 12 without NVIDIA's software, so that no package that this
# machine happens to have hides a missing one; then, with the CUDA toolkit bound in, whatever was
# skipped; then `./lanewise test --web`, the page in a browser. That there is no GPU is the one reason
# left to skip a test.
set -euo pipefail
cd "$(dirname "$0")/../.."

folder=$(mktemp -d /var/tmp/lanewise-ci.XXXXXX)
trap 'rm -rf --one-file-system "$folder"' EXIT
trap 'exit 130' INT TERM
clone=$folder/home/learner/lanewise status=0
bare() { tests/bare/run.sh bookworm --folder "$folder" --offline --ccache "$@"; }

bare --only 'test --output-junit without-toolkit.xml' || status=$?
if [ $status = 3 ] && [ ! -d "$clone/build" ]; then
    echo "tests/bare/both_legs.sh: no bare machine can be made here (above); testing on this one instead" >&2
    rmdir "$folder" 2>/dev/null || true
    exec ./lanewise test
fi
results=("$clone/build/without-toolkit.xml")
[ -f "${results[0]}" ] || exit "$status"  # it did not come to the tests
bare --only 'test --show-only=json-v1' >"$folder/tests.json"
skipped=$(python3 tests/bare/results.py --skipped "$folder/tests.json" "${results[0]}")
if ! compgen -G '/usr/local/cuda*' >/dev/null; then
    echo "tests/bare/both_legs.sh: no CUDA toolkit in /usr/local: what was skipped for want of it stays so" >&2
elif [ -n "$skipped" ]; then
    bare --cuda --set LANEWISE_NO_SKIP=1 \
        --only "test -I $skipped --output-junit with-toolkit.xml" || status=$?
    results+=("$clone/build/with-toolkit.xml")
fi
# So far many files were compiled as one, which hides a missing include; here each is by itself.
bare --only 'build --apart' || status=$?
# With a network: emscripten's libraries come as the distribution's sources. A machine that is so slow
# that the rest took an hour would not come to an end in time.
if [ $SECONDS -lt "${LANEWISE_CI_WEB_BEFORE_S:-3600}" ]; then
    tests/bare/run.sh bookworm --folder "$folder" --ccache --only 'test --web --output-junit page.xml' || status=$?
    results+=("$clone/build/page.xml")
else
    echo "tests/bare/both_legs.sh: the page is not built and not tested: the rest took $SECONDS s" >&2
fi
python3 tests/bare/results.py "${results[@]}" || status=1
exit "$status"
