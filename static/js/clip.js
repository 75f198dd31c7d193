/** A clip: a stretch of one source in its own words, as one paragraph with one line that says where it is from. */
import { el, icon } from "./dom.js";
import { verdictTag } from "./citations.js";
import { WORD_FOR_WORD } from "./words.js";

/** @typedef {import("./types.js").Citation} Citation */
/** @typedef {import("./types.js").Sentence} Sentence */

export class Clip {
  /** @param {number} paragraph its number in the answer */
  constructor(paragraph) {
    this.paragraph = paragraph;
    /** Numbers of the citations on the source line. @type {Set<number>} */
    this.cited = new Set();
    this.words = el("blockquote", { class: "paragraph quoted", dir: "auto" });
    this.chips = el("span", { class: "source-chips" });
    this.speaker = el("bdi");
    this.element = el("figure", { class: "clip growing" }, this.words,
      el("figcaption", { class: "source-line" }, icon("quote"), el("span", {}, `${WORD_FOR_WORD} `, this.speaker, " "), this.chips));
  }

  /** @param {Sentence} sentence */
  addSentence({ text, lead, citations, conflicting = false }) {
    const words = el("bdi", { class: "words", lang: citations[0]?.language }, lead ? el("mark", { class: "lead", text }) : text);
    const numbers = citations.map(({ n }) => n).join(" ");
    const span = el("span", { class: "sentence factual", "data-cites": numbers }, words);
    if (conflicting) span.append(" ", verdictTag({ verdict: "conflicting" }));
    this.words.append(this.words.hasChildNodes() ? " " : "", span);
  }

  /** @param {Citation} citation @param {HTMLElement} chip */
  addSource(citation, chip) {
    this.cited.add(citation.n);
    this.chips.append(this.chips.hasChildNodes() ? " " : "", chip);
    this.speaker.textContent = citation.speaker ?? "";
  }

  /** Show where it is from: nothing is added to it any more that would move that line. */
  settle() {
    this.element.classList.remove("growing");
  }
}
