#!/bin/sh
# Installs the packages of build/package in bare Debians, uses them as somebody without rights would, removes them, and
# looks for traces.     sh tests/package/run.sh [SUITE…]      bookworm and trixie where none is named; as root
# Exit status 77: it cannot be done here, and why. BARE_CACHE: where the bare systems are kept; PACKAGES: other packages.
set -eu
cd "$(dirname "$0")/../.."
. tests/package/chroot.sh
bare_namespaces tests/package/run.sh "$@"
[ $# -gt 0 ] || set -- bookworm trixie
packages=${PACKAGES:-build/package}
deb=$(ls "$packages"/*.deb) tar=$(ls "$packages"/*.tar.gz) ||
    { echo "there are no packages in $packages; ./lanewise package makes them"; exit 2; }

checks=0 failures=0
passed() { checks=$((checks + 1)); echo "ok      $1"; }
failed() { failures=$((failures + 1)); echo "FAILED  $1"; sed 's/^/        /' "$out" | tail -15; }
# check WORDS COMMAND…: that it ends with 0; what it says is shown where it does not.
check() {
    words=$1
    shift
    if "$@" >"$out" 2>&1; then passed "$words"; else failed "$words"; fi
}
says() {  # WORDS PATTERN COMMAND…
    words=$1 pattern=$2
    shift 2
    if "$@" >"$out" 2>&1 && grep -q -- "$pattern" "$out"; then passed "$words"; else failed "$words"; fi
}
install_there() {
    bare apt-get install -y -qq --no-install-recommends "$@" >"$out" 2>&1 ||
        { failed "apt-get install $*"; exit 1; }
}

# A picture of a view, in which something is to be seen; its font is not the one for want of another.
picture() {  # PROGRAM
    bare_as_user "$1" --offscreen --view banks --size 1280x800 --screenshot /home/ada/picture.png || return 1
    [ "$(wc -c <"$bare/home/ada/picture.png")" -gt 40000 ]
}

# The window itself, until its title is on the screen: window TITLE COMMAND…
window() {
    title=$1
    shift
    cat >"$bare/home/ada/window.sh" <<'SCRIPT'
title=$1
shift
exec 3>/tmp/display-number
Xvfb -noreset -displayfd 3 -screen 0 1400x900x24 >/tmp/xvfb.log 2>&1 &
server=$!
trap 'kill $server' EXIT
for _ in $(seq 100); do [ -s /tmp/display-number ] && break; sleep 0.1; done
export DISPLAY=:$(cat /tmp/display-number)
"$@" &
program=$!
for _ in $(seq 300); do
    if xdotool search --name "$title" >/tmp/window 2>/dev/null; then
        echo "the window is there: $(xdotool getwindowname "$(head -1 /tmp/window)")"
        pkill -x lanewise
        wait $program
        exit 0
    fi
    sleep 0.1
done
echo "no window has \"$title\" in its title; there are:"
xdotool search --name . getwindowname %@ 2>/dev/null
exit 1
SCRIPT
    bare_as_user bash /home/ada/window.sh "$title" "$@"
}

# Whatever packages may change: name, rights and bytes of each file.
state_of() {
    # The packagers' own books, caches and logs grow with every installation.
    bare sh -c 'find / -xdev \( -path /proc -o -path /dev -o -path /tmp -o -path /home -o -path /root -o -path /var/log \
            -o -path /var/cache -o -path /var/lib/dpkg -o -path /var/lib/apt -o -path /run \) -prune \
        -o \( -type f -printf "%p %m " -exec sha256sum {} \; \) -o -printf "%p %m %l\n"' | sort
}

try_engine() {  # PROGRAM WORDS
    says "$2: --version names version and commit" '^lanewise-engine [0-9.]* ([0-9a-f]*)$' bare_as_user "$1" --version
    says "$2: lists stages" '^transpose/30_padded' bare_as_user "$1" stages
    says "$2: interprets a stage" '^Correct' bare_as_user "$1" trace 30_padded --rows 256 --cols 256
    says "$2: doctor finds its content" '^ok  *Stages  *[1-9]' bare_as_user "$1" doctor
}

try_deb() {
    echo "$suite: the .deb"
    cp "$deb" "$bare/tmp/lanewise.deb"
    says "recommends clang and bubblewrap, which exist" 'Inst clang-19.*' bare apt-get install -s /tmp/lanewise.deb
    says "recommends bubblewrap" 'Inst bubblewrap' bare apt-get install -s /tmp/lanewise.deb
    check "installs" bare apt-get install -y -qq --no-install-recommends /tmp/lanewise.deb
    try_engine lanewise-engine "engine"
    check "window: draws offscreen" picture lanewise
    says "window: its fonts are there" '^ok  *Font Inter' bare_as_user lanewise-engine doctor
    check "window: links with nothing that is missing" bare sh -c '! ldd /usr/bin/lanewise | grep "not found"'

    # Now with a desktop around it: everything that it might touch is there before.
    install_there xvfb xauth xdotool procps xdg-utils shared-mime-info desktop-file-utils libglib2.0-bin man-db bash-completion
    check "is purged" bare dpkg --purge lanewise
    state_of >"$out.before"
    check "installs again" bare dpkg -i /tmp/lanewise.deb
    check "opens a window" window 'Lanewise' lanewise
    check "opens a link as a browser would" window 'Padded tile' gio open "$(cat tests/fuzz/corpus/workspace/link)"
    sed 's/,  *"edits".*/, "edits": {}, "history": {"runs": [], "baseline": null}, "measurements": []}/' \
        tests/fuzz/corpus/workspace/workspace.lanewise >"$bare/home/ada/my work.lanewise"
    says "knows a workspace" 'application/x-lanewise-workspace' \
        bare_as_user gio info -a standard::content-type "/home/ada/my work.lanewise"
    says "is the program for workspaces" 'lanewise.desktop' \
        bare_as_user xdg-mime query default application/x-lanewise-workspace
    says "is the program for links" 'lanewise.desktop' bare_as_user xdg-mime query default x-scheme-handler/lanewise
    check "opens a workspace from a file manager" window 'Padded tile' gio open "/home/ada/my work.lanewise"
    check "opens a workspace by its URI" window 'Padded tile' lanewise "file:///home/ada/my%20work.lanewise"
    says "has a man page" 'EXIT STATUS' bare_as_user man lanewise
    says "has one of the engine" 'EXIT STATUS' bare_as_user man lanewise-engine
    says "completes commands in bash" '^trace$' bare_as_user bash -c '
        . /usr/share/bash-completion/bash_completion; _completion_loader lanewise-engine 2>/dev/null || _comp_load lanewise-engine
        COMP_WORDS=(lanewise-engine tr) COMP_CWORD=1; _lanewise lanewise-engine; printf "%s\n" "${COMPREPLY[@]}"'
    check "is purged again" bare dpkg --purge lanewise
    state_of >"$out.after"
    check "leaves no trace" diff "$out.before" "$out.after"
    check "leaves no file of that name" bare sh -c \
        '! find / -xdev \( -path /proc -o -path /dev -o -path /home -o -path /tmp \) -prune -o -name "*lanewise*" -print | grep .'
}

