"""Other names of books: what readers type for the Bible's books and the Bhagavad-gītā."""

from collections.abc import Iterable

from .folding import fold

_GITA = ("gita", "bhagavad gita", "bhagavadgita", "srimad bhagavad gita", "bg", "bhg")

# Without the number of a numbered book; `_numbered` puts it in front.
_BIBLE = {
    "Genesis": "gen ge gn",
    "Exodus": "exod exo ex",
    "Leviticus": "lev lv",
    "Numbers": "num nm",
    "Deuteronomy": "deut dt",
    "Joshua": "josh jos",
    "Judges": "judg jdg",
    "Ruth": "rth",
    "Samuel": "sam sm",
    "Kings": "kgs kin ki",
    "Chronicles": "chron chr ch",
    "Ezra": "ezr",
    "Nehemiah": "neh",
    "Esther": "esth est",
    "Job": "jb",
    "Psalms": "psalm ps psa pss psalter",
    "Proverbs": "proverb prov prv",
    "Ecclesiastes": "eccles eccl ecc qoheleth",
    "Song of Solomon": "song_of_songs song canticles canticle_of_canticles sos",
    "Isaiah": "isa is",
    "Jeremiah": "jer",
    "Lamentations": "lam",
    "Ezekiel": "ezek eze",
    "Daniel": "dan dn",
    "Hosea": "hos",
    "Joel": "jl",
    "Amos": "amo",
    "Obadiah": "obad ob",
    "Jonah": "jon jnh",
    "Micah": "mic",
    "Nahum": "nah",
    "Habakkuk": "hab",
    "Zephaniah": "zeph zep",
    "Haggai": "hag",
    "Zechariah": "zech zec",
    "Malachi": "mal",
    "Matthew": "matt mat mt st_matthew",
    "Mark": "mrk mk st_mark",
    "Luke": "luk lk st_luke",
    "John": "jhn jn joh st_john",
    "Acts": "act acts_of_the_apostles",
    "Romans": "rom rm",
    "Corinthians": "cor",
    "Galatians": "gal",
    "Ephesians": "eph",
    "Philippians": "phil php",
    "Colossians": "col",
    "Thessalonians": "thess thes",
    "Timothy": "tim",
    "Titus": "tit",
    "Philemon": "philem phm",
    "Hebrews": "heb",
    "James": "jas jm",
    "Peter": "pet pt",
    "Jude": "jud",
    "Revelation": "rev revelations apocalypse",
}
_NUMBERS = {"1": ("1", "1st", "i", "first"), "2": ("2", "2nd", "ii", "second"), "3": ("3", "3rd", "iii", "third")}


def aliases_for(books: Iterable[str]) -> dict[str, str]:
    """Return {folded name: book} for every way the given books are commonly named, their own names among them."""
    aliases: dict[str, str] = {}
    for book in books:
        for name in _names(book):
            aliases.setdefault(fold(name), book)
    return aliases


def _names(book: str) -> list[str]:
    if book.upper() == "BG":
        return [book, *_GITA]
    number, _, rest = book.partition(" ")
    if number not in _NUMBERS:
        return [book, *_short(book)]
    return [f"{spelled} {name}" for name in (rest, *_short(rest)) for spelled in _NUMBERS[number]] + [
        f"{number}{name}" for name in (rest, *_short(rest))
    ]


def _short(book: str) -> list[str]:
    return [name.replace("_", " ") for name in _BIBLE.get(book, "").split()]
