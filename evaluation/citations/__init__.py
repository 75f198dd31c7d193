"""Measures whether the citations under an answer support its sentences, with judges other than the live verifier.

Precision: citations that support their sentence, of all citations shown. Recall: factual sentences shown that their
citations together support, of all factual sentences shown. Source: shared/design/evaluation.md.

Three judges: *labels* know from which passage a paraphrase was written, so they only judge answers made of paraphrases;
*words* counts shared words and ignores word order and negation; *meaning* compares embeddings and ignores numbers and
negation. The report shows how the last two do on labelled pairs.
"""
