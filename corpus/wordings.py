"""Why a file, a recording or a draft was refused, as it is stored: in English. The source's name stands before it."""

from corpus.services.transcribing import CHECK, KEPT
from corpus.services.uploads import ABANDONED
from corpus.services.waiting_recordings import HAS_TRANSCRIPT, IS_TRANSCRIBED, WAITS_FOR_MODEL
from lectorium.texts.wordings import MessageWording

_TEXTS = (
    # the places that a refusal names
    "line {number}",
    "row {number}",
    "page {number}",
    'table "{name}" row {number}',
    # corpus/importers/records.py
    "is empty",
    "is larger than {size} MB; save its rows as JSON Lines, which may be larger",
    "is not JSON ({reason}, {place}); correct it there",
    "is not JSON ({reason}); correct it",
    "nested too deeply",
    "a number has too many digits",
    "contains neither an array of rows nor an object with one; see docs/editors.md",
    "{place} is not a JSON object; each row must be one {shape}",
    "{place} is not a JSON object; each line must be one {shape}",
    "{place} is longer than {size} MB; split the text into rows",
    "{place} is longer than {size} MB; split the text into records",
    "{place} is not UTF-8; save the file as UTF-8",
    "{place} is not JSON ({reason}); correct or remove it",
    # corpus/importers/discovery.py
    "does not exist; check the path",
    "has no supported format; convert it to one of {endings}",
    "has no supported format ({number} more here); convert it to one of {endings}",
    "contains no file that ends in {endings}",
    # corpus/importers/limits.py, reading.py
    "has more than {most} paragraphs or verses in one source (LECTORIUM_SOURCE_ROWS); split it",
    "has more than {size} MB of text in one source (LECTORIUM_SOURCE_MB); split it",
    "is {size} MB; a file may have {limit} MB (LECTORIUM_FILE_MB), so split it",
    "has more than {most} rows (LECTORIUM_FILE_ROWS); split it",
    "has more than {most} pins, notes and facts (LECTORIUM_FILE_ENTRIES); split it",
    "has characters that stand for whole phrases, such as U+FDFA: {number} characters become {most}; write them out or "
    "remove them",
    "has in {place} characters that stand for whole phrases, such as U+FDFA: {number} characters become {most}; write "
    "them out or remove them",
    "is {size} MB; one source may have {limit} MB (LECTORIUM_SOURCE_MB), so split it",
    "cannot be read ({reason}); check its permissions",
    "has a line of {size} MB; the limit is {limit} MB, so split it",
    "has an unknown encoding; save it as UTF-8",
    "has the date {value}; write it as YYYY-MM-DD",
    # corpus/importers/captions.py, vtt.py, subrip.py, corpus/domain/cues.py
    "has {number} cues, of which {most} cannot be read; write the times as {form}",
    "{what}; correct the times",
    "contains no text; there is nothing to import",
    "is not WebVTT ({reason}); its first line must be WEBVTT",
    "has a broken cue ({reason}); correct it",
    "is not SubRip: each cue needs a number, a line of times and its text; correct it",
    "cue {number} ends at {end}, not after its start {start}",
    "cue {number} starts at {start}, but cue {other} lasts from {first} to {last}",
    "cue {number} starts {seconds} s before the recording",
    "cue {number} ends at {end}, but the recording at {last}",
    # corpus/importers/jsonl.py
    "only describes lectures; import the paragraphs.jsonl that belongs beside it",
    'has records with neither "lecture" and "text" nor "_id" and "text"; see docs/editors.md',
    "{place} repeats the address {address} of {other}; remove one",
    "is larger than {size} MB (LECTORIUM_SOURCE_MB) and mixes its lectures; put the paragraphs of each lecture "
    "together",
    '{place} has no "_id"; give each text one',
    "{place} repeats the id {key} of {other}; remove one",
    '{place} has no text under "{name}"; add it',
    # corpus/importers/recording.py
    "is {size} MB; a recording may have {limit} MB, so export it smaller, for instance as MP3 in mono",
    "is named {ending} but has no readable audio; export the recording again",
    # corpus/importers/library.py
    "holds no works, pins, notes or facts; see docs/editors.md for the tables",
    "is a SQLite file that cannot be read ({reason}); export it again",
    "is a library of version {number}, and this Lectorium reads versions up to {most}; update Lectorium, or export the "
    "library again from one of this version",
    'has a table "works" but none called "sections"; add it',
    'has a table "{name}" without the column "{column}"; add it',
    '{place} has nothing under "{column}"; fill it or remove the row',
    '{place} has bytes under "{column}", not text; store it as text',
    "gives the address {address} of {work} twice; remove one",
    "{place} ({address}) has no words; fill it or remove the row",
    '{place} has "books" that are not counts of verses; correct them',
    "{place} has a {name} that is not a number; correct it",
    '{place} has "{name}" that is not a JSON list; correct it',
    # corpus/importers/markdown.py, verses.py
    "has more than {most} marks, lines and paragraphs of Markdown; split it or save it as plain text",
    "has a broken {file} beside it ({reason}); correct it",
    "has a {file} beside it that is not an object of facts; correct it",
    "{place} repeats {address} of {other}; remove one",
    '{place} lacks "ref", "chapter" or "verse"; add them',
    '{place} has no words under "text" or "iast"; add them or remove it',
    "{place} has a chapter or verse that is not a number; correct it",
    "{place} has a chapter or verse that is not a number up to {most}; correct it",
    '{place} has a "{name}" that is neither text nor lines of text; correct it',
    'has "chapters" in its facts that are not counts of verses; correct them',
    # corpus/importers/drafts.py
    "contains no verses; there is nothing to import",
    "has a {name} of {number} characters ({value}…); the limit is {most}",
    "has the state {value}; it is one of {states}, or empty for a draft",
    "has the id {value}, which is not a UUID; leave it empty for a new entry",
    # corpus/importers/archive.py
    "cannot be unpacked ({reason}); check the free space and the length of its names",
    "is a ZIP archive that cannot be unpacked ({reason}); pack it again",
    "is an office document; save it as .txt, .md or .pdf",
    "holds {number} files; the limit is {most}, so split it",
    "holds {entry}, which names no file; pack it again",
    "holds {entry}, which would be written elsewhere; pack it again",
    "holds {entry}, which is a link; pack the file itself",
    "holds {entry}, which has a password; pack it without one",
    "unpacks to more than {whole}, at {entry}; split it",
    "{number} times its packed size",
    "{number} MB of text (LECTORIUM_FILE_MB)",
    "holds {entry}, which is an archive itself; unpack it first",
    # corpus/importers/pdf.py
    "has no text layer; run OCR and import it again",
    "is larger than {size} MB; split it",
    "is not a PDF that can be read ({reason}); save it again as PDF",
    "has a password; save it without one",
    "has {number} pages; the limit is {most}, so split it",
    "{place} has too much text for a page; save it again as PDF",
    "takes longer than {seconds} s to read ({place}); save it again or split it",
    # corpus/services
    "makes more than {most} chunks in one source (LECTORIUM_SOURCE_CHUNKS); split it",
    "was imported by another run meanwhile",
    "replaces {keys}, which has the same title and half of the wording in common",
    "has a recording that cannot be read ({file}: {reason})",
    "has a recording that cannot be copied ({file}: {reason})",
    "is missing from the media folder; import the recording again",
    "is {size} MB; a speech service is sent {limit} MB at once (LECTORIUM_TRANSCRIBE_MB), and ffmpeg, which would cut "
    "it, is not installed on the worker's host; install it and transcribe again, or import a smaller recording",
    "is {size} MB; a speech service is sent {limit} MB at once (LECTORIUM_TRANSCRIBE_MB), and it does not say how long "
    "it is; export it again",
    "cannot be cut by ffmpeg ({reason}); export the recording again",
    "published again: its file is back",
    "withdrawn: its file is gone",
    # corpus/services/uploads.py
    ABANDONED,
    "The files could not be stored ({reason}), and none were. Check the free space.",
    "Not confirmed within {number} days.",
    "It took longer than {number} minutes; upload the files in several parts.",
    "It failed ({reason}); see the worker's log.",
    # corpus/services/waiting_recordings.py, transcripts.py, transcribing.py
    *(HAS_TRANSCRIPT, IS_TRANSCRIBED, WAITS_FOR_MODEL, f"It is {WAITS_FOR_MODEL}."),
    "{value} is no code of a language; write it as en, de or pt-br",
    "the lecture has a transcript by now; discard this draft",
    "the lecture has another recording by now; discard this draft, then transcribe again",
    "line {number} is not in this draft, which was made anew; load the page again",
    "line {number} has {count} characters; a line may have {most}",
    "{what}; discard the draft, then transcribe again",
    "no line has words; write what is said, or discard the draft",
    "the draft is not to be reviewed now ({what})",
    "{model} answered with impossible times ({what}); transcribe again, or import a transcript of the same name",
    "{model} heard no words in it; if there is speech, transcribe again with another model, or import a transcript of "
    "the same name",
    "{what} The recording waits until then.",
    f"{{what}}. {CHECK} {KEPT}",
    f"{{what}}. It was tried {{number}} times; transcribe again once the service answers. {KEPT}",
    "{what}. Tried {number} of {most} times; the next try is within the hour.",
    f"It failed ({{reason}}); see the worker's log, then transcribe again. {KEPT}",
    f"{{what}}. {KEPT}",
    "From {start} to {end}: {what}",
)
WORDINGS = tuple(map(MessageWording, _TEXTS))
