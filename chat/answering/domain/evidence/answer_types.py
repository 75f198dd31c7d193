"""What kind of thing a question asks for, and whether a sentence holds one. By English words."""

import re

_NUMBER = re.compile(
    r"\b(\d[\d,.]*|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|twenty|"
    r"thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|once|twice|half|dozen)\b",
    re.I,
)
_PERSON = re.compile(
    r"(?<=\w )[A-ZĀĪŪṚŚṢ][\wāīūṛṅñṭḍṇśṣ’'-]+|\b(he|she|mother|father|grandmother|grandfather|uncle|aunt|brother|sister|"
    r"teacher|student|friend|king|queen|man|woman|wife|husband|son|daughter)\b"
)
_REASON = re.compile(r"\b(because|since|so that|in order|therefore|thus|reason|cause[sd]?|for|that is why)\b", re.I)
_WHO = re.compile(r"^\W*(?:and |but |so )?(?:who|whom|whose)\b|\bwhich (?:person|man|woman|king|character)\b", re.I)
_KINDS = (
    (re.compile(r"\bhow (?:many|much|often|long|old|far)\b|\bwhat age\b|\bnumber of\b", re.I), _NUMBER),
    (_WHO, _PERSON),
    (re.compile(r"\bwhy\b|\bhow come\b|\bwhat for\b|\breason\b", re.I), _REASON),
)


def fits_question(question: str, sentence: str) -> bool:
    """Does the sentence hold the kind of thing the question asks for: a number, a person, a reason?

    False where the question asks for none of these.
    """
    return any(asks.search(question) and bool(holds.search(sentence)) for asks, holds in _KINDS)
