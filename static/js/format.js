/** Pure functions from values to words and to other values; nothing here touches the page. */
import { LANGUAGE, fill, gettext, ngettext } from "./gettext.js";
import { REMOVALS, VERDICTS } from "./words.js";

/** @typedef {import("./types.js").Source} Source */
/** @typedef {import("./types.js").Citation} Citation */
/** @typedef {import("./types.js").StoredTurn} StoredTurn */
/** @typedef {import("./types.js").TurnEvent} TurnEvent */
/** @typedef {import("./types.js").Withheld} Withheld */

/** Seconds before a quote at which playing begins. */
export const LEAD_IN_SECONDS = 2;
const SHORT_TITLE_CHARS = 28;

/** @param {number} seconds @returns {string} 12:34, or 1:02:03 from an hour on */
export function clock(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  const [h, m, s] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  return h ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

/** @param {number} seconds @returns {string} "12 minutes 34 seconds", for a listener */
export function spokenClock(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  const [h, m, s] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const said = [
    h && fill(ngettext("{n} hour", "{n} hours", h), { n: h }),
    m && fill(ngettext("{n} minute", "{n} minutes", m), { n: m }),
    s && fill(ngettext("{n} second", "{n} seconds", s), { n: s }),
  ];
  return said.filter(Boolean).join(" ") || gettext("the beginning");
}

/** @param {string} title @param {number} [limit] @returns {string} cut at a word, with an ellipsis where cut */
export function shortTitle(title, limit = SHORT_TITLE_CHARS) {
  const letters = [...title.trim()];
  if (letters.length <= limit) return letters.join("");
  const cut = letters.slice(0, limit - 1).join("");
  const space = cut.lastIndexOf(" ");
  return `${(space > limit / 2 ? cut.slice(0, space) : cut).replace(/[\s,;:.–—-]+$/u, "")}…`;
}

/** @param {Source & {language?: string}} source @returns {{text: string, language?: string}} its title as the reader is shown it */
export function titleOf(source) {
  return source.translated_title ?? { text: source.title, language: source.language };
}

/** @param {Source} source @returns {string} where in its source it stands: 12:34, ¶ 9 or BG 2.13 */
export function placeIn(source) {
  if (typeof source.start === "number") return clock(source.start);
  if (source.kind !== "lecture") return source.address;
  const paragraph = /[:#\s](\d+)$/u.exec(source.address);
  return paragraph ? `¶ ${paragraph[1]}` : source.address;
}

/** @param {Source} source @returns {string} the words on a chip */
export function chipLabel(source) {
  return source.kind === "verse" ? source.address : `${shortTitle(titleOf(source).text)} · ${placeIn(source)}`;
}

/** @param {Citation} citation @param {string} [label] the words on the chip @returns {string} its full name, with what is cut short */
export function chipName(citation, label = chipLabel(citation)) {
  const parts = [fill(gettext("Source {n} {label}"), { n: citation.n, label })];
  const title = titleOf(citation).text;
  if (!label.includes(title)) parts.push(title);
  if (typeof citation.start === "number") parts.push(spokenClock(citation.start));
  return [...parts, verdictOf(citation).word.toLowerCase()].join(", ");
}

/**
 * A supported sentence is called verified only where its proof says so: see chat/answering/domain/answer.py, Proved.
 * @param {{verdict?: string, quoted?: boolean, proof?: string}} shown @returns {string} key of VERDICTS
 */
export function verdictKey(shown) {
  if (shown.quoted) return "quoted";
  if (shown.verdict === "supported" && shown.proof !== "verified") return "checked";
  return shown.verdict && shown.verdict in VERDICTS ? shown.verdict : "unchecked";
}

/** @param {{verdict?: string, quoted?: boolean, proof?: string}} shown */
export function verdictOf(shown) {
  return VERDICTS[verdictKey(shown)];
}

/** @param {Source} source @returns {{start: number, end: number|null}|null} seconds to play; null without a recording */
export function playSpan(source) {
  if (!source.media || typeof source.start !== "number") return null;
  return { start: Math.max(0, source.start - LEAD_IN_SECONDS), end: source.end ?? null };
}

/** @param {string} date as 2025-03-04 @returns {string} as the page's language writes it; as it is where it is no date */
export function readableDate(date) {
  const day = new Date(`${date}T00:00:00Z`);
  return Number.isNaN(day.getTime()) ? date : day.toLocaleDateString(LANGUAGE, { dateStyle: "long", timeZone: "UTC" });
}

/** @param {Source} source @returns {string[]} speaker, date and place, those that are known */
export function provenance(source) {
  return [source.speaker, source.date && readableDate(source.date), source.place].filter((part) => part).map(String);
}

/** @param {Source} source @returns {string} tells one moment from another */
export function sourceKey(source) {
  return [source.address, source.start ?? "", source.title].join("\u0000");
}

/**
 * Add a sentence's citations to those shown so far.
 * @param {Map<number, {citation: Citation, uses: number}>} used
 * @param {Citation[]} citations
 */
export function countUses(used, citations) {
  for (const citation of citations) {
    const known = used.get(citation.n);
    used.set(citation.n, { citation: known?.citation ?? citation, uses: (known?.uses ?? 0) + 1 });
  }
  return used;
}

/** @param {number} n @returns {string} */
export function removed(n) {
  return fill(ngettext("{n} sentence removed", "{n} sentences removed", n), { n });
}

/** @param {Withheld[]} withheld @returns {{words: string, texts: string[]}[]} one a reason: "2 sentences removed: …", and what they said */
export function removals(withheld) {
  /** @type {Map<string, string[]>} */
  const found = new Map();
  for (const { reason, found_in: where, text = "" } of withheld) {
    const why = REMOVALS[reason.toLowerCase()] ?? reason.replaceAll("_", " ");
    const line = where ? `${why}: ${where}` : why;
    found.set(line, [...(found.get(line) ?? []), text]);
  }
  return [...found].map(([why, texts]) => ({ words: `${removed(texts.length)}: ${why}`, texts: texts.filter(Boolean) }));
}

/** @param {string} words @returns {string} with its first letter raised */
export function capital(words) {
  const [first = "", ...rest] = words;
  return first.toLocaleUpperCase() + rest.join("");
}

/**
 * The events that would have led to a stored turn, so that it is drawn by the code that draws live ones.
 * @param {StoredTurn} stored
 * @returns {TurnEvent[]}
 */
export function eventsOf({ turn, outcome, response, suggestions: next = [] }) {
  const citations = new Map((response.citations ?? []).map((/** @type {Citation} */ c) => [c.n, c]));
  const isClosest = outcome === "closest_passage" && response.sentences?.length;
  /** @type {any[]} */
  const events = response.read_as ? [{ type: "read_as", ...response.read_as }] : [];
  if (isClosest) events.push({ type: "notice", kind: outcome, message: response.message });
  if (response.framing) events.push({ type: "notice", kind: "editors", message: response.framing });
  for (const sentence of response.sentences ?? []) {
    const cited = (sentence.citations ?? []).map((/** @type {number} */ n) => citations.get(n)).filter(Boolean);
    events.push({ ...sentence, type: "sentence", citations: cited });
  }
  for (const withheld of response.withheld ?? []) events.push({ type: "withheld", ...withheld });
  if (outcome === "refused") {
    const { reason, message = "", nearest = [], searched = "", next_step = "" } = response;
    events.push({ type: "refusal", reason, message, nearest, searched, next_step });
  }
  if (outcome === "no_retrieval" || outcome === "asked_back") {
    const { message, readings, examples, nearest } = response;
    events.push({ type: "notice", kind: outcome, message, readings, examples, nearest });
  }
  if (next.length) events.push({ type: "suggestions", items: next });
  if (outcome === "closest_passage" && !isClosest) events.push({ type: "notice", kind: "gone", message: response.message });
  if (outcome === "failed") events.push({ type: "error", code: "failed", message: response.message, retryable: true });
  else events.push({ type: "done", ...response, outcome });
  return events.map((event, index) => ({ ...event, turn, seq: index + 1 }));
}

/**
 * @param {Date} then @param {Date} now both in the reader's time zone
 * @returns {"today"|"yesterday"|"week"|string} the name of a stretch of days, or its month: "March 2025"
 */
export function daysAgo(then, now) {
  const midnight = (/** @type {Date} */ day) => new Date(day.getFullYear(), day.getMonth(), day.getDate()).getTime();
  const days = Math.round((midnight(now) - midnight(then)) / 86_400_000);
  if (days <= 0) return "today";
  if (days === 1) return "yesterday";
  return days <= 7 ? "week" : then.toLocaleDateString(LANGUAGE, { month: "long", year: "numeric" });
}

/**
 * The moment of a media fragment (https://www.w3.org/TR/media-frags/): #t=754.2,771 · #t=12:34 · #t=npt:1:02:03,1:02:10 ·
 * #t=,20. Any other fragment is none.
 * @param {string} hash @returns {{start: number, end: number|null}|null} seconds
 */
export function parseMediaFragment(hash) {
  const part = hash.replace(/^#/, "").split("&").find((one) => one.startsWith("t="));
  const match = /^t=(?:npt:)?([\d:.]*)(?:,([\d:.]+))?$/.exec(part ?? "");
  if (!match || (!match[1] && !match[2])) return null;
  const [start, end] = [match[1] ? secondsOf(match[1]) : 0, match[2] ? secondsOf(match[2]) : null];
  if (start === null || (match[2] && end === null)) return null;
  return end !== null && end <= start ? { start, end: null } : { start, end };
}

/** @param {string} time 754.2, 12:34 or 1:02:03.5 @returns {number|null} */
function secondsOf(time) {
  if (/^\d{1,9}(\.\d*)?$/.test(time)) return Number(time);
  const match = /^(?:(\d{1,4}):)?([0-5]?\d):([0-5]\d(?:\.\d*)?)$/.exec(time);
  return match && Number(match[1] ?? 0) * 3600 + Number(match[2]) * 60 + Number(match[3]);
}
