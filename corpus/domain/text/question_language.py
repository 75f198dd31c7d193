"""Detects a question's language by its function words.

Rules rather than a library: questions are short and full of names and Sanskrit, which detectors trained on prose get
wrong. Without enough evidence the language of the reader's page is used.
"""

import re
from collections.abc import Mapping

from .folding import strip_diacritics
from .stopwords import ASKING_WORDS, STOPWORDS

LEAST = 2  # distinct function words a language needs

# The stemmed languages (corpus.language), each with the words its questions are built from.
_WORDS = {
    "en": " ".join(STOPWORDS | ASKING_WORDS | {"wat"}),  # as many type "what", and Dutch writes it
    "de": """
        der die das den dem des ein eine einen einem einer eines und oder aber nicht kein keine ist sind war
        waren wird werden wurde wurden hat haben hatte kann können soll sollen muss darf ich du er sie es wir
        ihr man sich mein sein was wer wen wem wie wo wann warum wieso weshalb wozu welche welcher welches
        welchen von vom zu zum zur mit bei beim nach aus auf für über unter vor zwischen durch gegen ohne um im
        in an am als auch noch nur schon sehr so wenn weil dass ob denn doch dieser diese dieses diesen sagt
        bedeutet gibt viel viele heißt hieß seine seinen ihre ihren deswegen""",
    "es": """
        el la los las un una unos unas y o pero no es son era fue eran está están ser estar hay ha han qué quién
        quiénes cuál cuáles cómo cuándo dónde cuánto cuánta cuántos cuántas por para con sin sobre entre según
        de del a al en que se su sus lo le les me te nos mi tu yo él ella ellos como más muy también porque si
        cuando donde este esta esto ese esa eso dice significa hacer puede debe""",
    "fr": """
        le la les un une des et ou mais ne pas est sont était étaient être avoir a ont il elle ils elles on nous
        vous je tu ce cet cette ces qui que quoi quel quelle quels quelles comment quand où pourquoi combien de
        du d l qu c s n au aux en dans sur sous avec sans pour par entre selon se sa son ses leur leurs plus
        très aussi si comme dit signifie faire peut doit""",
    "it": """
        il lo la i gli le un uno una e o ma non è sono era erano essere ha hanno che chi cosa cos quale quali
        come quando dove perché quanto di del della dei delle dello degli a al alla ai alle da dal dalla in nel
        nella nei con su sul sulla per tra fra si suo sua suoi loro più molto anche se questo questa questi
        quello dice significa fare può deve""",
    "nl": """
        de het een en of maar niet geen is zijn was waren wordt worden werd heeft hebben had kan kunnen moet mag
        ik jij je hij zij ze we wij men zich wat wie hoe waar wanneer waarom welke welk van voor met bij naar
        uit op over onder door tegen zonder om in aan als ook nog maar zeer zo dat die dit deze er zegt betekent""",
    "pt": """
        o a os as um uma uns umas e ou mas não é são era foi eram está estão ser há tem têm que quem qual quais
        como quando onde por porque para com sem sobre entre segundo de do da dos das em no na nos nas ao à aos
        às se seu sua seus suas lhe me te eu ele ela eles mais muito também isto isso este esta esse essa diz
        significa fazer pode deve""",
    "ru": """
        и или но не ни что кто кого кому чем как где когда почему зачем какой какая какое какие чей в во на с со
        о об по к ко от до из у за для без при над под между через это этот эта эти тот та то те такое такой
        такая он она оно они мы вы я ты его ее их ли же бы есть был была было были быть может можно нужно должен
        говорит значит""",
}  # fmt: skip
_TOKEN = re.compile(r"[^\W\d_]+")


def _plain(word: str) -> str:
    return strip_diacritics(word.casefold())


_AS_WRITTEN = {language: frozenset(words.split()) for language, words in _WORDS.items()}
FUNCTION_WORDS = {language: frozenset(map(_plain, _TOKEN.findall(words))) for language, words in _WORDS.items()}


def language_of(text: str, fallback: str) -> str:
    """The language whose function words occur most, at least LEAST of them; `fallback` otherwise or on a tie.

    Capitalised words after the first are skipped as names: Van Gend en Loos.
    """
    words = [word.casefold() for place, word in enumerate(_TOKEN.findall(text)) if place == 0 or not word[0].isupper()]
    held = {_plain(word) for word in words}
    shown = {language: len(held & known) for language, known in FUNCTION_WORDS.items()}
    leading = _foremost(shown)
    if len(leading) > 1:  # accents tell "tres" from "très"
        leading = _foremost({language: len(_AS_WRITTEN[language].intersection(words)) for language in leading})
    return leading[0] if max(shown.values()) >= LEAST and len(leading) == 1 else fallback


def _foremost(counts: Mapping[str, int]) -> list[str]:
    most = max(counts.values())
    return [language for language, number in counts.items() if number == most]
