"""Takes the profiler's counts of every case in a list, on the machine that this runs on.

    take=tests/golden/h200/take.py
    python3 $take build/bin/lanewise-engine tests/golden/h200/cases.txt > tests/golden/h200/counters.csv
    python3 $take build/bin/lanewise-engine assets/recordings/counted.txt \
        > assets/recordings/nvidia-h200-counters.csv

Needs Nsight Compute's `ncu` on the PATH and permission to read the counters. Each case is one
`lanewise-engine run` under the profiler; the counters are those that hardware-exact rules equal
(app/trace/rules.h). Clocks are left alone; counts do not depend on them.
"""
import csv
import datetime
import pathlib
import re
import subprocess
import sys

METRICS = {
    "global_load_requests": "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
    "global_store_requests": "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
    "global_load_sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "global_store_sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
    "shared_load_wavefronts": "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
    "shared_store_wavefronts": "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
}
ROOT = pathlib.Path(__file__).parents[3]


def card():
    query = ["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"]
    return subprocess.run(query, capture_output=True, text=True, check=True).stdout.strip()


def kernel_name(stage):
    source = (ROOT / "kernels" / f"{stage}.cu").read_text()
    return re.search(r"__global__\s+void\s+(\w+)", source)[1]


def counts(engine, case):
    stage, matrix, element, *knobs = case.split()
    rows, cols = matrix.split("x")
    command = ["ncu", "--clock-control", "none", "--csv", "--page", "raw",
               "--metrics", ",".join(METRICS.values()),
               "--kernel-name", f"regex:^{kernel_name(stage)}$", "--launch-count", "1",
               engine, "run", stage, "--rows", rows, "--cols", cols, "--type", element]
    for knob in knobs:
        command += ["--set", knob]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    table = list(csv.reader(line for line in output.splitlines() if line.startswith('"')))
    if len(table) < 3:  # names, units, one launch
        raise RuntimeError(f"the profiler saw no launch of {case}:\n{output}")
    launch = dict(zip(table[0], table[-1]))
    return [int(launch[metric].replace(",", "")) for metric in METRICS.values()]


def main():
    engine, case_list = sys.argv[1:]
    cases = [line for line in pathlib.Path(case_list).read_text().splitlines()
             if line and not line.startswith("#")]
    print(f"# {card()}, Nsight Compute, {datetime.date.today()}")
    print("case," + ",".join(METRICS))
    for case in cases:
        print(",".join([case, *map(str, counts(engine, case))]), flush=True)


if __name__ == "__main__":
    main()
