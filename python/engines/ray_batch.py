#!/usr/bin/env python3
"""Reads JSON Lines with Ray Data: python3 ray_batch.py INPUT OUTPUT_FOLDER

pip install "ray[data]" and the wheel of toolparse, on every node. Each batch of lines is one
call of toolparse.parse_records; the results are written as JSON Lines, a file for each block.
The number "line" in a result counts within its batch: records are told apart by their "id".
"""

import argparse

import pyarrow
import ray
from ray.data.block import BlockAccessor
from ray.data.datasource import BlockBasedFileDatasink

import toolparse

BATCH = 4096  # lines; a batch and its results are in memory at once


def read(batch: pyarrow.Table) -> pyarrow.Table:
    lines = batch.column("text").to_pylist()
    return pyarrow.table({"result": toolparse.parse_records(lines)})


class Lines(BlockBasedFileDatasink):
    """Writes the results as they are."""

    def __init__(self, path):
        super().__init__(path, file_format="jsonl")

    def write_block_to_file(self, block: BlockAccessor, file):
        for result in block.to_arrow().column("result").to_pylist():
            file.write(result.encode() + b"\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", help="files of JSON Lines")
    parser.add_argument("folder", help="for the results")
    options = parser.parse_args()
    ray.data.DataContext.get_current().enable_progress_bars = False
    results = ray.data.read_text(options.source).map_batches(read, batch_size=BATCH, batch_format="pyarrow", zero_copy_batch=True)
    results.write_datasink(Lines(options.folder))


if __name__ == "__main__":
    main()
