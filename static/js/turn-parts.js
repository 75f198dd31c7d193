/** The pieces of an answer that are not sentences. */
import { placeIn, removals, removed } from "./format.js";
import { el, icon, ownUrl } from "./dom.js";
import { NOTED, REFUSAL, REFUSALS, RELATED, UNBACKED } from "./words.js";

/** @typedef {import("./types.js").Source} Source */

/** Outcomes that are no answer. */
const UNANSWERED = new Set(["refused", "closest_passage"]);
/** Notices that are the whole reply. */
const REPLIES = new Set(["greeting", "ask_back", "no_retrieval", "asked_back", "end_of_source"]);

/** @param {{reason: string, message: string, nearest?: any[], searched?: string, next_step?: string}} event */
export function refusalCard({ reason, message, nearest = [], searched = "", next_step: nextStep = "" }) {
  return el("section", { class: "refusal", "aria-label": "No answer" },
    el("h3", { text: REFUSALS[reason] ?? REFUSAL }),
    el("p", { dir: "auto", text: message }),
    searched ? el("p", { class: "quiet", text: `Searched: ${searched}` }) : null,
    el("p", { class: "noted", hidden: true, text: NOTED }),
    nextStep ? el("p", { class: "next-step", text: nextStep }) : null,
    nearest.length ? el("h4", { text: RELATED }) : null,
    nearest.length ? el("ul", { class: "nearest" }, ...nearest.map(nearestMoment)) : null);
}

/**
 * The card of a closest passage, and where in it the passage goes.
 * @param {{message: string}} event
 */
export function closestCard({ message }) {
  const body = el("div", { class: "closest-body" });
  const element = el("section", { class: "closest", "aria-label": "Closest passage" },
    el("p", { class: "closest-notice", dir: "auto", text: message }), body, el("p", { class: "noted", hidden: true, text: NOTED }));
  return { element, body };
}

/** @param {Source & {quote: string, language?: string}} moment */
function nearestMoment(moment) {
  const url = ownUrl(moment.url);
  const words = [moment.title, placeIn(moment)].join(" · ");
  return el("li", {},
    el("blockquote", { lang: moment.language, dir: "auto", text: moment.quote }),
    url ? el("a", { href: url, dir: "auto", text: words }) : el("span", { class: "quiet", text: words }));
}

/** The verse or chapter that a sentence points to. @param {{kind: string, title: string, address: string, url: string}} card */
export function sourceCard({ kind, title, address, url }) {
  const place = ownUrl(url);
  const words = [el("span", { class: "quiet", text: kind === "chapter" ? "Chapter" : "Verse" }), ` ${title} · `, el("bdi", { text: address })];
  return place ? el("a", { class: "source-card", href: place, dir: "auto" }, ...words) : el("span", { class: "source-card", dir: "auto" }, ...words);
}

/** @param {{kind: string, message: string}} event */
export function notice({ kind, message }) {
  const style = REPLIES.has(kind) ? "paragraph" : kind === "disclaimer" ? "callout disclaimer" : "callout";
  return el("p", { class: style, dir: "auto", text: message });
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
  if (typeof total === "number" && !UNANSWERED.has(done.outcome)) lines.push(el("li", { text: `Answered in ${(total / 1000).toFixed(1)} s` }));
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
    [v.claims_total, v.claims_total === 1 ? "claim" : "claims"], [v.claims_supported, v.claims_checked ? "checked" : "verified"], [v.claims_partial, "partly"],
    ...(v.claims_inferred ? [[v.claims_inferred, "inferred"]] : []), [v.miscited, "miscited"], [v.uncited, "uncited"], [v.removed, "removed"],
  ];
  return counts.map(([n, word]) => `${n ?? 0} ${word}`).join(" · ");
}

/** @param {string} message @param {(() => void)|null} retry */
export function failure(message, retry) {
  return el("section", { class: "failure", role: "alert" }, el("p", { dir: "auto", text: message }),
    retry ? el("button", { class: "button small", type: "button", text: "Try again", on: { click: retry } }) : null);
}

/** @param {string[]} items @param {(question: string) => void} ask */
export function suggestions(items, ask) {
  return el("ul", { class: "examples next", "aria-label": "You could ask next" }, ...items.map((text) =>
    el("li", {}, el("button", { class: "example", type: "button", text, dir: "auto", on: { click: () => ask(text) } }))));
}
