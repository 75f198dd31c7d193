"""A chat model that translates what a test told it, and nothing else."""

from contextlib import contextmanager

from lectorium.ladder.models import Rung
from lectorium.ladder.services import rung_save
from lectorium.providers import registry
from lectorium.providers.errors import Unreachable
from lectorium.providers.protocols import Piece

MODEL = "scripted:translate"


class Translator:
    """words: source → translation, for any language. A source that it does not know is a fault."""

    name = MODEL

    def __init__(self, words):
        self.words, self.asked, self.prompts = dict(words), [], []

    async def stream(self, messages, *, max_tokens, temperature, schema=None, tool=None):
        source = "\n".join(line.removeprefix("| ") for line in messages[-1].text.splitlines()[1:])
        self.asked.append(source)
        self.prompts.append(messages[0].text)
        if source not in self.words:
            raise Unreachable(f"no translation of {source!r}")
        yield Piece(self.words[source])
        yield Piece(tokens_in=1, tokens_out=1, truncated=len(self.words[source].split()) > max_tokens)


@contextmanager
def translating(words, max_tokens=200):
    """Give the job `translate` to a translator of these words."""
    row = Rung.objects.filter(job="translate").first() or Rung(job="translate", model=MODEL)
    row.max_tokens = max_tokens
    rung_save(rung=row, by="tests")
    translator = Translator(words)
    registry.replace_model(MODEL, translator)
    try:
        yield translator
    finally:
        registry.replace_model(MODEL, None)
