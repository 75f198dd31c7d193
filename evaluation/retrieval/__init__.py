"""The retrieval test: how well each lane, the pool and the reader find the gold passages of public question sets.

Source: shared/design/evaluation.md. The shipped cross-encoder learned from none of the questions: HotpotQA rows whose
`origin_split` is "test", the eight articles of SQuAD 2 that training holds back, QMSum's validation meetings. All
passages of a set are searched; of QMSum only the validation meetings.

Each set needs a state folder of its own, since results depend on everything that is searched, and an operator's corpus
must not be changed.
"""
