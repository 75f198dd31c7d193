"""Do the citations under an answer support its sentences? Judged by others than the verifier that let them through.

Precision: citations that support their sentence, of all citations shown. Recall: factual sentences shown that their
citations together support, of all factual sentences shown. Source: shared/design/evaluation.md.

Three judge, and none of them reads like a person: *labels* say from which passage a paraphrase was written, and so only
judge answers that are made of paraphrases; *words* count shared words, blind to their order and to a "not"; *meaning*
compares embeddings, blind to numbers and negations. The last two are only as good as their figures on the labelled
pairs, which stand beside theirs.
"""
