#!/bin/sh
# Eight clients through srun, on a real one-node Slurm with a GPU that is only a name.
#     slurm_test.sh ENGINE FAKE_DRIVER STAGE.cu      exit status 77: skipped, and why
set -eu
engine=$1 driver=$2 stage=$3
. "$(dirname "$0")/one_node_slurm.sh"
srun="srun --gres=gpu:1 --unbuffered env LANEWISE_CUDA_DRIVER=$driver XDG_CACHE_HOME=$folder/cache"
pids=
for client in 1 2 3 4 5 6 7 8; do
    "$engine" run "$stage" --rows 64 --cols 64 --engine "$srun $engine serve" \
        >"$folder/out.$client" 2>&1 &
    pids="$pids $!"
done
bad=0
for pid in $pids; do wait "$pid" || bad=$((bad + 1)); done
for client in 1 2 3 4 5 6 7 8; do
    grep -q 'Fake GPU' "$folder/out.$client" || { cat "$folder/out.$client"; bad=$((bad + 1)); }
done
[ $bad = 0 ] || { echo "$bad of 8 clients failed"; exit 1; }
[ -z "$(squeue -h)" ] || sleep 2
[ -z "$(squeue -h)" ] || { echo "jobs are left:"; squeue; exit 1; }
echo fine
