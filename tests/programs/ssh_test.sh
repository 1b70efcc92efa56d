#!/bin/sh
# run through a real sshd on loopback, with a key that lives as long as this test.
#     ssh_test.sh ENGINE FAKE_DRIVER STAGE.cu        exit status 77: skipped, and why
set -eu
engine=$1 driver=$2 stage=$3
PATH=$PATH:/usr/sbin:/sbin
# With LANEWISE_NO_SKIP=1 the machine is known to have all that is needed.
skip() { echo "skipped: $1"; [ "${LANEWISE_NO_SKIP:-0}" != 1 ] || exit 1; exit 77; }
for program in sshd ssh ssh-keygen; do
    command -v $program >/dev/null || skip "no $program (install openssh-server)"
done
"$engine" doctor | grep -q '^ok  *CUDA compiler' || skip "no NVRTC here"
folder=$(mktemp -d)
trap 'kill "$(cat "$folder/pid" 2>/dev/null)" 2>/dev/null || true; rm -rf "$folder"' EXIT
ssh-keygen -q -t ed25519 -N '' -f "$folder/host_key"
ssh-keygen -q -t ed25519 -N '' -f "$folder/key"
cp "$folder/key.pub" "$folder/authorized"
[ "$(id -u)" != 0 ] || mkdir -p /run/sshd
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
cat >"$folder/sshd_config" <<CONFIG
ListenAddress 127.0.0.1
Port $port
HostKey $folder/host_key
AuthorizedKeysFile $folder/authorized
PasswordAuthentication no
StrictModes no
UsePAM no
PidFile $folder/pid
CONFIG
"$(command -v sshd)" -f "$folder/sshd_config" -E "$folder/sshd.log"
for _ in 1 2 3 4 5 6 7 8 9 10; do [ -s "$folder/pid" ] && break; sleep 0.2; done
here="-p $port -o UserKnownHostsFile=$folder/known -o StrictHostKeyChecking=no -o BatchMode=yes"
there="env LANEWISE_CUDA_DRIVER=$driver XDG_CACHE_HOME=$folder/cache $engine serve"

fail() { echo "$1"; cat "$folder/out" "$folder/sshd.log"; exit 1; }
measure() { "$engine" run "$stage" --rows 64 --cols 64 --engine "$1" >"$folder/out" 2>&1; }

measure "ssh -i $folder/key $here 127.0.0.1 $there" || fail "measuring through ssh failed"
grep -q 'Fake GPU' "$folder/out" || fail "the answer is not from there"
measure "ssh -i $folder/key $here 127.0.0.1 echo Welcome to gpu-box; $there" ||
    fail "a banner disturbed it"
! measure "ssh -i $folder/host_key $here 127.0.0.1 $there" || fail "a wrong key was let in"
grep -q 'ssh-copy-id' "$folder/out" || fail "no advice on keys"
! measure "ssh -i $folder/key $here 127.0.0.1 lanewise-engine-not-there serve" || fail "no engine"
grep -q 'full path of lanewise-engine' "$folder/out" || fail "no advice on paths"
echo fine
