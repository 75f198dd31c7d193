"""Every job a model can do. Each also works without a model, by the rung called "builtin"."""

from dataclasses import dataclass

from lectorium.providers.endpoint import LIAR, RESERVED
from lectorium.providers.speech.folder import is_local_speech

BUILTIN = "builtin"
TRANSCRIBE = "transcribe"  # done by a speech model, not by a chat model


@dataclass(frozen=True, slots=True)
class Job:
    """A job. builtin: how it is done without a chat model. max_tokens, temperature: defaults of a new row.

    used: whether any code asks for it; otherwise a row for it has no effect.
    """

    name: str
    does: str
    builtin: str
    max_tokens: int = 400
    temperature: float = 0.0
    used: bool = True


_ALL = (
    Job("route", "sort a question into a kind", "rules on its words", 60),
    Job("plan", "rephrase and split a question", "keyword form, synonyms, clauses", 300),
    Job("outline", "choose and order the notes that answer", "the notes as ranked", 300),
    Job("synthesize", "write the answer from the notes", "sentences quoted from the sources", 800, 0.2),
    Job("cove", "question a failing draft and repair it", "failing sentences are left out", 800),
    Job("title", "name a conversation", "the first words of its question", 24),
    Job("suggest", "propose next questions", "questions about text beside the citations, if answerable", 120, 0.4),
    Job("fallback", "take over where another model fails", "the job's own builtin", 800, 0.2),
    Job("knowledge", "answer outside the corpus, with a disclaimer", "a refusal", 500, 0.2),
    Job("extract_claims", "split a sentence into claims", "its clauses", 300),
    Job("verify", "judge a claim against its evidence", "the local cross-encoder, or word overlap", 60),
    Job("extract_facts", "read facts from a passage", "patterns on its sentences", 1000),
    Job("ground", "judge a fact against its source", "the local cross-encoder, or word overlap", 60, used=False),
    Job("consistency", "compare two facts", "rules on words and dates, and the local cross-encoder", 80),
    Job("compile_article", "write a topic page from passages", "passages under headings", 1500, 0.2),
    Job(
        "translate",
        "translate questions into English, and answers and what editors publish into other languages",
        "the reader is told, in their language, to ask in English; translations stay missing",
        800,
    ),
    Job("rephrase", "propose other wordings of a pinned question", "questions from the log of refused ones", 400, 0.4),
    Job(TRANSCRIBE, "transcribe a recording without a transcript", "the recording waits for a transcript"),
    Job("contextualize", "situate a passage in its source", "its titles and leading terms", 100),
    Job("judge", "judge answers offline, by another model", "a verifier and key facts", 300),
)
NOT_USED = "not used yet, so a row has no effect"
UNCHECKED = (
    "knowledge",
    "fallback",
    "title",
    "suggest",
    "translate",
)  # their output reaches readers without a check of claims
PREPARING = ("route", "plan", "outline", "translate")  # jobs a reader waits for before the answer starts
JOBS: dict[str, Job] = {job.name: job for job in _ALL}


def check_author(job: str, model: str) -> None:
    """Raise ValueError where this model must not do the job: the hostile model is only allowed where claims are
    checked, and only a service or a local speech model transcribes.
    """
    if job == TRANSCRIBE and model.partition(":")[0] in RESERVED and model != BUILTIN and not is_local_speech(model):
        raise ValueError(
            f"{model} cannot hear: {TRANSCRIBE} needs a service of LECTORIUM_CHAT_ENDPOINTS, "
            "or local:FOLDER of a Whisper model"
        )
    if job in UNCHECKED and model.partition(":")[0] == LIAR:
        raise ValueError(f"{model} writes known falsehoods, and what {job} writes reaches readers unchecked")
