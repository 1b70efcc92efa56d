#!/bin/sh
# web_sources.sh FOLDER: leaves the sources of cmark, xz and Dear ImGui in FOLDER/{cmark,xz,imgui}, for
# the build for the browser, whose compiler has no libraries of the distribution. They are the
# distribution's source packages where there is apt; elsewhere, upstream's releases of these versions.
set -eu
folder=$1
mkdir -p "$folder"
cd "$folder"

# Lists of source packages made from this machine's own lists of packages, in a folder of ours.
with_apt() {
    command -v apt-get >/dev/null && command -v dpkg-source >/dev/null || return 1
    mkdir -p apt/parts apt/lists/partial apt/cache/archives/partial
    for list in /etc/apt/sources.list /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list.d/ubuntu.sources; do
        [ -s "$list" ] || continue
        case $list in
            *.list) sed -n 's/^deb /deb-src /p' "$list" >apt/parts/here.list ;;
            *) sed 's/^Types:.*/Types: deb-src/' "$list" >"apt/parts/$(basename "$list")" ;;
        esac
    done
    options="-o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts=$PWD/apt/parts
        -o Dir::State::lists=$PWD/apt/lists -o Dir::Cache=$PWD/apt/cache -o APT::Sandbox::User="
    # shellcheck disable=SC2086
    apt-get $options update -qq && apt-get $options source -qq --download-only cmark xz-utils imgui || return 1
    for package in cmark xz-utils imgui; do
        rm -rf "${package%-utils}"
        dpkg-source --no-check -x "$package"_*.dsc "${package%-utils}" || return 1
    done
}

# fetch NAME ADDRESS: the archive's only folder becomes NAME.
fetch() {
    rm -rf "$1" "$1.part"
    mkdir "$1.part"
    curl -fsSL "$2" | tar -xz -C "$1.part" --strip-components=1
    mv "$1.part" "$1"
}
with_releases() {
    fetch cmark https://github.com/commonmark/cmark/archive/refs/tags/0.30.2.tar.gz
    fetch xz https://github.com/tukaani-project/xz/archive/refs/tags/v5.4.1.tar.gz
    fetch imgui https://github.com/ocornut/imgui/archive/refs/tags/v1.86.tar.gz
}

with_apt >log 2>&1 || with_releases || {
    cat log >&2
    echo "the sources of cmark, xz and Dear ImGui could not be had, neither by apt-get source (above) nor from their releases" >&2
    exit 1
}
touch complete
