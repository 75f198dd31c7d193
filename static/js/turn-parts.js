/** The pieces of an answer that are not sentences. */
import { placeIn, removals, removed, titleOf } from "./format.js";
import { el, icon, ownUrl } from "./dom.js";
import { LANGUAGE, fill, gettext, ngettext } from "./gettext.js";
import {
  ASK_AGAIN, ASK_NEXT, AS_TYPED, CLOSEST, DID_YOU_MEAN, FOR_EXAMPLE, FROM_EDITORS, NOTED, REFUSAL, REFUSALS, RELATED, SEARCHED_IN_ENGLISH, SHOWING_RESULTS_FOR, UNBACKED,
} from "./words.js";

/** @typedef {import("./types.js").Source} Source */

/** Outcomes that are no answer. */
const UNANSWERED = new Set(["refused", "closest_passage"]);
/** Notices that are the whole reply. */
const REPLIES = new Set(["small_talk", "ask_back", "bad_input", "pasted_text", "language", "no_retrieval", "asked_back", "end_of_source"]);

/**
 * @param {{reason: string, message: string, nearest?: any[], searched?: string, next_step?: string}} event
 * @param {(index: number, links: HTMLElement[]) => void} look shows one of the nearest moments beside the card
 */
export function refusalCard({ reason, message, nearest = [], searched = "", next_step: nextStep = "" }, look) {
  return el("section", { class: "refusal", "aria-label": gettext("No answer") },
    el("h3", { text: REFUSALS[reason] ?? REFUSAL }),
    el("p", { dir: "auto", text: message }),
    searched ? el("p", { class: "quiet", text: `${gettext("Searched:")} ${searched}` }) : null,
    el("p", { class: "noted", hidden: true, text: NOTED }),
    nextStep ? el("p", { class: "next-step", text: nextStep }) : null,
    nearest.length ? el("h4", { text: RELATED }) : null,
    nearest.length ? nearestList(nearest, look) : null);
}

/**
 * The card of a closest passage, and where in it the passage goes.
 * @param {{message: string}} event
 */
export function closestCard({ message }) {
  const body = el("div", { class: "closest-body" });
  const element = el("div", { class: "closest", role: "group", "aria-label": CLOSEST },
    el("p", { class: "closest-notice", dir: "auto", text: message }), body, el("p", { class: "noted", hidden: true, text: NOTED }));
  return { element, body };
}

/** @param {any[]} nearest @param {(index: number, links: HTMLElement[]) => void} look */
function nearestList(nearest, look) {
  /** @type {HTMLElement[]} */
  const links = [];
  return el("ul", { class: "nearest" }, ...nearest.map((moment, index) => nearestMoment(moment, links, () => look(index, links))));
}

/** @param {Source & {quote: string, language?: string}} moment @param {HTMLElement[]} links gets its link @param {() => void} look */
function nearestMoment(moment, links, look) {
  const url = ownUrl(moment.url);
  const words = [titleOf(moment).text, placeIn(moment)].join(" · ");
  const link = url ? el("a", { href: url, dir: "auto", text: words, on: { click: (event) => openBeside(event, look) } }) : el("span", { class: "quiet", text: words });
  links.push(link);
  return el("li", {}, el("blockquote", { lang: moment.language, dir: "auto", text: moment.quote }), link,
    url ? el("span", { class: "print-only address", text: new URL(url, location.href).href }) : null);
}

/** Follow a link beside the text; with a key held the browser opens it as always. @param {MouseEvent} event @param {() => void} look */
export function openBeside(event, look) {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  look();
}

/** The verse or chapter that a sentence points to. @param {{kind: string, title: string, address: string, url: string}} card */
export function sourceCard({ kind, title, address, url }) {
  const place = ownUrl(url);
  const words = [el("span", { class: "quiet", text: kind === "chapter" ? gettext("Chapter") : gettext("Verse") }), ` ${title} · `, el("bdi", { text: address })];
  return place ? el("a", { class: "source-card", href: place, dir: "auto" }, ...words) : el("span", { class: "source-card", dir: "auto" }, ...words);
}

/** @param {{kind: string, message: string, language?: string}} event */
export function notice({ kind, message, language }) {
  if (kind === "editors") return el("p", { class: "editors", dir: "auto" }, el("b", { text: FROM_EDITORS }), " ", el("bdi", { text: message }));
  const style = REPLIES.has(kind) ? "paragraph" : kind === "disclaimer" ? "callout disclaimer" : "callout";
  return el("p", { class: style, dir: "auto", lang: language === LANGUAGE ? null : language, text: message });
}

/**
 * What goes with a reply that is no answer: what a vague question may mean, examples, and what is close to a pasted text.
 * @param {{readings?: string[], examples?: string[], nearest?: any[]}} event @param {(text: string) => void} ask
 * @param {(index: number, links: HTMLElement[]) => void} look shows one of the nearest moments beside the text
 */
