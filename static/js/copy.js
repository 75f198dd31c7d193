/** An answer with its citations, for the clipboard and for paper. */
import { el, ownUrl } from "./dom.js";
import { placeIn, provenance, titleOf } from "./format.js";
import { COPIED, COPY_ANSWER, NOT_COPIED, SOURCES } from "./words.js";

/** @typedef {import("./types.js").Citation} Citation */
/** @typedef {import("./turn-view.js").TurnView} TurnView */
/** @typedef {{text: string, numbers: number[], isQuoted: boolean}} Block A paragraph of an answer, or what stands before it. */

/** @param {TurnView} view @returns {HTMLElement} the button that copies its answer, and what came of it */
export function copyRow(view) {
  const standing = el("span", { class: "quiet", role: "status" });
  const button = el("button", { class: "button small", type: "button", text: COPY_ANSWER, on: { click: async () => {
    standing.textContent = (await put(answerText(view), answerHtml(view))) ? COPIED : NOT_COPIED;
  } } });
  return el("div", { class: "copy-row" }, button, standing);
}

/** @param {TurnView} view @returns {HTMLElement} its sources with their addresses, which only paper shows */
export function sourceList(view) {
  return el("section", { class: "print-only print-sources" }, ...sourcesOf(view));
}

/** @param {TurnView} view @returns {Citation[]} in the order of their numbers */
function citationsOf(view) {
  return [...view.used.values()].map(({ citation }) => citation).sort((a, b) => a.n - b.n);
}

/** @param {TurnView} view @returns {Block[]} */
function blocksOf(view) {
  return [...view.answer.querySelectorAll(".closest-notice, .callout:not(.stopped), .editors, .paragraph")].map((block) => {
    const sentences = [...block.querySelectorAll(".sentence")];
    const words = sentences.map((sentence) => sentence.querySelector(".words")?.textContent ?? "");
    const cited = sentences.flatMap((sentence) => (sentence.getAttribute("data-cites") ?? "").split(" ").filter(Boolean));
    return { text: words.join(" ") || (block.textContent ?? ""), numbers: [...new Set(cited.map(Number))], isQuoted: block.matches(".quoted") };
  });
}

/** @param {Citation} citation @returns {string} title, speaker, date and place in the source */
function origin(citation) {
  return [titleOf(citation).text, ...provenance(citation), placeIn(citation)].join(", ");
}

/** @param {Citation} citation @returns {string} its whole address; "" where it has none on this site */
function address(citation) {
  const url = ownUrl(citation.url);
  return url ? new URL(url, location.href).href : "";
}

/** @param {TurnView} view @returns {string} */
function answerText(view) {
  const paragraphs = blocksOf(view).map(({ text, numbers }) => [text, ...numbers.map((n) => `[${n}]`)].join(" "));
  const sources = citationsOf(view).map((one) => [`[${one.n}] “${one.quote}”`, `    ${origin(one)}`, address(one) && `    ${address(one)}`].filter(Boolean).join("\n"));
  return [view.question, ...paragraphs, SOURCES, ...sources].join("\n\n");
}

/** @param {TurnView} view @returns {string} */
function answerHtml(view) {
  const paragraphs = blocksOf(view).map(({ text, numbers, isQuoted }) => {
    const words = el("p", {}, text, ...numbers.map((n) => el("sup", { text: `[${n}]` })));
    return isQuoted ? el("blockquote", {}, words) : words;
  });
  return el("div", {}, el("p", {}, el("strong", { text: view.question })), ...paragraphs, ...sourcesOf(view)).outerHTML;
}

/** @param {TurnView} view @returns {HTMLElement[]} a heading and the list */
function sourcesOf(view) {
  const rows = citationsOf(view).map((one) => el("li", { value: one.n }, el("q", { lang: one.language, dir: "auto", text: one.quote }), el("br"), origin(one),
    ...(address(one) ? [el("br"), el("a", { href: address(one), text: address(one) })] : [])));
  return [el("h4", { text: SOURCES }), el("ol", {}, ...rows)];
}

/** @param {string} text @param {string} html @returns {Promise<boolean>} whether the clipboard took them */
async function put(text, html) {
  try {
    const as = (/** @type {string} */ type, /** @type {string} */ words) => ({ [type]: new Blob([words], { type }) });
    await navigator.clipboard.write([new ClipboardItem({ ...as("text/plain", text), ...as("text/html", html) })]);
    return true;
  } catch {
    return putByCommand(text, html); // an address without HTTPS, or a browser that keeps the clipboard closed
  }
}

/** @param {string} text @param {string} html @returns {boolean} */
function putByCommand(text, html) {
  const fill = (/** @type {ClipboardEvent} */ event) => {
    event.preventDefault();
    event.clipboardData?.setData("text/plain", text);
    event.clipboardData?.setData("text/html", html);
  };
  document.addEventListener("copy", fill);
  try {
    return document.execCommand("copy");
  } finally {
    document.removeEventListener("copy", fill);
  }
}
