/** Every word the scripts show, in one place. Texts are written in English; the catalogue has the others. */
import { fill, gettext, ngettext } from "./gettext.js";

/** @type {Record<string, {word: string, icon: string}>} */
export const VERDICTS = {
  quoted: { word: gettext("Quoted"), icon: "quote" },
  supported: { word: gettext("Verified"), icon: "check" },
  checked: { word: gettext("Checked, in other words"), icon: "checked" },
  partial: { word: gettext("Partly supported"), icon: "half" },
  inferred: { word: gettext("Inferred"), icon: "inferred" },
  contradicted: { word: gettext("Source says otherwise"), icon: "conflict" },
  unsupported: { word: gettext("Not supported"), icon: "conflict" },
  conflicting: { word: gettext("Conflicting sources"), icon: "conflict" },
  unchecked: { word: gettext("Not checked"), icon: "unchecked" },
};

/** @type {Record<string, string>} */
export const STAGES = {
  route: gettext("reading the question"),
  plan: gettext("reading the question"),
  retrieve: gettext("searching"),
  discard: gettext("choosing passages"),
  synthesize: gettext("writing the answer"),
  verify: gettext("checking claims"),
};

/** @type {Record<string, string>} */
export const REFUSALS = {
  outside_corpus: gettext("These sources do not speak of this"),
  thin_evidence: gettext("Too little here to answer from"),
  empty_outline: gettext("Nothing here adds up to an answer"),
  unanswerable: gettext("The passages touch on this but do not answer it"),
  false_premise: gettext("No passage speaks of everything you name"),
  unsupported_claims: gettext("No sentence could be traced to its source"),
  conflicting_sources: gettext("The sources disagree"),
  model_abstained: gettext("The sources do not settle this"),
};

/** @type {Record<string, string>} */
export const REMOVALS = {
  unsupported_claims: gettext("the source does not say it"),
  uncited: gettext("no source was given for it"),
  echo: gettext("it only repeats the question"),
  repeated: gettext("it was said already"),
  other_scope: gettext("said only outside what you chose to ask"),
  snippet_mismatch: gettext("the quotation is not in the source"),
  time_mismatch: gettext("the moment is not in the recording"),
};

export const UNBACKED = gettext("Not backed by these sources");

/** What the checks did to a sentence's citation. @type {Record<string, string>} */
export const REPAIRS = {
  moved: gettext("source corrected by the check"),
  suggested: gettext("source found by the check"),
};

export const REFUSAL = gettext("No answer from these sources");
export const NOTED = gettext("I have noted the question for the editors.");
/** Equal to chat/answering/domain/refusals.py, which says it while the answer is written. */
export const FROM_EDITORS = gettext("From the editors:");
export const DISCLAIMER = gettext("These sources say nothing about this. What follows is a model's general knowledge: nothing in it was checked, and nothing in it comes from the lectures or texts.");
export const WORD_FOR_WORD = gettext("Word for word from");
export const RELATED = gettext("Related, not an answer");
export const SENDING = gettext("sending the question");
export const STOPPED = gettext("Stopped. What stands above was complete when it was shown.");
export const STOPPED_EMPTY = gettext("Stopped before anything could be shown.");
export const SOURCES = gettext("Sources");
export const SOURCE = gettext("Source");
export const PASSAGE = gettext("Passage");
export const SEARCHING = gettext("Searching…");
export const CLOSEST = gettext("Closest passage");
export const NONE_CITED = gettext("Nothing is cited here.");
export const NONE_CITED_NEAR = gettext("Nothing answers this, so nothing is cited. The related passages open here.");
export const NO_SOURCE_TEXT = gettext("The rest of the source cannot be shown here right now.");
export const ASK_AGAIN = gettext("Ask again");
export const ASK_NEXT = gettext("You could ask next");
export const SHOWING_RESULTS_FOR = gettext("Showing results for");
export const SEARCHED_IN_ENGLISH = gettext("Translated for the search:");
export const AS_TYPED = gettext("Search as typed");
export const DID_YOU_MEAN = gettext("Did you mean");
export const FOR_EXAMPLE = gettext("For example");
export const UNPLAYABLE = gettext("This recording cannot be played.");
export const NO_RECORDING = gettext("There is no recording of this moment here. The link below the quote opens its words.");
export const LOST = gettext("The connection was lost before the question arrived. It is back in the box.");
export const RELOADED = gettext("The page was reloaded before your question arrived. It is back in the box.");
export const NOT_CONNECTED = gettext("No connection yet. Your question goes out as soon as there is one.");
export const UNDO = gettext("Undo");
export const CLOSE = gettext("Close");
export const RENAME_LABEL = gettext("Name of this conversation");
export const NOT_CHANGED = gettext("That did not work. Reload the page and try again.");
/** @param {string} title */
export const deleted = (title) => fill(gettext("“{title}” is deleted."), { title });
/** @param {string} title */
export const menuName = (title) => fill(gettext("Rename or delete: {title}"), { title });
/** Names of days in the list of conversations. */
export const DAYS = { today: gettext("Today"), yesterday: gettext("Yesterday"), week: gettext("Previous 7 days") };
export const SHARED = gettext("This is the link. It is shown only now: copy it. A new one ends it.");
export const REVOKED = gettext("Revoked. The link leads nowhere any more.");
export const COPIED = gettext("Copied.");
export const COPY_ANSWER = gettext("Copy with sources");
export const NOT_COPIED = gettext("The browser did not allow copying.");
export const TRANSLATE_ANSWER = gettext("Translate this answer");
export const TRANSLATING = gettext("Translating…");
export const BY_MACHINE = gettext("Translated by machine, and checked by nobody. The sources’ own words are above.");
export const COPY_BY_HAND = gettext("The address is marked: copy it with the keyboard.");
export const NOT_SHARED = gettext("That did not work. Reload the page and try again.");

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
  helpful: gettext("Helpful"),
  not_helpful: gettext("Not helpful"),
  in_sources: gettext("The answer is in the sources"),
  not_said: gettext("This clip does not say that"),
};
/** What stands before the original of a translated title, by who translated it. @type {Record<string, string>} */
export const TRANSLATION_OF = { machine: gettext("Machine translation of"), reviewed: gettext("Reviewed translation of") };
export const PASSAGE_NOT_SAID = gettext("This passage does not say that");
export const THANKS = gettext("Thank you; the staff will look at it.");
export const TAKEN_BACK = gettext("Taken back.");
export const NOTE_LABEL = gettext("A note for the staff, if you like");
export const SEND_NOTE = gettext("Send the note");
export const UNSENT = gettext("This could not be sent. Please try again in a moment.");
export const RELOAD = gettext("This could not be sent. Please reload the page and try again.");

/** @type {Record<string, string>} */
const STANDINGS = {
  connecting: gettext("Connecting…"),
  offline: gettext("You are offline. What you have asked and read stays here."),
  ended: gettext("You have been signed out. Reload the page to go on."),
};
const GOES_ON = gettext("The answer goes on where it was left.");

/**
 * How the line to the server stands, where it is not open.
 * @param {string} state @param {number} [seconds] until the next try @param {boolean} [isAnswering] whether an answer is under way
 */
export function standing(state, seconds = 0, isAnswering = false) {
  const lost = fill(ngettext("No connection to the server. The next try is in {n} second.", "No connection to the server. The next try is in {n} seconds.", seconds), { n: seconds });
  const words = STANDINGS[state] ?? lost;
  return isAnswering && state !== "ended" ? `${words} ${GOES_ON}` : words;
}
