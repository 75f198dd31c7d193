"""Input that cannot be searched as it is, and the one sentence that says so."""

import re
import unicodedata
from dataclasses import dataclass

from chat.answering.domain.query.reply import DirectReply, ReplyKind
from corpus.domain.text.sentences import is_question, sentence_spans
from corpus.domain.text.spoken_language import scripts_of

NO_WORDS = "I see no words in that. Type a question, or the name of something you want to read about."
ONE_LETTER = "One letter is too little to search for. Type a word or a question."
MIXED = "Your question mixes {scripts} letters, and I can read only one at a time. Please ask it in one language."
PASTED = "You pasted a text of {words} words. What would you like to know about it?"
PASTED_CLOSEST = " The closest passage in these sources is below."


@dataclass(frozen=True, slots=True)
class InputRules:
    """Evidence: docs/thresholds.md. pasted_words, pasted_sentences: the least of a text that asks nothing.

    scripts: how many kinds of letters make a question unreadable; two occur together ("What does कर्म mean?").
    """

    pasted_words: int = 40
    pasted_sentences: int = 2
    scripts: int = 3


_NAMES = {"Han": "Chinese", "Hiragana": "Japanese", "Katakana": "Japanese", "Hangul": "Korean"}


def bad_input(text: str, rules: InputRules | None = None) -> DirectReply | None:
    """The reply to input that is no question; None if it can be searched."""
    rules = rules or InputRules()
    letters = [character for character in text if character.isalnum()]
    if not letters:
        return DirectReply(ReplyKind.BAD_INPUT, NO_WORDS)
    if len(letters) == 1 and not _is_ideograph(letters[0]):
        return DirectReply(ReplyKind.BAD_INPUT, ONE_LETTER)
    scripts = scripts_of(text)
    if len(scripts) >= rules.scripts or ("Latin" not in scripts and len(scripts) > 1):
        names = list(dict.fromkeys(_NAMES.get(script, script) for script in scripts))
        if len(names) > 1:
            latin = " ".join(re.findall(r"[A-Za-zÀ-ɏḀ-ỿ'’-]{2,}", text))
            listed = f"{', '.join(names[:-1])} and {names[-1]}"
            return DirectReply(ReplyKind.BAD_INPUT, MIXED.format(scripts=listed), about=latin)
    if _is_pasted(text, rules):
        return DirectReply(ReplyKind.PASTED_TEXT, PASTED.format(words=len(text.split())), about=text)
    return None


def _is_pasted(text: str, rules: InputRules) -> bool:
    """Is it a long text in statements? One that ends or begins with a question asks about what it says."""
    spans = sentence_spans(text)
    long = len(text.split()) >= rules.pasted_words and len(spans) >= rules.pasted_sentences
    return long and not any(is_question(text[slice(*spans[place])]) for place in (0, -1))


def _is_ideograph(character: str) -> bool:
    return unicodedata.name(character, "").startswith(("CJK", "HANGUL", "HIRAGANA", "KATAKANA"))
