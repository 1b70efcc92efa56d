#!/usr/bin/env python3
"""Takes the golden counters: what Nsight Compute counts for each case, as CSV on stdout.

    take.py stages ENGINE CASES [NCU OPTION …]  > counters.csv
    take.py own    ENGINE CASES [NCU OPTION …]  > own_counters.csv

`stages`: a line of CASES is STAGE ROWSxCOLS TYPE [KNOB=VALUE …] (cases.txt). `own`: a line is the
arguments of `lanewise-engine run` (own_cases.txt), paths from the folder of CASES. ENGINE is the
program `lanewise-engine`. Only exact counters are taken (app/trace/count/rules.h says which those are).
Counters that this version of Nsight Compute does not know are left out, and named on stderr, as are
cases that could not be launched. Needs the right to read the card's counters."""
import csv
import datetime
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

STAGE_METRICS = {
    "global_load_requests": "l1tex__t_requests_pipe_lsu_mem_global_op_ld",
    "global_store_requests": "l1tex__t_requests_pipe_lsu_mem_global_op_st",
    "global_load_sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_ld",
    "global_store_sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_st",
    "shared_load_wavefronts": "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld",
    "shared_store_wavefronts": "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st",
}
SASS = "smsp__sass_"
WAVEFRONTS = SASS + "l1tex_data_pipe_lsu_wavefronts_mem_shared_op_"
# Of kernels that are no stages, under the profiler's own names.
OWN_METRICS = [
    *(f"l1tex__t_{unit}_pipe_lsu_mem_global_op_{op}"
      for unit in ("requests", "sectors") for op in ("ld", "st", "atom", "red")),
    *(f"{SASS}l1tex_t_{unit}_pipe_lsu_mem_global_op_ldgsts" for unit in ("requests", "sectors")),
    *(WAVEFRONTS + op for op in ("ld", "st", "atom", "ldgsts", "ldsm")),
    *(f"{SASS}inst_executed_op_{op}"
      for op in ("global_ld", "global_st", "global_atom", "global_red", "shared_ld", "shared_st",
                 "shared_atom", "ldgsts", "ldsm", "tma_ld", "tma_st")),
    # Of bulk copies, between the tensor memory accelerator and the L2.
    *(f"l1tex__m_xbar2l1tex_read_{unit}_mem_global_op_tma_ld" for unit in ("sectors", "bytes")),
    *(f"l1tex__m_l1tex2xbar_write_{unit}_mem_global_op_tma_st" for unit in ("sectors", "bytes"))]
ROOT = pathlib.Path(__file__).parents[3]
KERNEL = re.compile(r"__global__\s+void\s+(?:__\w+__\([^)]*\)\s*)*(?://.*\s+)?(\w+)")
AT_ONCE = 16  # cases under one profiler, which takes longer to start than a case to run


def say(text):
    print(text, file=sys.stderr, flush=True)


def run(command, **more):
    return subprocess.run(command, capture_output=True, text=True, check=False, **more)


def card():
    query = ["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"]
    return run(query).stdout.split("\n")[0].strip()  # all cards of a host are of one kind


def known_metrics():
    lines = run(["ncu", "--query-metrics"]).stdout.splitlines()
    return [words[0] for words in (line.split() for line in lines) if words and "__" in words[0]]


class Case:
    """name: the first column; command: the engine's arguments; kernel: the function's name."""

    def __init__(self, name, command, kernel):
        self.name, self.command, self.kernel = name, command, kernel


def stage_case(line, _folder):
    stage, matrix, element, *knobs = line.split()
    rows, cols = matrix.split("x")
    command = ["run", stage, "--rows", rows, "--cols", cols, "--type", element]
    for knob in knobs:
        command += ["--set", knob]
    source = (ROOT / "kernels" / f"{stage}.cu").read_text()
    return Case(line, command, KERNEL.search(source)[1])


def own_case(line, folder):
    file, *options = shlex.split(line)
    name = options[options.index("--kernel") + 1]
    return Case(line, ["run", str(folder / file), *options, "--once"], name.split("<")[0])


