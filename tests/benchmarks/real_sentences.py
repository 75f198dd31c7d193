"""Distinct sentences of real texts of many kinds: lectures, scripture, encyclopedias and meetings."""

import random

from django.conf import settings

from corpus.domain.text.sentences import sentence_spans
from lectorium.management.json_lines import read_objects

LEAST_WORDS = 4
FILES = {
    "lectures/vivekananda/paragraphs.jsonl": lambda row: [row["text"]],
    "lectures/william_james/paragraphs.jsonl": lambda row: [row["text"]],
    "works/kjv/verses.jsonl": lambda row: [row["text"]],
    "qa/squad2/passages.jsonl": lambda row: [row["text"]],
    "qa/2wiki_passages/corpus.jsonl": lambda row: [row["text"]],
    "qa/hotpotqa/dev.jsonl": lambda row: ["".join(passage["sentences"]) for passage in row["context"]],
    "qa/qmsum/train.jsonl": lambda row: [turn["content"] for turn in row["meeting_transcripts"]],
}


def real_sentences(count):
    """So many distinct sentences in a seeded order, or all there are."""
    found = {}
    for name, texts_of in FILES.items():
        for row in read_objects(settings.DATA_DIR / name, {}):
            for text in texts_of(row):
                sentences = (text[start:end] for start, end in sentence_spans(text))
                found |= dict.fromkeys(sentence for sentence in sentences if len(sentence.split()) >= LEAST_WORDS)
    drawn = list(found)
    random.Random(0).shuffle(drawn)
    return drawn[:count]
