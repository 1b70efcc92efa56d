#!/bin/sh
# --version names version and commit; an archive of the tree, which has no .git, names the commit too.
#     version_test.sh SOURCE VERSION PROGRAM…
set -eu
source=$1 version=$2
shift 2
fail() { echo "$1"; exit 1; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
git_of() { git -c safe.directory="$source" -C "$source" "$@"; }

commit=
if [ -e "$source/.git" ] && command -v git >/dev/null; then commit=$(git_of rev-parse --short=7 HEAD); fi
for program; do
    said=$("$program" --version)
    # A build folder may be older than the last commit; then the commit is another, but there is one.
    case $said in
        "$(basename "$program") $version${commit:+ ($commit)}") ;;
        "$(basename "$program") $version ("[0-9a-f]*")") [ -n "$commit" ] || fail "$program: a commit from nowhere: $said" ;;
        *) fail "$program: $said, expected $version and the commit $commit" ;;
    esac
done

written() {
    cmake -D SOURCE="$1" -D OUTPUT="$folder/commit.h" -P "$source/packaging/commit.cmake"
    cat "$folder/commit.h"
}
mkdir -p "$folder/none/packaging" "$folder/archive"
cp "$source/packaging/commit.txt" "$folder/none/packaging"
[ -n "$commit" ] || exit 0
[ "$(written "$source")" = "#define LANEWISE_COMMIT \"$commit\"" ] || fail "of the clone: $(cat "$folder/commit.h")"
[ "$(written "$folder/none")" = '#define LANEWISE_COMMIT ""' ] || fail "of no clone: $(cat "$folder/commit.h")"
git_of archive HEAD packaging/commit.txt | tar -x -C "$folder/archive"
[ "$(written "$folder/archive")" = "#define LANEWISE_COMMIT \"$commit\"" ] || fail "of an archive: $(cat "$folder/commit.h")"
