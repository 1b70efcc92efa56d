"""Three students of one server whose engines srun starts: slurm_students.py ENGINE FAKE_DRIVER FOLDER [CASE…].
slurm_test.sh starts the Slurm. Exit status: 0 fine, 1 faults."""
import os
import subprocess
import sys
import time

import hub_client
import hostile  # noqa: E402  by way of hub_client
from hub_client import Listening, Server, board, job, tokens_file

ENGINE, DRIVER, FOLDER = sys.argv[1:4]
CHOSEN = sys.argv[4:]  # cases; none: all
NAMES = ("ada", "bert", "cleo")
PATIENCE_S = 300
faults = []


def expect(condition, what):
    if not condition:
        faults.append(what)
        print("FAULT", what[:1000], flush=True)


def jobs():
    """How many Slurm knows of, running or waiting."""
    return len(subprocess.run(["squeue", "-h"], capture_output=True, text=True, check=True).stdout.splitlines())


def until(condition, what):
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        if condition():
            return
        time.sleep(0.2)
    expect(False, what)


def server(name, prefix):
    folder = os.path.join(FOLDER, name)  # both ends see it under one path
    tokens = tokens_file(folder, mx="mx-mx-mx-mx-mx-mx-mx teacher", **{name: token(name) for name in NAMES})
    environment = dict(os.environ, LANEWISE_CUDA_DRIVER=DRIVER, LANEWISE_NVML=DRIVER)
    return Server(ENGINE, folder, "--token-file", tokens, "--engine-prefix", prefix, environment=environment)


def token(name):
    return f"token-of-{name}-0123456789"


def of_type(type):
    return lambda message: message["type"] == type


def three_share_a_card():
    with server("shared", "srun --gres=shard:1 --quiet") as its:
        sockets = [Listening(its, token(name)) for name in NAMES]
        for socket in sockets:
            status = socket.wait_for(of_type("status"), "status")
            expect(status["gpu"] and status["gpu"]["name"] == "Fake GPU", f"the card at the far end: {status}")
        expect(jobs() == 3, f"{jobs()} jobs in Slurm, not 3")
        for i, socket in enumerate(sockets):
            socket.send(1, "picture", {"job": job("transpose/30_padded", PAD=i % 2), "block": 0})
            socket.send(2, "measure", {"job": hostile.job("fine"), "options": {"samples": 3}})
        for name, socket in zip(NAMES, sockets):
            for id in (1, 2):
                answer = socket.answer(id)
                expect(answer["type"] == "result", f"{name}, {id}: {str(answer)[:400]}")
        rows = board(its, "mx-mx-mx-mx-mx-mx-mx")["students"]
        expect([row["name"] for row in rows] == list(NAMES), f"the board: {rows}")
        sockets[0].__exit__()
        until(lambda: jobs() == 2, "who left still has a job")
        expect(sockets[1].ask(3, "ping")["type"] == "result", "the others go on")
        its.stop()
        until(lambda: jobs() == 0, "jobs are left after the server")
        for socket in sockets[1:]:
            socket.__exit__()


def who_waits_for_a_card_is_told():
    """A card for each student, and one card: the second waits in Slurm's queue, is not lost, and comes next."""
    with server("alone", "srun --gres=gpu:1 --quiet") as its:
        with Listening(its, token("ada")) as ada:
            ada.wait_for(of_type("hello"), "greeting")
            with Listening(its, token("bert")) as bert:
                bert.socket.send({"type": "class", "do": "hello"})
                bert.wait_for(of_type("beat"), "sign of life before the greeting", count=2)
                bert.wait_for(lambda m: "waits for a free place" in m.get("class", {}).get("said", ""), "word about the queue")
                expect(not any(m["type"] == "hello" for m in bert.heard), "two engines have the one card")
                ada.__exit__()
                bert.wait_for(of_type("hello"), "greeting once the card is free")
                expect(bert.ask(1, "ping")["type"] == "result", "its engine")
        # The desktop waits likewise: what comes before the greeting is not for it.
        with Listening(its, token("ada")) as ada:
            ada.wait_for(of_type("hello"), "greeting")
            run = subprocess.Popen([ENGINE, "run", os.path.join(hostile.KERNELS, "fine.cu"), "--rows", "64", "--cols", "64", "--engine",
                                    f"ws://127.0.0.1:{its.port}"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                   env=dict(os.environ, LANEWISE_TOKEN=token("bert")))
            until(lambda: jobs() == 2, "the desktop's job is not in the queue")
            time.sleep(12)  # two beats of the server's
            expect(run.poll() is None, "the desktop did not wait")
        said = run.communicate(timeout=PATIENCE_S)[0]
        expect(run.returncode == 0 and "Fake GPU" in said, f"the desktop: {run.returncode} {said}")
    until(lambda: jobs() == 0, "jobs are left")


def main():
    for case in (three_share_a_card, who_waits_for_a_card_is_told):
        if CHOSEN and case.__name__ not in CHOSEN:
            continue
        begun = time.monotonic()
        case()
        print(f"{case.__name__}: {time.monotonic() - begun:.1f} s", flush=True)
    print("fine" if not faults else f"{len(faults)} faults")
    sys.exit(1 if faults else 0)


main()
