"""A question set of four short passages, in the layout of the public ones."""

import json


def lines(path, rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


TEXTS = {
    "Iblis": "Only Iblis refused to bow to the newly made man in the garden.",
    "Banyan": "The banyan tree sometimes lives for five thousand years beside the river.",
    "Compass": "The gardener buried a silver compass under the seventh almond tree.",
    "Lantern": "A keeper lit the copper lantern above the northern harbour every night.",
}


def write_data(data):
    """Write tiny versions of HotpotQA, 2Wiki, SQuAD 2 and QMSum."""
    context = [{"title": title, "sentences": [text]} for title, text in TEXTS.items()]
    asked = {"question": "Who refused to bow, and which tree lives five thousand years?", "context": context}
    gold = {"supporting_facts": [["Iblis", 0], ["Banyan", 0], ["Iblis", 0]]}
    lines(
        data / "qa/hotpotqa/dev.jsonl",
        [{"id": "1", "origin_split": "test", **asked, **gold}, {"id": "2", "origin_split": "dev", **asked, **gold}],
    )
    lines(data / "qa/2wiki_passages/corpus.jsonl", [{"id": "2wiki-0", "title": "Iblis", "text": "A spirit of fire."}])
    passages = [{"passage_id": f"Oxygen#{n}", "title": "Oxygen", "text": text} for n, text in enumerate(TEXTS.values())]
    lines(data / "qa/squad2/passages.jsonl", passages)
    squad = [
        ("Oxygen", "Where did the gardener bury the silver compass?", "Oxygen#2", False),
        ("Oxygen", "Which penicillin did Fleming discover in London?", "Oxygen#2", True),
        ("Geology", "Who lit the copper lantern?", "Oxygen#3", False),
    ]
    lines(
        data / "qa/squad2/questions_dev.jsonl",
        [{"title": t, "question": q, "passage_id": p, "is_impossible": none} for t, q, p, none in squad],
    )
    turns = [{"speaker": name, "content": text} for name, text in TEXTS.items()]
    lines(data / "qa/qmsum/val.jsonl", [{"meeting_id": "M1", "meeting_transcripts": turns}])
    spans = {"meeting_id": "M1", "question": "What was said about the banyan tree?", "turn_spans": [[1, 2]]}
    lines(data / "qa/qmsum/questions.jsonl", [{"split": "val", **spans}, {"split": "train", **spans}])
    return data
