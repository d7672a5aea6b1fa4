#!/usr/bin/env python3
"""Compares parse_many with Kit.Parse of the Go library, by the time for each text.

    python3 many_speed.py    # with the wheel installed, and Go; some minutes

Both read the same texts, each of which has one call, in the dialects hermes and qwen3_coder in
turns, and both keep all results until the last. Go does it in one goroutine. "read" is
parse_many and a loop over the name and the arguments of every call; the results are dropped
within the time, too. These are times of the processor, of all threads together. "elapsed" is what
"read" takes by the clock: Go parses the next texts on all cores while Python makes results.
Each is the least of many rounds in turns.
"""

import argparse
import json
import pathlib
import random
import subprocess
import tempfile
import time

import speed
import toolparse

HERE = pathlib.Path(__file__).resolve().parent
SIZES = [("2 KB", 1_000, 100), ("2 KB", 20_000, 15), ("150 bytes", 1_000, 100), ("150 bytes", 100_000, 15)]  # kind, texts, rounds


def long_text(n):
    return speed.record(n)["choices"][0]["message"]["content"]


def short_text(n):
    arguments = {"city": random.Random(n).choice(("Oslo", "Paris", "Rome")), "days": n % 10}
    if n % 2:
        call = json.dumps({"name": "get_weather", "arguments": arguments})
    else:
        tags = "".join(f"<parameter={key}>\n{value}\n</parameter>\n" for key, value in arguments.items())
        call = f"<function=get_weather>\n{tags}</function>"
    return f"I look at the weather first.\n<tool_call>\n{call}\n</tool_call>"


def read(texts):
    for result in toolparse.parse_many(texts):
        for call in result.calls:
            if not call.name or call.arguments is None:
                raise SystemExit(f"many_speed.py: not read: {result}")


def microseconds(work, texts):
    """The time of the processor and that by the clock, for a text."""
    begun = time.process_time(), time.perf_counter()
    work(texts)
    ended = time.process_time(), time.perf_counter()
    return [(end - begin) / len(texts) * 1e6 for begin, end in zip(begun, ended)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.parse_args()
    make = {"2 KB": long_text, "150 bytes": short_text}
    with tempfile.TemporaryDirectory() as folder:
        command = pathlib.Path(folder) / "parsespeed"
        subprocess.run(["go", "build", "-o", command, "./python/internal/parsespeed"], cwd=HERE.parent.parent, check=True)
        print("text\ttexts\tKit.Parse\tparse_many\tread\telapsed")
        for kind, count, rounds in SIZES:
            texts = [make[kind](n) for n in range(count)]
            least = dict.fromkeys(("go", "parse_many", "read", "elapsed"), float("inf"))
            with subprocess.Popen([command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as go:
                go.stdin.write(json.dumps(texts) + "\n")
                for _ in range(rounds):
                    go.stdin.write("\n")
                    go.stdin.flush()
                    least["go"] = min(least["go"], int(go.stdout.readline()) / count / 1e3)
                    least["parse_many"] = min(least["parse_many"], microseconds(toolparse.parse_many, texts)[0])
                    used, elapsed = microseconds(read, texts)
                    least["read"], least["elapsed"] = min(least["read"], used), min(least["elapsed"], elapsed)
                go.stdin.close()
            columns = [f"{least['go']:.1f} µs"] + [f"{t:.1f} µs, {t / least['go']:.2f} times" for t in (least["parse_many"], least["read"], least["elapsed"])]
            print(kind, count, *columns, sep="\t", flush=True)


if __name__ == "__main__":
    main()
