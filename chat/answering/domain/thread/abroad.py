"""Whether a question in another language than English leans on the one before it. The rules of `kinds` read English.

A multilingual space reads two questions in a row as one topic, so such a question is searched with the last one.
"""

import re
from collections.abc import Callable, Sequence

from chat.answering.domain.question import HistoryMessage
from corpus.domain.text.folding import strip_diacritics
from corpus.domain.text.question_language import FUNCTION_WORDS
from corpus.domain.text.spoken_language import HINDI, spoken_language

_WORD = re.compile(r"[\u0900-\u097F]+|[^\W\d_]+")
ENGLISH = FUNCTION_WORDS["en"]
# Words at the beginning that join on to what was said before.
_LINKS = frozenset(
    """
    und aber dann also y e pero entonces luego et mais donc alors ma allora en maar dan mas então и но а тогда
    और लेकिन पर फिर तो तब
    """.split()
)
# Words that point at what was said before. Articles that are also pronouns are left out.
_POINTING = frozenset(
    """
    er ihn ihm ihr ihnen sein seine seinen seinem ihre ihren ihrem dazu davon dafür dagegen damit darauf darin darüber
    dabei deshalb mehr weiter
    él ella ellos ellas eso esto aquello esa ese más después su sus
    il elle ils elles cela ça ceci lui leur davantage
    lui lei loro ciò questo quello inoltre
    hij zij hem haar daarvan daarover daarom meer
    ele ela eles elas isso isto aquilo mais depois
    он она они его её ему это этого этом дальше
    वह वे उस उसे उसने उसका उसकी उसके उन उन्हें उन्होंने उनका उनकी उनके यह ये इस इसे इसने इसका इसकी इसके इनका इन्होंने
    ऐसा आगे
    """.split()
)


BRIEF = 3  # words up to which a question whose language cannot be told has that of the one before it


def language_in_thread(text: str, history: Sequence[HistoryMessage]) -> str:
    """The language of a question; of one too short to tell, such as "Warum?", that of the question before it.

    It needs a word of that language: "Define bhakti" is English after a German question too.
    """
    if (spoken := spoken_language(text)) or len(words := _words(text)) > BRIEF or not ENGLISH.isdisjoint(words):
        return spoken
    asked = [message.content for message in history if message.role == "user"]
    before = spoken_language(asked[-1]) if asked else ""
    return before if any(map(_known_in(before), words)) else ""


def leans_abroad(text: str, history: Sequence[HistoryMessage]) -> bool:
    """Whether a question that is not in English joins on to the last one, points at it, or names no topic."""
    language = language_in_thread(text, history)
    if language in ("", "en"):
        return False
    words = _words(text)
    is_empty = all(map(_known_in(language), words))
    return is_empty or not _LINKS.isdisjoint(words[:1]) or not _POINTING.isdisjoint(words)


def _known_in(language: str) -> Callable[[str], bool]:
    """Whether a word is one of the language's function words, or joins on or points in some language but English."""
    known = (HINDI if language == "hi" else FUNCTION_WORDS.get(language, frozenset())) | _LINKS | _POINTING
    return lambda word: word in known or strip_diacritics(word) in known


def _words(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text)]
