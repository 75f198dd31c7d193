"""What rules and checks say to editors, as it is raised or stored: in English."""

from curation.domain.states import NAMES, PUBLISH, SUBMIT, WITHDRAW
from curation.facts.tables import BLOCKED, FUTURE, KNOWN, UNVERIFIED
from curation.history import FIELDS
from curation.matching.likeness import MAY_DIFFER, NOTE_REASONS, SAME, TOO_FAR
from curation.preview import NEAR, NO_SPACE, NOT_FITTED, NOT_INDEXED, REPLIED
from curation.suggestions import EMPTY, NO_ANSWER, NO_MODEL, NO_QUESTION, NOTHING
from curation.templatetags.curation_urls import OUTCOMES
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
    # curation/history.py, preview.py, suggestions.py, matching, domain/sameness.py, entry_admin/trying.py
    *FIELDS.values(),
    *OUTCOMES.values(),
    *(NOT_FITTED, NOT_INDEXED, REPLIED, NEAR, NO_SPACE),
    *(EMPTY, NO_ANSWER, NO_QUESTION, NOTHING, NO_MODEL),
    "Write the question of the pin, or the title of the note, first.",
    "Nothing.",
    "Nothing: none of its references can be found. The search goes on.",
    "Nothing: you may see none of its references.",
    "Its {number} references replace the search. The gate still refuses if none of them answers.",
    "Joins the search as background. The gate may still refuse; the turn's record then says so.",
    *(TOO_FAR, MAY_DIFFER, SAME),
    *NOTE_REASONS.values(),
    "The pin is in another language ({language}).",
    "This wording is pinned.",
    "It has the words of this phrasing.",
    "It has much of “{phrasing}”, but {what}.",
    "another word in place of one",
    "more besides",
    "leaves something out",
    "its words in another order",
    "turns it around",
    "seeks another kind of answer",
    "It names another number.",
    "“{trigger}” has only words that most questions have. Add a word of its subject, or remove it.",
    "“{trigger}” would have caught {share} of last month's questions ({number} of {most}). Make it longer, or remove "
    "it.",
    # curation/gaps/page.py
    "Answered",
    "Answered in part",
    "Closest passage only",
    "Refused",
    "Answered from general knowledge",
    "{what}, citing the pin",
    "{what}, not citing the pin",
)
WORDINGS = (
    MessageWording(
        "Answers with its {number} passage, in its order.", "Answers with its {number} passages, in its order."
    ),
    *map(MessageWording, dict.fromkeys(_TEXTS)),
)