def profile(engine, cases, metrics, options):
    """{case name: {metric: count}} of the cases whose kernel the profiler saw once or more."""
    with tempfile.TemporaryDirectory() as folder:
        script = pathlib.Path(folder) / "cases.sh"
        lines = [f"echo $$ {i} >> {folder}/started; exec {shlex.join([engine, *case.command])}"
                 for i, case in enumerate(cases)]
        script.write_text("\n".join(f"sh -c {shlex.quote(line)} >/dev/null" for line in lines))
        kernels = "|".join(sorted({case.kernel for case in cases}))
        command = ["ncu", "--clock-control", "none", "--csv", "--page", "raw",
                   "--print-units", "base", "--target-processes", "all",
                   "--metrics", ",".join(metric + ".sum" for metric in metrics),
                   "--kernel-name", f"regex:^({kernels})$", *options, "sh", str(script)]
        done = run(command)
        started = {}
        if (pathlib.Path(folder) / "started").exists():
            for line in (pathlib.Path(folder) / "started").read_text().splitlines():
                process, index = line.split()
                started[process] = cases[int(index)].name
    table = list(csv.DictReader(line for line in done.stdout.splitlines() if line.startswith('"')))
    counts = {}
    for row in table:
        name = started.get(row.get("Process ID", ""))
        if len(cases) == 1 and row.get("ID", ""):
            name = cases[0].name
        if name and name not in counts:  # the first launch, whose input is known
            counts[name] = {metric: count(row.get(metric + ".sum", "")) for metric in metrics}
    if len(counts) < len(cases):
        say(f"{len(counts)} of {len(cases)} cases seen\n{done.stderr[-2000:]}"
            + "\n".join(line for line in done.stdout.splitlines() if line.startswith("==")))
    return counts


def count(text):
    """None where the profiler has no number, as of a launch that failed ("nan")."""
    text = text.replace(",", "")
    return int(float(text)) if text and text != "nan" else None


def wanted_metrics(kind):
    if kind == "stages":
        return list(STAGE_METRICS.values())
    known = set(known_metrics())
    for name in OWN_METRICS:
        if name not in known:
            say(f"left out, because this ncu does not know it: {name}")
    return [name for name in OWN_METRICS if name in known]


def take(engine, cases, metrics, options, at_once, write):
    """Calls write(case, {metric: count}) for each case as soon as it is known."""
    for first in range(0, len(cases), at_once):
        chunk = cases[first:first + at_once]
        counts = profile(engine, chunk, metrics, options)
        for case in chunk:
            if case.name not in counts and at_once > 1:
                counts |= profile(engine, [case], metrics, options)
            if case.name in counts:
                write(case, counts[case.name])
            else:
                say(f"left out, because the profiler saw no launch: {case.name}")
        say(f"{datetime.datetime.now():%H:%M:%S} {first + len(chunk)} of {len(cases)}")


def main():
    kind, engine, case_list, *options = sys.argv[1:]
    engine = str(pathlib.Path(engine).resolve())
    file = pathlib.Path(case_list).resolve()
    make = {"stages": stage_case, "own": own_case}[kind]
    cases = [make(line, file.parent) for line in file.read_text().splitlines()
             if line and not line.startswith("#")]
    metrics = wanted_metrics(kind)
    say(f"{len(metrics)} counters: {' '.join(metrics)}")
    print(f"# {card()}, Nsight Compute, {datetime.date.today()}")
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(["case", *(STAGE_METRICS if kind == "stages" else metrics)])

    def write(case, counts):
        writer.writerow([case.name, *counts.values()])
        sys.stdout.flush()

    if kind == "stages":  # a stage is launched many times, of which one is enough
        take(engine, cases, metrics, [*options, "--launch-count", "1"], 1, write)
    else:
        take(engine, cases, metrics, options, AT_ONCE, write)


if __name__ == "__main__":
    main()