try_tar() {
    echo "$suite: the .tar.gz"
    bare_as_user mkdir -p "/home/ada/any folder/kernels" /home/ada/bin  # somebody's own kernels beside it
    tar -C "$bare/home/ada/any folder" --no-same-owner -xzf "$tar"
    unpacked="/home/ada/any folder/$(basename "$tar" .tar.gz)"
    bare_as_user ln -s "$unpacked/bin/lanewise" "$unpacked/bin/lanewise-engine" /home/ada/bin
    check "belongs to nobody in particular" sh -c "! find '$bare$unpacked' ! -type l -perm /022 | grep ."
    try_engine "$unpacked/bin/lanewise-engine" "engine, nothing else installed"
    try_engine /home/ada/bin/lanewise-engine "engine through a link"
    # What a desktop has, and no GLFW, no stb, no fonts.
    install_there libgl1 libegl1 libx11-6 libfreetype6 xvfb xauth xdotool procps
    check "the machine lacks GLFW and fonts" bare sh -c '! ls /usr/lib/*/libglfw* /usr/share/fonts/*/inter 2>/dev/null | grep .'
    check "window: links with nothing that is missing" bare sh -c "! ldd '$unpacked/bin/lanewise' | grep 'not found'"
    check "window: draws offscreen" picture "$unpacked/bin/lanewise"
    says "window: brings its fonts" '^ok  *Font Inter' bare_as_user "$unpacked/bin/lanewise-engine" doctor
    check "window: opens" window 'Padded tile' /home/ada/bin/lanewise --stage 30_padded
    tar -C "$bare/home/ada/any folder" --compare -zf "$tar" >"$out" 2>&1 && passed "writes nothing into its folder" ||
        failed "writes nothing into its folder"
}

for suite; do
    for package in deb tar; do
        bare_start "$suite"
        out=$bare.out
        bare apt-get update -qq >"$out" 2>&1 || { failed "apt-get update"; exit 1; }
        try_$package
        bare_stop
        rm -f "$out" "$out.before" "$out.after"
    done
done
echo "$checks passed, $failures failed"
[ "$failures" = 0 ]
