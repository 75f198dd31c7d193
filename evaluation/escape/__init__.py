"""The escape test: how many falsehoods, planted by a hostile model among true sentences, would a reader see?

Source: shared/design/evaluation.md. The hostile model (`lectorium.providers.planting.hostile`) answers real questions
from real passages. Its drafts go through the product's gauntlet and checks; labels are known by construction.

The documents (`documents.json`) are held out from the training of the shipped cross-encoder:

- lectures: the four that `training.rows.split_of(lecture, calibrate=0.06)` keeps from training. They are its
  "calibrate" split, on which temperature and threshold were fitted. The grounding head, used here, learned from none of
  their sentences; the reading head saw some of their paragraphs as negatives, and cloze questions on one ("Breathing").
- HotpotQA: rows whose `origin_split` is "test" and whose gold paragraphs occur neither in other rows nor in the
  retrieval pairs or 2Wiki passages. Paragraphs that do occur there are also left out of the notes.
- SQuAD 2: the eight articles that training holds back.

True sentences are paraphrases written by hand for this test (`paraphrases.jsonl`: passage, hash of its text, claim; at
least a third of all), and sentences of the passages: verbatim, two merged, or lightly reworded by rules that keep the
meaning (`planting.rewording`). Lecture questions were written for their passages (`questions.jsonl`); the others come
with their data.
"""
