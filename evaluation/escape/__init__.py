"""The escape test: of falsehoods that a hostile model plants among true sentences, how many would a reader see?

Source: shared/design/evaluation.md. The hostile model (`lectorium.providers.planting.hostile`) answers real questions
from real passages; its drafts go through the product's own gauntlet and checks; labels are known by construction.

Documents (`documents.json`) are those that the training of the shipped cross-encoder never learns from:

- lectures: the four that `training.rows.split_of(lecture, calibrate=0.06)` keeps from training. That rule has no third
  part: they are its "calibrate" part, on which temperature and threshold were fitted. The grounding head, used here,
  learned from none of their sentences; the reading head met paragraphs of theirs as rivals drawn from all lectures,
  and cloze questions of one ("Breathing").
- HotpotQA: rows whose `origin_split` is "test" and whose gold paragraphs occur neither in other rows nor in the
  retrieval pairs or 2Wiki passages; paragraphs that do are left out of the notes too.
- SQuAD 2: the eight articles that training holds back whole.

True sentences: paraphrases written one by one for this test, by no rule (`paraphrases.jsonl`: passage, hash of its
text, claim), and sentences of the passages: as they stand, two merged, or lightly reworded by rules that cannot change
what they say (`planting.rewording`). At least a third is written by hand. Lecture questions were written for their
passages (`questions.jsonl`); those of the other two come with their data.
"""
