#!/usr/bin/env bash
# The two commands on a machine that has nothing: a chroot of debootstrap's smallest Debian.
# What it mounts is mounted in a namespace of its own, and so is gone whatever ends it; what it
# starts (sshd, slurmd) likewise. Packages are kept in ${XDG_CACHE_HOME:-~/.cache}/lanewise/bare.
set -euo pipefail
repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)

usage() {
    cat <<'TEXT'
usage: tests/bare/run.sh SUITE [options]       SUITE: bookworm or trixie; needs root

  --cuda           with this machine's CUDA toolkits (/usr/local/cuda*), read-only
  --user           as a user with sudo; else as root, without sudo
  --offline        cut off the network once the packages are installed
  --only COMMANDS  of ./lanewise, e.g. "build doctor" or "test -R ladder"; else: run, then test
                   (several are separated by semicolons)
  --ccache         with ccache; this machine keeps its cache, so that nothing is compiled twice
  --set NAME=VALUE put into the commands' environment; may be repeated
  --folder DIR     the machine's folder; one that is there is used again, clone and build with it
  --keep           leave the folder (a given one is always left)

Exit status: that of the last command that failed; 3 where such a machine cannot be made.
TEXT
}
say() { printf 'bare: %s\n' "$*" >&2; }
die() { say "$1"; exit 2; }
cannot() { say "$1"; exit 3; }  # such a machine cannot be made here

suite='' cuda=no ccache=no user=no offline=no commands='run; test' folder='' keep=no settings=()
arguments=("$@")
while [ $# -gt 0 ]; do
    case $1 in
        --cuda) cuda=yes ;;
        --ccache) ccache=yes ;;
        --user) user=yes ;;
        --offline) offline=yes ;;
        --keep) keep=yes ;;
        --only | --set | --folder)
            [ $# -gt 1 ] || die "$1 wants a value"
            case $1 in
                --only) commands=$2 ;;
                --set) settings+=("$2") ;;
                --folder) folder=$2 keep=yes ;;
            esac
            shift ;;
        -h | --help) usage; exit 0 ;;
        bookworm | trixie) suite=$1 ;;
        *) usage >&2; die "not understood: $1" ;;
    esac
    shift
done
[ -n "$suite" ] || { usage >&2; exit 2; }
[ "$(id -u)" = 0 ] || cannot "a chroot needs root; run this as root"

