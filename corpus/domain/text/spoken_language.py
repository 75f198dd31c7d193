"""Detects the language of a question among widely spoken ones, by its script and its function words.

`question_language` tells apart the languages that the index stems. This covers more, to tell readers in their own
language what cannot be searched. Where the evidence is thin the answer is "": a lone Sanskrit term, in Devanagari or in
Latin letters, belongs to every language.
"""

import re
import unicodedata
from collections import Counter

from .question_language import FUNCTION_WORDS, language_of

LEAST = 2  # distinct function words a language in a shared script needs

_SCRIPTS = ("LATIN", "CYRILLIC", "GREEK", "ARABIC", "HEBREW", "DEVANAGARI", "BENGALI", "GURMUKHI", "GUJARATI", "TAMIL",
            "TELUGU", "KANNADA", "MALAYALAM", "THAI", "HANGUL", "HIRAGANA", "KATAKANA")  # fmt: skip
# Scripts of one widely spoken language.
_OF_SCRIPT = {
    "Bengali": "bn", "Hiragana": "ja", "Katakana": "ja", "Hangul": "ko", "Thai": "th", "Greek": "el", "Hebrew": "he",
    "Tamil": "ta", "Telugu": "te", "Gujarati": "gu", "Gurmukhi": "pa", "Kannada": "kn", "Malayalam": "ml",
}  # fmt: skip
_URDU_LETTERS = re.compile(r"[ٹڈڑںےگچپہھکی]")
_ARABIC_LETTERS = re.compile(r"[ةيكىأإؤئ]")
# Hindi words of questions; none of them is a word of Sanskrit verse.
HINDI = frozenset(
    """
    है हैं था थी थे क्या क्यों कैसे कौन कहाँ कहां कब किस किसे किसने का की के को में से पर ने और यह वह ये वो हो होता होती होते
    नहीं कितना कितनी कितने बताइए बताओ मुझे मैं हम आप अपने लिए करना करें चाहिए बारे कहते
    """.split()
)
# Bengali and Persian letters need no words; these share the Latin script with the stemmed languages.
_INDONESIAN = frozenset(
    """
    apa apakah siapa bagaimana mengapa kenapa kapan dimana mana berapa yang dan atau tetapi tidak bukan adalah ialah itu
    ini dari dengan untuk pada dalam oleh kepada tentang menurut jika karena saya kamu anda dia mereka kita kami ada
    akan harus dapat bisa sudah belum juga lebih sangat seperti antara dikatakan artinya arti makna
    """.split()
)
# Question words that no other language of these has: one is enough.
_INDONESIAN_ASKING = frozenset("apakah siapa siapakah bagaimana mengapa kenapa berapa".split())
_TOKEN = re.compile(r"[^\W\d_]+(?:[\u0900-\u097F]+)?")


def scripts_of(text: str) -> tuple[str, ...]:
    """The scripts of the letters in `text`, the most used first: Latin, Devanagari, Han…"""
    found: Counter[str] = Counter()
    for character in text:
        if character.isalpha():
            name = unicodedata.name(character, "")
            script = "Han" if name.startswith("CJK") else name.partition(" ")[0]
            if script == "Han" or script in _SCRIPTS:
                found[script.capitalize()] += 1
    return tuple(script for script, _ in found.most_common())


def spoken_language(text: str) -> str:
    """The code of the language `text` is written in; "" where it is too short or mixed to tell."""
    scripts = scripts_of(text)
    if not scripts or scripts[0] == "Latin":
        return _of_latin(text)
    if {"Hiragana", "Katakana"} & set(scripts):
        return "ja"
    main = scripts[0]
    if main == "Han":
        return "zh"
    if main == "Devanagari":
        return "hi" if set(re.findall(r"[\u0900-\u097F]+", text)) & HINDI else ""
    if main == "Arabic":
        urdu, arabic = len(_URDU_LETTERS.findall(text)), len(_ARABIC_LETTERS.findall(text))
        return "ur" if urdu > arabic else "ar"
    if main == "Cyrillic":
        return "ru"
    return _OF_SCRIPT.get(main, "")


def _of_latin(text: str) -> str:
    if "¿" in text:
        return "es"
    words = {word.casefold() for word in _TOKEN.findall(text)}
    indonesian = len(words & _INDONESIAN)
    others = max(len(words & known) for known in FUNCTION_WORDS.values())
    if (indonesian >= LEAST or words & _INDONESIAN_ASKING) and indonesian > others:
        return "id"
    return language_of(text, "")


_LANGUAGE = (
    "english|german|french|spanish|italian|portuguese|russian|hindi|bengali|arabic|urdu|chinese|indonesian|sanskrit|"
    "deutsch(?:er sprache)?|englisch|französisch|spanisch|español|espanol|inglés|francés|alemán|français|francais|"
    "anglais|allemand|português|portugues|inglês|italiano|inglese|русском|английском|немецком|indonesia|inggris"
)
_LANGUAGE_REQUEST = re.compile(
    rf"\b(?:(?:translated|written)\s+)?(?:auf|in|into|en|em|на|dalam(?:\s+bahasa)?)\s+(?:the\s+)?(?:{_LANGUAGE})\b"
    r"|(?:हिंदी|हिन्दी|अंग्रेज़ी)\s*में|বাংলায়|اردو\s*میں|بالعربية|用(?:中文|英文)",
    re.IGNORECASE,
)


def without_language_request(text: str) -> str:
    """`text` without the language it is wanted in: "BG 2.13 auf Deutsch" asks for BG 2.13."""
    return _LANGUAGE_REQUEST.sub(" ", text)
