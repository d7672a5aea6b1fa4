#!/usr/bin/env python3
"""Reads JSON Lines with Spark: python3 spark_batch.py INPUT OUTPUT_FOLDER

pip install pyspark, Java 17 or newer, and the command toolparse at the same place on every
worker. Each partition is piped through one run of "toolparse batch". The number "line" in a result counts within its partition: records are told apart by
their "id".
"""

import argparse
import shlex
import shutil
import sys

from pyspark.sql import SparkSession


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", help="files of JSON Lines")
    parser.add_argument("folder", help="for the results")
    options = parser.parse_args()
    spark = SparkSession.builder.appName("toolparse").getOrCreate()
    spark.sparkContext.setLogLevel("WARN")
    command = shutil.which("toolparse")
    if command is None:
        sys.exit("spark_batch.py: the command toolparse is not in PATH")
    # Spark runs a task for each core, so that one job of toolparse is enough.
    results = spark.sparkContext.textFile(options.source).pipe(f"{shlex.quote(command)} batch -j 1", checkCode=True)
    results.saveAsTextFile(options.folder)
    spark.stop()


if __name__ == "__main__":
    main()
