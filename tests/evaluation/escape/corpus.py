"""A tiny corpus in the layout of the evaluation data."""

import json

from evaluation.escape.material import passage_of, sha_of

LECTURES = (
    "The ferry at Lorne was built by Hugh Ballard in 1881. It was the home of two families for nineteen years. Some of "
    "the passengers were traders from the north. Ballard did not sell his share of the ferry.",
    "A good teacher asks what a pupil already knows. The mind is like a lamp in a room without wind. Most pupils have "
    "heard this in March and have forgotten it by May. Patience is the beginning of every craft.",
    "Bread was baked on the island by Ada Merrin in a stone oven. The oven was the property of the parish until 1902. "
    "It served nearly every house of the village. Merrin often gave the first loaf to a traveller.",
    "The orchard of the old school had forty trees. Tomas Vey planted the first of them in April. The boys were in the "
    "habit of climbing the walls. The master of the school punished nobody for that.",
    "Rain is measured in a brass gauge by the harbour. The gauge was a gift of the Danish consul. The keeper writes "
    "the figure in a book at noon. The book has three hundred pages and is almost full.",
)  # fmt: skip


def passage(address, text):
    return passage_of("lecture", address, "A title", text)


def write_rows(path, rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def write_corpus(root):
    """Write data and lists under `root` and return the two folders."""
    data, here = root / "data", root / "here"
    lectures = [
        {"address": f"T:{number}", "lecture": "talk", "title": "A Talk", "text": text}
        for number, text in enumerate(LECTURES, start=1)
    ]
    write_rows(data / "lectures/vivekananda/paragraphs.jsonl", lectures)
    write_rows(
        data / "lectures/william_james/paragraphs.jsonl", [{**lectures[0], "lecture": "another", "address": "X:1"}]
    )
    context = [{"title": f"Page {number}", "sentences": [text]} for number, text in enumerate(LECTURES)]
    hotpot = {"id": "h1", "question": "Who built it?", "context": context, "supporting_facts": [["Page 0", 0]]}
    write_rows(data / "qa/hotpotqa/dev.jsonl", [hotpot])
    squad = [{"passage_id": f"Town#{n}", "title": "Town", "text": text} for n, text in enumerate(LECTURES)]
    write_rows(data / "qa/squad2/passages.jsonl", squad)
    asked = [{"passage_id": f"Town#{n}", "question": "What of it?", "is_impossible": n == 4} for n in range(5)]
    write_rows(data / "qa/squad2/questions_dev.jsonl", asked)
    held = {"lectures": ["talk"], "hotpotqa": ["h1"], "hotpotqa_left_out": ["Page 4"], "squad2": ["Town"]}
    here.mkdir(parents=True)
    (here / "documents.json").write_text(json.dumps(held), encoding="utf-8")
    write_rows(here / "questions.jsonl", [{"passage": f"T:{n}", "question": "And what then?"} for n in (1, 2, 3)])
    claim = "Hugh Ballard put up the ferry of Lorne in 1881."
    row = {"source": "lectures", "passage": "T:1", "sha": sha_of(LECTURES[0]), "claim": claim}
    write_rows(here / "paraphrases.jsonl", [row])
    return data, here
