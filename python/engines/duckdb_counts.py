#!/usr/bin/env python3
"""Counts what toolparse batch has written, with DuckDB: python3 duckdb_counts.py results.jsonl...

pip install duckdb. It reads JSON Lines, plain or compressed, and the text that Spark writes.
"""

import argparse

import duckdb

COUNTS = """
with results as (
    select * from read_json(?, format = 'newline_delimited', maximum_object_size = 67108864, columns = {
        'error': 'varchar', 'calls': 'struct(name varchar, dialect varchar, status varchar)[]'
    })
), calls as (
    select unnest(calls) as call from results
)
select case when error is null then 'record' else 'error' end, '', count(*) from results group by all
union all
select call.dialect, call.status, count(*) from calls group by all
order by 1, 2
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", nargs="+", help="files, or patterns of them")
    for dialect, status, n in duckdb.execute(COUNTS, [parser.parse_args().results]).fetchall():
        print(f"{dialect}\t{status}\t{n}")


if __name__ == "__main__":
    main()
