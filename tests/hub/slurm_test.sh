#!/bin/sh
# A class's server whose engines Slurm places: three students through `--engine-prefix "srun …"`, on a real
# Slurm of one node with a GPU that is only a name.
#     slurm_test.sh ENGINE FAKE_DRIVER [CASE…]      exit status 77: skipped, and why
set -eu
engine=$1 driver=$2
shift 2
here=$(dirname "$0")
. "$here/../programs/one_node_slurm.sh"
python3 "$here/slurm_students.py" "$engine" "$driver" "$folder" "$@"
