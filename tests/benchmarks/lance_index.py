"""LanceDB's indexes over stored vectors. Run by vector_scale, by the Python of a virtual environment that has LanceDB.

    python lance_index.py FOLDER VECTORS INDEX …

reads the file VECTORS, and queries.npy and parts.npy of the folder, and prints a line of JSON for each measurement of
these indexes. Vectors are stored in pieces, so that more of them fit than memory holds.
"""

import json
import resource
import shutil
import sys
import time
from pathlib import Path

import numpy as np

TOP, TOGETHER = 10, 100_000
SEARCHES = {
    "IVF_PQ": [
        {"nprobes": probes, "refine_factor": factor} for probes, factor in ((20, None), (20, 10), (60, 10), (60, 30))
    ],
    "IVF_HNSW_SQ": [
        {"nprobes": probes, "ef": ef, "refine_factor": factor}
        for probes, ef, factor in ((20, 100, None), (20, 100, 5), (60, 100, 5))
    ],
}
FILTERS = {"": None, "1 %": "part = 0", "10 %": "part < 10"}


def table_of(folder, vectors, parts):
    import lancedb  # only in that environment
    import pyarrow

    shutil.rmtree(folder, ignore_errors=True)
    kind = pyarrow.list_(pyarrow.float32(), vectors.shape[1])  # it trains on halves many times slower
    schema = pyarrow.schema({"id": pyarrow.int32(), "part": pyarrow.int32(), "vector": kind})

    def pieces():
        for first in range(0, len(vectors), TOGETHER):
            some = np.arange(first, min(first + TOGETHER, len(vectors)), dtype=np.int32)
            flat = pyarrow.array(vectors[some].astype(np.float32).reshape(-1))
            columns = [pyarrow.array(some), pyarrow.array(parts[some].astype(np.int32))]
            columns.append(pyarrow.FixedSizeListArray.from_arrays(flat, vectors.shape[1]))
            yield pyarrow.RecordBatch.from_arrays(columns, schema=schema)

    return lancedb.connect(folder).create_table("vectors", pieces(), schema=schema)


def search(table, query, how, where):
    wanted = (
        table.search(query, vector_column_name="vector").distance_type("cosine").select(["id", "_distance"]).limit(TOP)
    )
    wanted = wanted.nprobes(how["nprobes"])
    if how["refine_factor"]:
        wanted = wanted.refine_factor(how["refine_factor"])
    if "ef" in how:
        wanted = wanted.ef(how["ef"])
    if where:
        wanted = wanted.where(where, prefilter=True)
    began = time.perf_counter()
    rows = wanted.to_arrow()
    return rows["id"].to_pylist(), 1000 * (time.perf_counter() - began)


def size_of(folder):
    return sum(path.stat().st_size for path in Path(folder).rglob("*") if "_indices" in path.parts and path.is_file())


def main():
    folder, vectors = Path(sys.argv[1]), np.load(sys.argv[2], mmap_mode="r")
    queries, parts = (np.load(folder / f"{name}.npy") for name in ("queries", "parts"))
    table = table_of(str(folder / "lance"), vectors, parts)
    for index in sys.argv[3:]:
        began, worked = time.perf_counter(), time.process_time()
        more = {"num_sub_vectors": 48} if index == "IVF_PQ" else {}
        table.create_index(metric="cosine", vector_column_name="vector", index_type=index, replace=True,
                           num_partitions=max(1, round(len(vectors) ** 0.5 / 4)), **more)  # fmt: skip
        facts = {"built": time.perf_counter() - began, "worked": time.process_time() - worked}
        facts["bytes"] = size_of(folder / "lance")
        for how in SEARCHES[index]:
            for name, where in FILTERS.items():
                for query in queries[:5]:
                    search(table, query, how, where)
                before = time.process_time()
                found, took = zip(*(search(table, query, how, where) for query in queries), strict=True)
                cpu = 1000 * (time.process_time() - before) / len(queries)
                line = {"index": index, "how": how, "filter": name, "found": found, "ms": took, "cpu": cpu, **facts}
                line["peak"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
                print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main()
