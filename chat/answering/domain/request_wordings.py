"""The sentences that a request is refused with, where they have values in them; `{name}` stands for a value."""

REQUEST_WORDINGS = (
    # chat/answering/domain/query/checks.py, chat/answering/ask.py
    "The mode must be one of {names}.",
    '"{name}" must be true or false.',
    "There is no {name} to search; check the key.",
    # chat/answering/domain/query/asked_scope.py
    "The scope has {number} characters; at most {most} are read.",
    "The scope names more than one collection; name one, or none for all.",
    "The scope has {part}; {rule}.",
    "it may hold a collection's key, work:, series:, kind: and language:",
    "a collection is named by its key, of letters, digits and hyphens",
    "a work is named by its key: work:gita",
    "a series is named by its title: series:Evening talks",
    "a kind is one of {names}",
    "a language is a code such as de",
    # chat/live/protocol.py
    "The message has {number} characters; at most {most} are read.",
    "The {name} is not a known id.",
    # chat/api
    "Too many requests in a minute. Please go on in {number} seconds.",
    '"stop" must be a text, or a list of up to {most} texts, none of them empty.',
    "The kind must be one of {names}.",
    "The state must be one of {names}.",
    "The note has {number} characters; please keep it to {most}.",
    "The citation must be a number from 0 to {most}.",
    '"{name}" must be readable text.',
    "The limit must be a number from 1 to {most}.",
    "There is no section at “{place}” here. Addresses are those that this list gives.",
    "There is no model of this name; there are {names}.",
)