cache=${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/lanewise/bare
home=/home/learner clone=$home/lanewise

# Debian's archive as this machine's apt has it; "": debootstrap's default.
mirror() {
    # shellcheck disable=SC2016
    apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Label: Debian' 2>/dev/null |
        head -1
}

# ---- Outside: the folder ------------------------------------------------------------------------

make_base() {  # the tarball of the smallest Debian, once
    [ ! -f "$cache/$suite.tar" ] || return 0
    if ! command -v debootstrap >/dev/null; then
        say "installing debootstrap"
        { apt-get update -qq && apt-get install -y -qq --no-install-recommends debootstrap; } \
            </dev/null >&2 || cannot "debootstrap cannot be installed here"
    fi
    say "making a bare $suite"
    mkdir -p "$cache"
    rm -rf "${cache:?}/$suite"
    # shellcheck disable=SC2046
    debootstrap --variant=minbase "$suite" "$cache/$suite" $(mirror) >"$cache/$suite.log" 2>&1 ||
        { tail -20 "$cache/$suite.log" >&2; cannot "debootstrap failed (above)"; }
    tar -C "$cache/$suite" -cf "$cache/$suite.tar.new" .
    mv "$cache/$suite.tar.new" "$cache/$suite.tar"
    rm -rf "${cache:?}/$suite"
}

# CUTLASS's headers, which CuTe wants, are in Debian 13's contrib alone; they depend on nothing.
write_sources() {
    local archive
    archive=$(awk '$1 == "deb" { print $2; exit }' "$folder/etc/apt/sources.list")
    echo "deb $archive $suite main" >"$folder/etc/apt/sources.list"
    echo "deb $archive trixie contrib" >"$folder/etc/apt/sources.list.d/cutlass.list"
    printf 'Package: *\nPin: release n=trixie, c=contrib\nPin-Priority: 1\n\n%s\n' \
        $'Package: libcutlass-dev\nPin: release n=trixie, c=contrib\nPin-Priority: 500' \
        >"$folder/etc/apt/preferences.d/cutlass"
}

make_machine() {
    mkdir -p "$folder"
    chmod 755 "$folder"  # mktemp's is its owner's alone, and a user of the machine has to pass it
    tar -C "$folder" -xpf "$cache/$suite.tar"
    write_sources
    cp -L /etc/resolv.conf "$folder/etc/resolv.conf"
    printf '127.0.0.1 localhost %s\n' "$(hostname)" >"$folder/etc/hosts"
    # As this machine reaches the archive. Nothing is started by being installed, and nothing is
    # synced to the disk for its sake.
    apt-config dump | grep -iE '^Acquire::https?::(.*::)?Proxy' >"$folder/etc/apt/apt.conf.d/00machine" || true
    printf '#!/bin/sh\nexit 101\n' >"$folder/usr/sbin/policy-rc.d"
    chmod +x "$folder/usr/sbin/policy-rc.d"
    echo force-unsafe-io >"$folder/etc/dpkg/dpkg.cfg.d/unsafe-io"
    printf 'Binary::apt::APT::Keep-Downloaded-Packages "true";\nAPT::Keep-Downloaded-Packages "true";\n' \
        >"$folder/etc/apt/apt.conf.d/00keep"
    mkdir -p "$folder$home"
    git -c safe.directory='*' clone -q --no-hardlinks "$repository" "$folder$clone"
}

if [ -z "${LANEWISE_BARE_INSIDE:-}" ]; then
    [ -n "$folder" ] || folder=$(mktemp -d "${TMPDIR:-/tmp}/lanewise-bare.XXXXXX")
    unshare --mount --pid --fork true 2>/dev/null || cannot "this machine allows no namespace for mounts"
    inside=
    # shellcheck disable=SC2317
    finish() {  # KILL: unshare holds the others back; its end is that of all inside
        [ -z "$inside" ] || { kill -KILL "$inside" && wait "$inside"; } 2>/dev/null || true
        [ "$keep" = yes ] || rm -rf --one-file-system "$folder"
    }
    trap finish EXIT
    trap 'exit 130' INT TERM HUP
    if [ ! -d "$folder$clone" ]; then
        make_base
        make_machine
    fi
    say "$suite in $folder"
    status=0
    LANEWISE_BARE_INSIDE=$folder unshare --mount --pid --fork --kill-child \
        bash "${BASH_SOURCE[0]}" "${arguments[@]}" </dev/null &
    inside=$!
    wait "$inside" || status=$?  # in the background: a signal is heard at once
    inside=
    exit $status
fi

# ---- Inside: mounts of our own, then the commands -----------------------------------------------

folder=$LANEWISE_BARE_INSIDE
mount --bind "$folder" "$folder"
mount -t proc proc "$folder/proc"
mount --rbind /dev "$folder/dev"
mount --rbind --make-rslave /sys "$folder/sys" 2>/dev/null || mount --rbind /sys "$folder/sys"
mkdir -p "$cache/packages-$suite/partial" "$folder/outside"
mount --bind "$cache/packages-$suite" "$folder/var/cache/apt/archives"
if [ $ccache = yes ]; then
    mkdir -p "$cache/ccache-$suite" "$folder/var/cache/ccache"
    chmod 777 "$cache/ccache-$suite"  # a user of the machine writes there as well
    mount --bind "$cache/ccache-$suite" "$folder/var/cache/ccache"
fi
for toolkit in /usr/local/cuda*; do
    [ $cuda = yes ] || break
    [ -e "$toolkit" ] || die "there is no CUDA toolkit in /usr/local to bind in"
    if [ -L "$toolkit" ]; then  # also what the alternatives lead to
        [ -L "$folder$toolkit" ] || ln -s "$(readlink -f "$toolkit")" "$folder$toolkit"
        continue
    fi
    mkdir -p "$folder$toolkit"
    mount --rbind "$toolkit" "$folder$toolkit"
    mount -o remount,bind,ro "$folder$toolkit"
done
# The folder becomes the root, not a chroot's: bubblewrap makes its namespaces only from a root.
cd "$folder"
pivot_root . outside
exec <&- </dev/null
umount -l /outside
# The toolkit's packages tell the loader, too: NVRTC finds its builtins so.
rm -f /etc/ld.so.conf.d/cuda.conf
[ $cuda = no ] || printf '%s\n' /usr/local/cuda*/lib64 >/etc/ld.so.conf.d/cuda.conf
ldconfig

environment=(PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin TERM=dumb
    LANEWISE_TEST_SERVICES=1 "${settings[@]}")
# As NVIDIA's guide has it: nvcc on the PATH.
[ $cuda = no ] || environment[0]+=:/usr/local/cuda/bin
if [ $ccache = yes ]; then
    command -v ccache >/dev/null || {
        apt-get update -qq
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends ccache >/dev/null
    }
    environment+=(CCACHE_DIR=/var/cache/ccache CCACHE_UMASK=000)
fi
as_person=()
if [ $user = yes ]; then
    if ! id learner >/dev/null 2>&1; then
        useradd --home-dir $home --shell /bin/sh learner
        apt-get update -qq
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends sudo >/dev/null
        echo 'learner ALL=(ALL) NOPASSWD: ALL' >/etc/sudoers.d/learner
    fi
    chown -R learner: $clone
    as_person=(setpriv --reuid learner --regid learner --init-groups)
fi
# HOME is read-only, the clone in it is not.
mount --bind $home $home
mount --bind $clone $clone
mount -o remount,bind,ro $home
cd $clone

lanewise() { env -i HOME=$home "${environment[@]}" "${as_person[@]}" "$@"; }
# Without a network but its own loopback, which sshd and Slurm are tested on.
apart=()
if [ $offline = yes ]; then
    lanewise ./lanewise install || die "installing failed"
    cat >/tmp/loopback.py <<'PYTHON'
import fcntl, os, socket, struct, sys
with socket.socket() as s:
    fcntl.ioctl(s, 0x8914, struct.pack("16sh14x", b"lo", 0x1))  # SIOCSIFFLAGS: lo is up
    # SIOCSIFADDR: an address of documentation's, for Slurm listens where one beside 127.* is.
    fcntl.ioctl(s, 0x8916, struct.pack("16sHH4s8x", b"lo:1", socket.AF_INET, 0,
                                       socket.inet_aton("192.0.2.1")))
os.execvp(sys.argv[1], sys.argv[1:])
PYTHON
    apart=(unshare --net python3 /tmp/loopback.py)
fi

status=0
IFS=';' read -ra lines <<<"$commands"
for line in "${lines[@]}"; do
    line=$(sed 's/^ *//; s/ *$//' <<<"$line")
    say "$suite: ./lanewise $line"
    begun=$SECONDS
    one=0
    # The words of a command are split as the shell splits them.
    env -i HOME=$home "${environment[@]}" "${apart[@]}" "${as_person[@]}" sh -c "./lanewise $line" || one=$?
    say "$suite: ./lanewise $line: status $one after $((SECONDS - begun)) s"
    [ $one = 0 ] || status=$one
done
exit $status
