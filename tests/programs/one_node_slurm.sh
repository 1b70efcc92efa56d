# A real Slurm of one node, with a GPU that is only a name and may be shared by eight, for the script that reads this file (`.`): sets
# $folder, which goes with the script, and SLURM_CONF. Where that cannot be, the script ends with status 77.
# $engine is the program that must find a compiler.
PATH=$PATH:/usr/sbin:/sbin
# With LANEWISE_NO_SKIP=1 the machine is known to have all that is needed.
skip() { echo "skipped: $1"; [ "${LANEWISE_NO_SKIP:-0}" != 1 ] || exit 1; exit 77; }
for program in slurmctld slurmd srun munged; do
    command -v $program >/dev/null || skip "no $program (install slurm-wlm and munge)"
done
[ "$(id -u)" = 0 ] || skip "slurmd needs root"
"$engine" doctor | grep -q '^ok  *CUDA compiler' || skip "no NVRTC here"
folder=$(mktemp -d)
stop() {
    for pid in "$folder"/*.pid; do [ ! -s "$pid" ] || kill "$(cat "$pid")" 2>/dev/null || true; done
    # The daemons write their state once more on the way out.
    for _ in 1 2 3 4 5 6 7 8 9 10; do rm -rf "$folder" 2>/dev/null && return; sleep 0.3; done
}
trap stop EXIT
trap 'exit 1' INT TERM  # by way of stop, which a signal alone passes by
chmod 755 "$folder"
mkdir -m 755 "$folder/munge" "$folder/state" "$folder/spool"
dd if=/dev/urandom of="$folder/munge.key" bs=1024 count=1 2>/dev/null
chown -R munge "$folder/munge" "$folder/munge.key"
chmod 400 "$folder/munge.key"
as_munge() { setpriv --reuid munge --regid munge --clear-groups "$@"; }
as_munge munged --key-file="$folder/munge.key" --socket="$folder/munge/socket" \
    --pid-file="$folder/munge/munged.pid" --log-file="$folder/munge/log" \
    --seed-file="$folder/munge/seed" || skip "munged does not start here"
ln -s munge/munged.pid "$folder/munged.pid"
host=$(hostname -s)
free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }
: >"$folder/gpu0"
cat >"$folder/slurm.conf" <<CONFIG
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$(free_port)
SlurmdPort=$(free_port)
AuthType=auth/munge
AuthInfo=socket=$folder/munge/socket
SlurmUser=root
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
GresTypes=gpu,shard
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) Gres=gpu:1,shard:8 State=UNKNOWN
PartitionName=all Nodes=$host Default=YES OverSubscribe=FORCE:8 State=UP
CONFIG
printf 'Name=gpu File=%s\nName=shard Count=8\n' "$folder/gpu0" >"$folder/gres.conf"
export SLURM_CONF="$folder/slurm.conf"
slurmctld
slurmd
i=0
until sinfo -h -o %T 2>/dev/null | grep -q idle; do
    i=$((i + 1))
    [ $i -lt 100 ] || { tail -n 5 "$folder"/slurm*.log; skip "Slurm's node does not come up here"; }
    sleep 0.2
done
