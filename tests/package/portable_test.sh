#!/bin/sh
# The engine needs libc alone; both programs need no newer glibc than README.tar promises, 2.35, where they are built
# against one of Debian 12's age.     portable_test.sh ENGINE [WINDOW]
set -eu
fail() { echo "$1"; exit 1; }
command -v readelf >/dev/null || fail "readelf is missing; it comes with every compiler (binutils)"
for library in $(readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'); do
    case $library in
        libc.so.6 | libm.so.6 | libdl.so.2 | libpthread.so.0 | librt.so.1 | ld-linux*) ;;
        libasan.* | libtsan.* | libubsan.*) echo "a sanitizer's build is not copied anywhere"; exit 0 ;;
        *) fail "$1 needs $library; it is copied to machines that have libc alone" ;;
    esac
done
here=$(getconf GNU_LIBC_VERSION | sed 's/glibc //')
newest_allowed=2.35
[ "$(printf '%s\n2.36\n' "$here" | sort -V | tail -1)" = 2.36 ] || newest_allowed=$here
for program; do
    newest=$(readelf -V "$program" | grep -o 'GLIBC_[0-9.]*' | sed 's/GLIBC_//' | sort -V | tail -1)
    [ -n "$newest" ] || fail "$program: no version of glibc found in it"
    [ "$(printf '%s\n%s\n' "$newest" "$newest_allowed" | sort -V | tail -1)" = "$newest_allowed" ] ||
        fail "$program needs glibc $newest; $newest_allowed is promised"
    echo "$program: glibc $newest"
done
