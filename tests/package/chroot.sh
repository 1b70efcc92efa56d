# Bare machines in a folder, for tests that install packages: sourced, after `set -eu`, by a script that runs as root.
#     bare_base SUITE                 $base: an archive of Debian's SUITE as debootstrap (minbase) makes it, made once
#     bare_start SUITE                $bare: a folder with a fresh one, /proc and /dev mounted
#     bare COMMAND…                   runs it there as root, with a bare environment
#     bare_as_user COMMAND…           the same as ada, who has a home and no rights
# All of it happens in mount and process namespaces of the script's own (bare_namespaces "$0" "$@", first of all), so
# that mounts and processes end with it, however it ends.

bare_namespaces() {
    [ -z "${BARE_INSIDE:-}" ] || return 0
    [ "$(id -u)" = 0 ] || { echo "skipped: a chroot needs root"; exit 77; }
    unshare --mount --pid --fork true 2>/dev/null || { echo "skipped: this machine allows no namespaces"; exit 77; }
    command -v debootstrap >/dev/null || { echo "skipped: no debootstrap (install the package debootstrap)"; exit 77; }
    BARE_INSIDE=1 exec unshare --mount --pid --fork --kill-child --mount-proc sh "$@"
}

bare_base() {
    base=${BARE_CACHE:-/var/tmp/lanewise-bare}/$1.tar
    [ ! -f "$base" ] || return 0
    mkdir -p "${base%/*}"
    making=$(mktemp -d "${base%/*}/$1.XXXXXX")
    echo "making a bare $1"
    debootstrap --variant=minbase "$1" "$making" >"$making.log" 2>&1 ||
        { tail -5 "$making.log"; echo "debootstrap of $1 failed"; rm -rf "$making"; exit 1; }
    chmod 755 "$making"  # mktemp's is its owner's alone, and whoever unpacks it gets its rights
    tar -C "$making" -cf "$base.part" . && mv "$base.part" "$base"
    rm -rf "$making" "$making.log"
}

bare_start() {
    bare_base "$1"
    bare=$(mktemp -d "${base%/*}/$1.XXXXXX")
    # shellcheck disable=SC2064
    trap "umount -R -l '$bare/proc' '$bare/dev' 2>/dev/null; rm -rf --one-file-system '$bare'" EXIT
    trap 'exit 130' INT TERM HUP
    tar -C "$bare" -xf "$base"
    chmod 755 "$bare"
    mount -t proc proc "$bare/proc"
    mount --rbind /dev "$bare/dev"
    mount --make-rslave "$bare/dev"
    cp -L /etc/resolv.conf "$bare/etc/resolv.conf" 2>/dev/null || true
    printf '#!/bin/sh\nexit 101\n' >"$bare/usr/sbin/policy-rc.d"  # packages start no services
    chmod 755 "$bare/usr/sbin/policy-rc.d"
    bare useradd --create-home --shell /bin/bash ada
}

bare_stop() {
    umount -R -l "$bare/proc" "$bare/dev"  # something that a test started may still end
    rm -rf --one-file-system "$bare"
    trap - EXIT
}

bare() {
    chroot "$bare" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive "$@"
}
bare_as_user() {
    chroot --userspec=ada:ada "$bare" env -i PATH=/usr/bin:/bin HOME=/home/ada "$@"
}
