/** Every word the scripts show, in one place. */

/** @type {Record<string, {word: string, icon: string}>} */
export const VERDICTS = {
  quoted: { word: "Quoted", icon: "quote" },
  supported: { word: "Verified", icon: "check" },
  checked: { word: "Checked, in other words", icon: "checked" },
  partial: { word: "Partly supported", icon: "half" },
  inferred: { word: "Inferred", icon: "inferred" },
  contradicted: { word: "Source says otherwise", icon: "conflict" },
  unsupported: { word: "Not supported", icon: "conflict" },
  conflicting: { word: "Conflicting sources", icon: "conflict" },
  unchecked: { word: "Not checked", icon: "unchecked" },
};

/** @type {Record<string, string>} */
export const STAGES = {
  route: "reading the question",
  plan: "reading the question",
  retrieve: "searching",
  discard: "choosing passages",
  synthesize: "writing the answer",
  verify: "checking claims",
};

/** @type {Record<string, string>} */
export const REFUSALS = {
  outside_corpus: "These sources do not speak of this",
  thin_evidence: "Too little here to answer from",
  empty_outline: "Nothing here adds up to an answer",
  unanswerable: "The passages touch on this but do not answer it",
  false_premise: "No passage speaks of everything you name",
  unsupported_claims: "No sentence could be traced to its source",
  model_abstained: "The sources do not settle this",
};

/** @type {Record<string, string>} */
export const REMOVALS = {
  unsupported_claims: "the source does not say it",
  uncited: "no source was given for it",
  echo: "it only repeats the question",
  repeated: "it was said already",
  other_scope: "said only outside what you chose to ask",
  snippet_mismatch: "the quotation is not in the source",
  time_mismatch: "the moment is not in the recording",
};

export const UNBACKED = "Not backed by these sources";

/** What the checks did to a sentence's citation. @type {Record<string, string>} */
export const REPAIRS = {
  moved: "source corrected by the check",
  suggested: "source found by the check",
};

export const REFUSAL = "No answer from these sources";
export const NOTED = "I have noted the question for the editors.";
/** Equal to chat/answering/domain/refusals.py, which says it while the answer is written. */
export const FROM_EDITORS = "From the editors:";
export const DISCLAIMER = "These sources say nothing about this. What follows is a model's general knowledge: nothing in it was checked, and nothing in it comes from the lectures or texts.";
export const WORD_FOR_WORD = "Word for word from";
export const RELATED = "Related, not an answer";
export const SENDING = "sending the question";
export const STOPPED = "Stopped. What stands above was complete when it was shown.";
export const STOPPED_EMPTY = "Stopped before anything could be shown.";
export const SOURCES = "Sources";
export const SOURCE = "Source";
export const PASSAGE = "Passage";
export const SEARCHING = "Searching…";
export const CLOSEST = "Closest passage";
export const NONE_CITED = "Nothing is cited here.";
export const NONE_CITED_NEAR = "Nothing answers this, so nothing is cited. The related passages open here.";
export const NO_SOURCE_TEXT = "The rest of the source cannot be shown here right now.";
export const ASK_AGAIN = "Ask again";
export const ASK_NEXT = "You could ask next";
export const SHOWING_RESULTS_FOR = "Showing results for";
export const SEARCHED_IN_ENGLISH = "Translated for the search:";
export const AS_TYPED = "Search as typed";
export const DID_YOU_MEAN = "Did you mean";
export const FOR_EXAMPLE = "For example";
export const UNPLAYABLE = "This recording cannot be played.";
export const LOST = "The connection was lost before the question arrived. It is back in the box.";
export const RELOADED = "The page was reloaded before your question arrived. It is back in the box.";
export const NOT_CONNECTED = "No connection yet. Your question goes out as soon as there is one.";
export const UNDO = "Undo";
export const CLOSE = "Close";
export const RENAME_LABEL = "Name of this conversation";
export const NOT_CHANGED = "That did not work. Reload the page and try again.";
/** @param {string} title */
export const deleted = (title) => `“${title}” is deleted.`;
/** @param {string} title */
export const menuName = (title) => `Rename or delete: ${title}`;
/** Names of days in the list of conversations. */
export const DAYS = { today: "Today", yesterday: "Yesterday", week: "Previous 7 days" };
export const SHARED = "This is the link. It is shown only now: copy it. A new one ends it.";
export const REVOKED = "Revoked. The link leads nowhere any more.";
export const COPIED = "Copied.";
export const COPY_BY_HAND = "The address is marked: copy it with the keyboard.";
export const NOT_SHARED = "That did not work. Reload the page and try again.";

/** What may be said of an answer, by its outcome; equal to audit/domain/feedback.py. @type {Record<string, string[]>} */
export const SAYINGS_OF = {
  grounded: ["helpful", "not_helpful"],
  partially_grounded: ["helpful", "not_helpful"],
  out_of_corpus: ["helpful", "not_helpful"],
  closest_passage: ["helpful", "not_helpful", "in_sources"],
  refused: ["helpful", "in_sources"],
};
/** @type {Record<string, string>} */
export const SAYINGS = {
  helpful: "Helpful",
  not_helpful: "Not helpful",
  in_sources: "The answer is in the sources",
  not_said: "This clip does not say that",
};
/** What stands before the original of a translated title, by who translated it. @type {Record<string, string>} */
export const TRANSLATION_OF = { machine: "Machine translation of", reviewed: "Reviewed translation of" };
export const PASSAGE_NOT_SAID = "This passage does not say that";
export const THANKS = "Thank you; the staff will look at it.";
export const TAKEN_BACK = "Taken back.";
export const NOTE_LABEL = "A note for the staff, if you like";
export const SEND_NOTE = "Send the note";
export const UNSENT = "This could not be sent. Please try again in a moment.";
export const RELOAD = "This could not be sent. Please reload the page and try again.";

/** How the line to the server stands, where it is not open. @type {Record<string, string>} */
export const STANDINGS = {
  offline: "You are offline. What you have asked and read stays here.",
  waiting: "No connection to the server. Trying again…",
  ended: "You have been signed out. Reload the page to go on.",
};
