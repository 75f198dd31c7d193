/** Finds a quote in the text of a source and marks it there. Blanks are not compared: a source breaks lines elsewhere. */
import { el } from "./dom.js";

/** @typedef {{piece: number, from: number, to: number}} Stretch Characters of one of several pieces of text. */

/**
 * @param {string[]} pieces the source's text, in order
 * @param {string} quote
 * @param {number} [near] the piece that the quote should begin at or soon after; of several places the nearest is taken
 * @returns {Stretch[]} the quote's stretches, in order; none where its words do not stand there
 */
export function findQuote(pieces, quote, near = 0) {
  const wanted = quote.replace(/\s+/gu, "");
  if (!wanted) return [];
  let letters = "";
  /** Where each letter stands: its piece and its place in it. @type {[number, number][]} */
  const places = [];
  let nearAt = 0;
  pieces.forEach((piece, index) => {
    if (index === near) nearAt = letters.length;
    for (let at = 0; at < piece.length; at += 1) {
      if (/\s/u.test(piece[at])) continue;
      letters += piece[at];
      places.push([index, at]);
    }
  });
  let best = -1;
  for (let at = letters.indexOf(wanted); at >= 0; at = letters.indexOf(wanted, at + 1)) {
    if (best < 0 || Math.abs(at - nearAt) < Math.abs(best - nearAt)) best = at;
  }
  return best < 0 ? [] : stretches(places.slice(best, best + wanted.length));
}

/** @param {[number, number][]} places @returns {Stretch[]} one a piece */
function stretches(places) {
  /** @type {Stretch[]} */
  const found = [];
  for (const [piece, at] of places) {
    const last = found.at(-1);
    if (last?.piece === piece) last.to = at + 1;
    else found.push({ piece, from: at, to: at + 1 });
  }
  return found;
}

/** @param {Element} root @returns {Text[]} the text nodes of its paragraphs, without times and addresses */
function textsOf(root) {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.parentElement?.closest("p:not(.original)")) texts.push(/** @type {Text} */ (node));
  }
  return texts;
}

/**
 * @param {Element} root @param {string} quote @param {Element|null} near the paragraph where it should stand
 * @param {string} style class of the marks
 * @returns {HTMLElement[]} the marks; none where the words do not stand there
 */
export function markQuote(root, quote, near, style) {
  const texts = textsOf(root);
  const first = near ? texts.findIndex((text) => near.contains(text)) : 0;
  return findQuote(texts.map(({ data }) => data), quote, Math.max(0, first)).map(({ piece, from, to }) => {
    const words = texts[piece].splitText(from);
    words.splitText(to - from);
    const mark = el("mark", { class: style });
    words.replaceWith(mark);
    mark.append(words);
    return mark;
  });
}

/** Take the marks of a quote away; those of a search stay. @param {Element} root */
export function unmark(root) {
  for (const mark of root.querySelectorAll("mark:not(.found)")) {
    const parent = mark.parentElement;
    mark.replaceWith(...mark.childNodes);
    parent?.normalize();
  }
}
