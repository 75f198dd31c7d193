"""The retrieval test: over public question sets, does each lane, the pool and the reader find what answers?

Source: shared/design/evaluation.md. Only questions are asked from which the shipped cross-encoder never learned:
HotpotQA rows whose `origin_split` is "test", the eight articles of SQuAD 2 that training holds back, QMSum's validation
meetings. The passages searched are the whole of each set's, QMSum's excepted: its validation meetings alone.

Each set needs a state of its own: what is measured depends on everything else that is searched, and nothing of an
operator's corpus may be mixed with it.
"""
