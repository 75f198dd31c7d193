"""What rules and checks say to editors, as it is raised or stored: in English."""

from curation.domain.states import NAMES, PUBLISH, SUBMIT, WITHDRAW
from curation.facts.tables import BLOCKED, FUTURE, KNOWN, UNVERIFIED
from lectorium.texts.wordings import MessageWording

_TEXTS = (
    # curation/domain/entry_rules.py
    "There are {number} references; an entry has at most {most}. Keep those that matter most.",
    "There are {number} phrasings; an entry has at most {most}. Keep those that matter most.",
    "There are {number} triggers; an entry has at most {most}. Keep those that matter most.",
    "A reference is empty. Write its address, or remove the line.",
    "The question is empty. Write it as a reader would ask it.",
    "A phrasing is empty. Write how a reader would ask it, or remove the line.",
    "A trigger is empty. Write a phrase that a question may hold, or remove it.",
    "“{text}…” has {number} characters; the limit is {most}. Shorten it.",
    "“{text}” is written twice. Remove one.",
    # curation/domain/states.py, services.py, earlier_versions.py: the states and steps, and their history
    *NAMES.values(),
    *(step.done for step in (SUBMIT, PUBLISH, WITHDRAW)),
    "It is {what}, so there is nothing to submit.",
    "It is {what}, so there is nothing to publish.",
    "It is {what}, so there is nothing to withdraw.",
    "Undone: {what} again",
    "Brought back from {day}",
    "Imported from a table",
    "Imported",
    "Before the history began",
    # curation/library/receiving.py
    "cannot be checked: {what}",
    "cannot be stored: {what}",
    "belongs to the collection {name}, which is not here; create it and import again",
    # curation/facts/tables.py
    *BLOCKED.values(),
    *(f"{text} ({{reason}})." for text in BLOCKED.values()),
    *UNVERIFIED.values(),
    KNOWN,
    FUTURE,
    # curation/domain/translation_checks.py: the names of the checks, and what they find
    "language",
    "length",
    "numbers",
    "terms",
    "names",
    "empty",
    "The translation is empty.",
    "It reads as {language}, not as {locale}.",
    "It is the source, not translated.",
    "It is much shorter than the source ({share} of its characters).",
    "It is much longer than the source ({share} of its characters).",
    "The source has {found}, the translation does not.",
    "The translation has {found}, the source does not.",
    "“{term}” must be {found} in the translation.",
    "The source names {found}, the translation does not.",
    "The translation names {found}, the source does not.",
    # curation/translations/writer.py
    "The model's answer was cut at its limit of tokens. Raise that limit in its row, or translate the text here.",
    "The model answered without a text. Translate it here.",
    # curation/domain/facts: why two facts were judged as they were
    "two people hold them",
    "the same words",
    "one denies what the other says",
    "one says it actively, the other passively",
    "other subjects",
    "other predicates",
    "each supports the other ({share})",
    "its predicate may have several values",
    "they exclude each other at one time",
    "each contradicts the other ({share})",
    "both may hold",
    "{what}; a fact by an editor is not replaced without one",
    "they exclude each other at one time: {first} and {last}",
    "it has one value at a time: {first} and {last}",
    "it has one value at a time",
    "the same subject, predicate and object",
    "they count other things",
    "it has one value, and two are stated",
    # curation/gaps/page.py
    "Answered",
    "Answered in part",
    "Closest passage only",
    "Refused",
    "Answered from general knowledge",
    "{what}, citing the pin",
    "{what}, not citing the pin",
)
WORDINGS = tuple(map(MessageWording, dict.fromkeys(_TEXTS)))
