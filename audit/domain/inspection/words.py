"""Words for the names in a trace, so that staff read no keys. A test compares them with the names that chat uses."""

from collections.abc import Mapping
from types import MappingProxyType


def _fixed(**names: str) -> Mapping[str, str]:
    return MappingProxyType(names)


LANES = _fixed(
    address="by address",
    curated="by an editor’s choice",
    dense="by meaning",
    sentence="by one sentence",
    lexical="by words",
    spelling="by spelling",
    neighbourhood="near the last citation",
)
CUTS = _fixed(
    prefloor="below the floor: too far from the question",
    duplicate="the same text as a better one",
    per_source="its source already has its share",
    top_k="below the number of passages that are kept",
    copy="it says nearly the same as a passage of the same upload",
    cap="the pool was full; not measured",
)
SCORES = _fixed(
    similarity="meaning",
    sentence_similarity="best sentence",
    term_share="words",
    relevance="on the subject",
    answerability="answers it",
    rerank_score="final",
)
SIGNALS = _fixed(
    answerability="The reader finds an answer",
    clip_answerability="The first clip answers",
    clip_lead="The first clip is ahead of the second",
    clip_level="All judged clips answer, on average",
    closeness="Closeness of the best passage",
    known_share="Words of the question that the corpus knows",
    names_share="Names of the question in the evidence",
    relevance="The best passage is on the subject",
    sentence_similarity="Closeness of the best sentence",
)
DECISIONS = _fixed(
    answer="answer",
    outside_corpus="refuse: the sources do not speak of this",
    thin_evidence="refuse: too little to answer from",
    unanswerable="refuse: the passages touch on it but do not answer it",
    false_premise="refuse: no passage names everything that the question names",
    empty_outline="refuse: the outline found no answer",
    conflicting_sources="refuse: the sources say opposite things",
    model_abstained="refuse: the model found no answer in the passages",
    unsupported_claims="refuse: no sentence could be traced to its source",
)
OUTCOMES = _fixed(
    grounded="answered",
    partially_grounded="answered in part",
    out_of_corpus="answered from general knowledge",
    closest_passage="closest passage shown",
    refused="refused",
    no_retrieval="answered without a search",
    asked_back="asked back",
    interrupted="stopped",
    failed="failed",
)
VERDICTS = _fixed(
    supported="supported",
    partial="partly supported",
    inferred="inferred",
    unsupported="not supported",
    contradicted="the source says otherwise",
)
GUARDS = _fixed(
    address="addresses",
    attribution="who said it",
    echo="repeats the question",
    gauntlet="the gauntlet",
    repeated="repetition",
    snippet="quotations",
    terms="names and numbers",
    time="moments of recordings",
    uncited="no citation",
    verifier="the verifier",
    wording="wording",
)
REMOVALS = _fixed(
    unsupported_claims="the source does not say it",
    uncited="no source was given for it",
    echo="it only repeats the question",
    repeated="it was said already",
    other_scope="said only outside what was asked about",
    SNIPPET_MISMATCH="the quotation is not in the source",
    snippet_mismatch="the quotation is not in the source",
    TIME_MISMATCH="the moment is not in the recording",
    time_mismatch="the moment is not in the recording",
)
DROPS = _fixed(
    never_minted="a citation of a source that the model was not given",
    unknown_card="a reference to a verse or chapter that the model was not given",
    unfired_action="an action that did not happen",
    malformed="a broken citation",
    repeated="a repeated citation",
    leaked_token="a token of the model’s own format",  # noqa: S106 - the name of a reason
    link="a link",
    html="HTML",
    fence="a code fence",
    footnote_list="a list of footnotes",
)
STAGES = _fixed(
    route="Sort the question",
    plan="Plan",
    retrieve="Retrieve",
    discard="Read and discard",
    synthesize="Write or quote",
    verify="Verify",
    total="Whole turn",
)


def in_words(names: Mapping[str, str], name: object) -> str:
    """The words for a name; an unknown one is shown with its underscores as spaces."""
    text = str(name or "")
    return names.get(text, text.replace("_", " "))
