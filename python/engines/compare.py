#!/usr/bin/env python3
"""Runs the same records through batch, Ray Data and Spark, and compares their results.

    pip install -r requirements.txt toolparse-*.whl    # and Java 17 or newer for Spark
    python3 compare.py 200000 [FOLDER]

It generates that many mixed records, counts with DuckDB what each engine has found by dialect
and status, and fails where two differ, or where any result does, its number "line" aside. It
prints the time of each, its start included, and how many times that of batch alone it is.
"""

import argparse
import glob
import hashlib
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
# The command of the wheel and, for the workers of Spark, this Python stand first in PATH.
ENVIRONMENT = {
    **os.environ,
    "PATH": f"{pathlib.Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
    "PYSPARK_PYTHON": sys.executable,
    "RAY_AUTH_MODE": "disabled",  # a cluster of this machine alone needs no token
}


def run(*command, out=None):
    """Runs a command and returns its seconds."""
    begun = time.monotonic()
    with open(out or os.devnull, "wb") as stdout:
        done = subprocess.run(command, stdout=stdout, stderr=subprocess.PIPE, env=ENVIRONMENT)
    if done.returncode != 0:
        sys.exit(f"compare.py: {command} failed:\n{done.stderr.decode(errors='replace')[-4000:]}")
    return time.monotonic() - begun


def counts(folder, *results):
    """What DuckDB counts in files of results."""
    out = folder / "counts.tsv"
    run(sys.executable, HERE / "duckdb_counts.py", *results, out=out)
    return out.read_text()


LINE = re.compile(rb'^\{"line":[0-9]+,?')


def digest(*results):
    """A number for all results in files, whatever their order and their lines."""
    total = 0
    for pattern in results:
        for path in glob.glob(str(pattern)):
            with open(path, "rb") as lines:
                for line in lines:
                    text = LINE.sub(b"{", line.rstrip(b"\n"), count=1)
                    total += int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "big")
    return f"{total % 2**64:016x}"


def compare(records, folder):
    source = folder / "records.jsonl"
    run(sys.executable, HERE / "generate.py", str(records), out=source)
    print(f"{records} records, {source.stat().st_size / 1e6:.0f} MB, {os.cpu_count()} processors", flush=True)
    engines = {
        "batch": (["toolparse", "batch", "-o", folder / "batch.jsonl", source], [folder / "batch.jsonl"]),
        "ray": ([sys.executable, HERE / "ray_batch.py", source, folder / "ray"], [folder / "ray" / "*"]),
        "spark": ([sys.executable, HERE / "spark_batch.py", source, folder / "spark"], [folder / "spark" / "part-*"]),
    }
    alone, expected, differ = 0.0, "", False
    for name, (command, results) in engines.items():
        seconds = run(*command)
        found = counts(folder, *results) + "digest\t\t" + digest(*results)
        if name == "batch":
            alone, expected = seconds, found
        verdict = "equal" if found == expected else "DIFFERENT"
        differ = differ or found != expected
        print(f"{name}\t{seconds:.1f} s\t{seconds / alone:.1f} times batch\t{verdict}", flush=True)
        if found != expected:
            print(found)
    print(expected)
    return differ


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("records", type=int, help="how many")
    parser.add_argument("folder", type=pathlib.Path, nargs="?", help="a new folder for the records and the results")
    options = parser.parse_args()
    if options.folder is None:
        with tempfile.TemporaryDirectory() as folder:
            sys.exit(compare(options.records, pathlib.Path(folder)))
    folder = options.folder.resolve()
    if folder.exists():
        parser.error(f"{folder} exists; name a new folder, because Spark does not write into an old one")
    folder.mkdir(parents=True)
    sys.exit(compare(options.records, folder))


if __name__ == "__main__":
    main()
