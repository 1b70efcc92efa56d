#!/bin/sh
# Packs what is built and looks the packages over. package.sh BUILD_FOLDER       run by ./lanewise package
set -eu
build=$1
packages=$build/package
log=$build/last-package.log
fail() { cat "$log" >&2; echo "lanewise: $1 (above)" >&2; exit 1; }

desktop-file-validate packaging/desktop/lanewise.desktop >"$log" 2>&1 || fail "the desktop file is not valid"
appstreamcli validate --no-net "$build"/packaging/*.metainfo.xml >"$log" 2>&1 || fail "AppStream's metadata is not valid"

rm -rf "$packages"
(umask 022 && cpack --config "$build/CPackConfig.cmake") >"$log" 2>&1 || fail "packing failed"
rm -rf "$packages/_CPack_Packages"
# Clean, warnings included; an override would need a word why, and there is none.
lintian --fail-on error,warning "$packages"/*.deb >"$log" 2>&1 || fail "lintian found something"
for file in "$packages"/*; do echo "lanewise: $file, $(du -h "$file" | cut -f1)" >&2; done
