"""The sentences of our own in an answer, as they are stored: in English, some with values in them.

They are translated where they are shown (lectorium/texts/wordings.py). So a record reads the same whatever language its
reader had, and a cached answer serves them all.
"""

from chat.answering.domain import refusals
from chat.answering.domain.query import bad_input
from chat.answering.domain.request_wordings import REQUEST_WORDINGS
from chat.answering.domain.writing_rules import FAULTS, REASONS
from lectorium.texts.wordings import MessageWording

WORDINGS: tuple[MessageWording, ...] = (
    *map(MessageWording, refusals.MESSAGES.values()),
    *map(MessageWording, dict.fromkeys(refusals.NEXT_STEPS.values())),
    *map(MessageWording, refusals.SMALL_TALK.values()),
    *map(
        MessageWording,
        (
            refusals.CLOSEST,
            refusals.LIKELY,
            refusals.UNNAMED,
            refusals.UNREAD,
            refusals.DISPUTED,
            refusals.DISCLAIMER,
            refusals.FAILED,
            refusals.UNCALIBRATED,
        ),
    ),
    *map(MessageWording, (refusals.EMPTY_CORPUS, refusals.END_OF_LECTURE, refusals.END_OF_CHAPTER)),
    *map(
        MessageWording, (refusals.ASK_BACK, refusals.NO_REFERENT, refusals.ABOUT_TOPIC, refusals.DID_YOU_MEAN.strip())
    ),
    *map(MessageWording, (bad_input.NO_WORDS, bad_input.ONE_LETTER, bad_input.MIXED, bad_input.PASTED_CLOSEST.strip())),
    MessageWording(bad_input.PASTED.replace("{words}", "{number}")),
    *map(MessageWording, REASONS.values()),
    # what the stages of a turn say: chat/answering/turn.py, quoting.py, writing.py, chat/live/turn_runner.py
    *map(MessageWording, ("reading your question", "reading on", "choosing the notes that answer")),
    *map(MessageWording, ("choosing the sentences that answer", "choosing the closest passage")),
    *map(MessageWording, ("checking every quotation against its source", "writing, and checking each sentence")),
    *map(MessageWording, ("many questions at once: yours is next", "Stopped.")),
    MessageWording("many questions at once: {number} before you"),
    # chat/live, chat/api
    MessageWording("One question at a time: stop the current one first."),
    MessageWording("This conversation does not exist."),
    MessageWording("This answer is no longer kept; please ask again."),
    MessageWording("Lectorium cannot reach its database right now. Please ask again in a moment."),
    MessageWording("This answer could not be recorded, so it does not count. Please ask again in a moment."),
    MessageWording(
        "You have as many questions under way as one reader may have here: wait for one to end, or stop it."
    ),
    MessageWording("Too many questions come from your network at once. Please ask again in a moment."),
    MessageWording(
        "Too many people are asking at once. Please ask again in a minute; your question is back in the box."
    ),
    MessageWording(
        "You have asked as many questions as one reader may ask here in an hour. Please go on in {number} minutes."
    ),
    MessageWording("Your network has asked as many questions as it may in an hour. Please go on in {number} minutes."),
    MessageWording(
        "Readers without an account have asked as many questions as they may in an hour. Sign in, or go on in {number} "
        "minutes."
    ),
    MessageWording("This site has answered as many questions as it may in an hour. Please go on in {number} minutes."),
    MessageWording("You have searched as often as one reader may here in an hour. Please go on in {number} minutes."),
    MessageWording("Your network has searched as often as it may in an hour. Please go on in {number} minutes."),
    MessageWording("This site has been searched as often as it may in an hour. Please go on in {number} minutes."),
    # chat/answering/replies/give.py
    MessageWording("Here you find {counts}."),
    MessageWording("Some of the lectures: {titles}."),
    # chat/answering/payloads.py
    MessageWording("searching {counts}"),
    MessageWording("searching {counts}, only what you chose of them"),
    MessageWording("{counts}, only what you chose of them"),
    MessageWording("reading {number} passage", "reading {number} passages"),
    MessageWording("{number} lecture", "{number} lectures"),
    MessageWording("{number} verse", "{number} verses"),
    MessageWording("{number} library passage", "{number} library passages"),
    # chat/answering/domain/answer_counts.py
    MessageWording("{number} sentence quoted from 1 place", "{number} sentences quoted from 1 place"),
    MessageWording("{number} sentence quoted from {most} places", "{number} sentences quoted from {most} places"),
    MessageWording("{number} claim", "{number} claims"),
    MessageWording("{number} sentence removed by the checks.", "{number} sentences removed by the checks."),
    *(MessageWording(f"{{number}} {word}") for word in ("checked", "verified", "partly", "inferred", "unsupported")),
    *(MessageWording(f"{{number}} {word}") for word in ("contradicted", "miscited", "uncited", "removed")),
    # chat/answering/domain/answer.py, writing_rules.py, evidence/conflicts.py; chat/conversations/domain/masking.py
    MessageWording("The source of {numbers} was changed or withdrawn after it was read for this answer."),
    MessageWording(
        "{number} citation of a source that is not among those found was taken out.",
        "{number} citations of a source that is not among those found was taken out.",
    ),
    MessageWording("The sources do not have {terms} in these words."),
    MessageWording(
        "{number} sentence with a quotation that its source does not bear out was left out.",
        "{number} sentences with a quotation that its source does not bear out was left out.",
    ),
    MessageWording(
        "{number} sentence with a moment that its source does not bear out was left out.",
        "{number} sentences with a moment that its source does not bear out was left out.",
    ),
    MessageWording("The {mode} mode could not give the whole answer ({reason})."),
    *map(MessageWording, ("Instant", "Auto", "Thinking")),
    *(MessageWording(fault.replace("_", " ")) for fault in FAULTS),
    MessageWording("The sources disagree about {subject}: see {cited}."),
    MessageWording("The sources disagree about {subject}: see {cited}. {note}"),
    MessageWording(
        "Part of this answer is not shown: a source that it rests on has changed, or you may no longer see it."
    ),
    # corpus/catalogue/addresses.py
    MessageWording("{address} runs backwards: {last} comes before {first}."),
    MessageWording("{address} is {held} long; ask for at most {most} at once."),
    MessageWording("{work} is not among these sources, so there is no {address} to show."),
    MessageWording("{whole} has {held}, so there is no {address}."),
    MessageWording("Chapter {number} of {work}"),
    MessageWording("Canto {number}, chapter {most} of {work}"),
    MessageWording("{number} chapter", "{number} chapters"),
    MessageWording("{number} canto", "{number} cantos"),
    # chat/answering/domain/query/checks.py
    *map(MessageWording, REQUEST_WORDINGS),
    MessageWording("Type a question first."),
    MessageWording("The question is not readable text; please type it again."),
    MessageWording("The question has {number} characters; please keep it to {most}, about one thing."),
    # chat/answering/domain/query/bad_input.py
    *map(
        MessageWording,
        ("Latin", "Devanagari", "Arabic", "Bengali", "Chinese", "Cyrillic", "Greek", "Hebrew", "Japanese"),
    ),
    *map(MessageWording, ("Korean", "Tamil", "Thai")),
)
