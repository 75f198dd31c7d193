"""The initial registry of addresses: names of the books of the Bible and of the Vaiṣṇava canon.

Only new databases read it; editors change the registry in admin (corpus.models.AddressScheme).
"""

from collections.abc import Iterable, Iterator

from .address import CHAPTER_AND_VERSE, Scheme

CANTO_CHAPTER_VERSE = ("canto", "chapter", "verse")
_CC = "caitanya caritamrta|chaitanya charitamrita|cc"

_VAISNAVA = (
    (
        Scheme("BG", ".", CHAPTER_AND_VERSE, "Bhagavad-gītā"),
        "gita|bhagavad gita|bhagavadgita|srimad bhagavad gita|srimadbhagavadgita|bhg",
    ),
    (
        Scheme("SB", ".", CANTO_CHAPTER_VERSE, "Śrīmad-Bhāgavatam"),
        "bhagavatam|srimad bhagavatam|srimadbhagavatam|shrimad bhagavatam|bhagavata purana|srimad bhagavata",
    ),
    *(
        (
            Scheme(f"CC {lila}", ".", CHAPTER_AND_VERSE, f"Caitanya-caritāmṛta, {lila}-līlā"),
            "|".join(f"{name} {part}" for name in _CC.split("|") for part in (lila.lower(), f"{lila.lower()} lila")),
        )
        for lila in ("Adi", "Madhya", "Antya")
    ),
)

# In the Bible's order, without the number of a numbered book; `_` is a space within a name.
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
    "Isaiah": "isa",
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
_HOW_MANY = {"Samuel": 2, "Kings": 2, "Chronicles": 2, "Corinthians": 2, "Thessalonians": 2, "Timothy": 2, "Peter": 2}
_LETTERS_OF_JOHN = 3
_NUMBERS = {"1": ("1", "1st", "i", "first"), "2": ("2", "2nd", "ii", "second"), "3": ("3", "3rd", "iii", "third")}


def shelf() -> Iterator[tuple[Scheme, tuple[str, ...]]]:
    """Every book in order, with its other names."""
    books = [*_VAISNAVA, *_bible()]
    for position, (book, names) in enumerate(books, start=1):
        scheme = Scheme(book.label, book.separator, book.levels, book.title, position)
        yield scheme, tuple(name for name in names.split("|") if name)


def _bible() -> Iterator[tuple[Scheme, str]]:
    for name, short in _BIBLE.items():
        shorter = short.split()
        leads = [f"{number} " for number in range(1, _HOW_MANY[name] + 1)] if name in _HOW_MANY else [""]
        if name == "Jude":
            for number in range(1, _LETTERS_OF_JOHN + 1):
                john = "|".join(f"{number} {short}" for short in _BIBLE["John"].split())
                yield _book(f"{number} John"), john.replace("_", " ")
        for lead in leads:
            yield _book(lead + name), "|".join(lead + short for short in shorter).replace("_", " ")


def _book(label: str) -> Scheme:
    return Scheme(label, ":", CHAPTER_AND_VERSE, label)


def spellings(names: Iterable[str]) -> Iterator[str]:
    """The names, and the other spellings of a leading number: 1 John, First John, I John, 1John."""
    for name in names:
        yield name
        number, _, rest = name.partition(" ")
        if rest and number in _NUMBERS:
            yield f"{number}{rest}"
            yield from (f"{spelled} {rest}" for spelled in _NUMBERS[number])
