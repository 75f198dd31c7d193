"""LanceDB's indexes over stored vectors. Run by vector_scale, by the Python of a virtual environment that has LanceDB.

    python lance_index.py FOLDER INDEX …

reads vectors.npy, queries.npy and parts.npy of the folder and prints a line of JSON for each measurement of these
indexes.
"""

import json
import resource
import shutil
import sys
import time
from pathlib import Path

import numpy as np

TOP = 10
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
    flat = pyarrow.array(vectors.reshape(-1), type=pyarrow.float32())  # it trains on halves many times slower
    columns = {
        "id": pyarrow.array(np.arange(len(vectors), dtype=np.int32)),
        "part": pyarrow.array(parts.astype(np.int32)),
        "vector": pyarrow.FixedSizeListArray.from_arrays(flat, vectors.shape[1]),
    }
    return lancedb.connect(folder).create_table("vectors", pyarrow.table(columns))


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
    folder = Path(sys.argv[1])
    vectors, queries, parts = (np.load(folder / f"{name}.npy") for name in ("vectors", "queries", "parts"))
    vectors = vectors.astype(np.float32)
    table = table_of(str(folder / "lance"), vectors, parts)
    for index in sys.argv[2:]:
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