export function replyParts({ readings = [], examples = [], nearest = [] }, ask, look) {
  return [
    readings.length ? questionButtons(readings, DID_YOU_MEAN, ask) : null,
    examples.length ? questionButtons(examples, FOR_EXAMPLE, ask) : null,
    nearest.length ? nearestList(nearest, look) : null,
  ].filter((part) => part !== null);
}

/**
 * How the question was searched, with the way back from a corrected spelling.
 * @param {{kind: string, typed: string, text: string}} event @param {(text: string) => void} askAsTyped
 */
export function readAsLine({ kind, typed, text }, askAsTyped) {
  const isCorrection = kind === "correction";
  return el("p", { class: "quiet read-as", role: "status" },
    `${isCorrection ? SHOWING_RESULTS_FOR : SEARCHED_IN_ENGLISH} `, el("bdi", { text: `“${text}”` }), " ",
    isCorrection ? el("button", { type: "button", class: "link", text: AS_TYPED, on: { click: () => askAsTyped(typed) } }) : el("bdi", { text: `(${typed})` }));
}

/** @param {string} message @param {() => void} ask the same question anew */
export function stoppedNotice(message, ask) {
  return el("p", { class: "callout stopped", dir: "auto" }, el("span", { text: message }), " ",
    el("button", { class: "button small", type: "button", text: ASK_AGAIN, on: { click: ask } }));
}

/** @param {{type: string, message: string}[]} warnings */
export function warningList(warnings) {
  return el("ul", { class: "warnings" }, ...warnings.map(({ message }) => el("li", {}, icon("conflict"), message)));
}

/**
 * The line of counts, opening on what was removed and how long it took.
 * @param {any} done the final event @param {import("./types.js").Withheld[]} withheld
 */
export function checks(done, withheld) {
  const lines = removals(withheld).map(removalLine);
  const total = done.timings_ms?.total;
  if (typeof total === "number" && !UNANSWERED.has(done.outcome)) lines.push(el("li", { text: fill(gettext("Answered in {seconds} s"), { seconds: secondsOf(total) }) }));
  const summary = done.summary || countsOf(done.validation) || (withheld.length ? removed(withheld.length) : "");
  if (!summary) return null;
  if (!lines.length) return el("p", { class: "checks quiet", text: summary });
  return el("details", { class: "checks" }, el("summary", { text: summary }), el("ul", {}, ...lines));
}

/** Why sentences were removed, and each of them as plain text under its mark. @param {{words: string, texts: string[]}} removal */
function removalLine({ words, texts }) {
  const said = texts.map((text) =>
    el("li", {}, el("span", { class: "verdict unsupported" }, icon("conflict"), UNBACKED), " ", el("bdi", { text })));
  return el("li", {}, words, said.length ? el("ul", { class: "removed" }, ...said) : null);
}

/** @param {Record<string, number>|undefined} v the counts of the audit row */
function countsOf(v) {
  if (!v || !v.claims_total) return "";
  const counts = [
    [v.claims_total, ngettext("{n} claim", "{n} claims", v.claims_total)],
    [v.claims_supported, v.claims_checked ? gettext("{n} checked") : gettext("{n} verified")], [v.claims_partial, gettext("{n} partly")],
    ...(v.claims_inferred ? [[v.claims_inferred, gettext("{n} inferred")]] : []),
    [v.miscited, gettext("{n} miscited")], [v.uncited, gettext("{n} uncited")], [v.removed, gettext("{n} removed")],
  ];
  return counts.map(([n, words]) => fill(String(words), { n: n ?? 0 })).join(" · ");
}

/** @param {number} ms @returns {string} "4.2" */
function secondsOf(ms) {
  return (ms / 1000).toLocaleString(LANGUAGE, { minimumFractionDigits: 1, maximumFractionDigits: 1, useGrouping: false });
}

/** @param {string} message @param {(() => void)|null} retry */
export function failure(message, retry) {
  return el("section", { class: "failure", role: "alert" }, el("p", { dir: "auto", text: message }),
    retry ? el("button", { class: "button small", type: "button", text: gettext("Try again"), on: { click: retry } }) : null);
}

/**
 * What to ask next; without an answer, what the editors answer that the question may mean.
 * @param {string[]} items @param {(question: string) => void} ask @param {boolean} answered
 */
export function suggestions(items, ask, answered) {
  const label = answered ? ASK_NEXT : DID_YOU_MEAN;
  return el("div", { class: "next" }, el("p", { class: "quiet", "aria-hidden": "true", text: label }), questionButtons(items, label, ask));
}

/** Questions that are asked on a click. @param {string[]} items @param {string} label @param {(text: string) => void} ask */
function questionButtons(items, label, ask) {
  return el("ul", { class: "examples", "aria-label": label }, ...items.map((text) =>
    el("li", {}, el("button", { class: "example", type: "button", text, dir: "auto", on: { click: () => ask(text) } }))));
}
