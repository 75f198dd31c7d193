import json

from scripts.evaluation_lectures import copy_lectures


def written(file, *rows):
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def test_the_lectures_that_questions_and_claims_are_about_are_copied_and_no_others(tmp_path):
    data, copy = tmp_path / "data", tmp_path / "copy"
    written(
        data / "golden" / "dev.jsonl", {"gold": ["CW1:the_first_steps:9"], "gold_alternatives": [["VRE:preface:2"]]}
    )
    written(data / "golden" / "claims_dev.jsonl", {"address": "CW2:the_atman:3"})
    for collection, keys in {
        "vivekananda": ("v1-the_first_steps", "v2-the_first_steps", "v2-the_atman", "v1-krishna", "v1-preface"),
        "william_james": ("preface", "chapter-1", "chapter-11"),
    }.items():
        for table in ("lectures", "paragraphs"):
            written(data / "lectures" / collection / f"{table}.jsonl", *({"lecture": key} for key in keys))
    counts = copy_lectures(data, copy)
    assert set(counts.values()) == {3, 2}
    kept = [
        json.loads(line)["lecture"]
        for file in sorted(copy.glob("*/lectures.jsonl"))
        for line in file.read_text().splitlines()
    ]
    # The natural questions about real lectures are about Krishna and chapter 1, and golden ones about the other three.
    assert kept == ["v1-the_first_steps", "v2-the_atman", "v1-krishna", "preface", "chapter-1"]
