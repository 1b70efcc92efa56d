"""Reads what ctest --output-junit wrote.

    results.py RESULTS.xml...                    one line of all, later files in place of earlier
    results.py --skipped TESTS.json RESULTS.xml  ctest's -I for what was skipped; "" for nothing
                                                 (TESTS.json: ctest --show-only=json-v1)
"""
import json
import sys
import xml.etree.ElementTree as xml


def outcome_of(case):
    if case.get("status") == "run":
        return "passed"
    skipped = case.find("skipped")  # by the test's own word; else its program was not there
    by_itself = skipped is not None and (skipped.get("message") or "").startswith("SKIP_")
    return "skipped" if by_itself or case.get("status") == "disabled" else "failed"


def outcomes(path):
    """{test: "passed", "failed" or "skipped"}"""
    return {case.get("name"): outcome_of(case)
            for case in xml.parse(path).getroot().iter("testcase")}


def numbers_of(listed, names):
    """The tests' numbers: ctest counts them in the order in which it shows them."""
    with open(listed, encoding="utf-8") as file:
        tests = json.load(file)["tests"]
    return [number for number, test in enumerate(tests, 1) if test["name"] in names]


def main(arguments):
    if arguments[:1] == ["--skipped"]:
        _, listed, results = arguments
        skipped = {name for name, outcome in outcomes(results).items() if outcome == "skipped"}
        numbers = numbers_of(listed, skipped)
        if numbers:  # start, end and stride name the first alone
            print(",".join(str(each) for each in [numbers[0], numbers[0], 1] + numbers[1:]))
        return 0
    merged = {}
    for path in arguments:
        merged.update(outcomes(path))
    of = {kind: sorted(name for name, one in merged.items() if one == kind)
          for kind in ("passed", "failed", "skipped")}
    for kind in ("skipped", "failed"):
        for name in of[kind]:
            print(f"{kind}: {name}")
    print(f"{len(of['passed'])} passed, {len(of['failed'])} failed, {len(of['skipped'])} skipped")
    return 1 if of["failed"] else 0


sys.exit(main(sys.argv[1:]))
