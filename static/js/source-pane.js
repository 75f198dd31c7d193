/**
 * The text of a source, opened at a quote. The server sends the part around it as HTML that it has escaped; the same
 * rules as for the source's own page decide who gets it.
 */
import { ownUrl } from "./dom.js";
import { PlaceSteps } from "./place-steps.js";
import { markQuote, unmark } from "./quote-mark.js";

/** @typedef {import("./types.js").Source & {quote?: string}} Place */

/** Share of the pane's height above the quote. */
const ABOVE = 0.22;

export class SourcePane {
  /** @param {HTMLElement} box that scrolls @param {import("./player.js").Player} player */
  constructor(box, player) {
    this.box = box;
    this.player = player;
    /** Counts what was asked for, so that a slow reply does not replace a later one. */
    this.asked = 0;
    /** The words that were searched for in the lecture, and their places. */
    this.query = "";
    /** @type {PlaceSteps|null} */
    this.places = null;
    /** @type {Place|null} */
    this.place = null;
    box.addEventListener("click", (event) => this.#press(event));
    box.addEventListener("submit", (event) => this.#submit(event));
    box.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && event.target instanceof HTMLInputElement && event.target.value) event.stopPropagation(); // it empties the box
    });
    for (const type of ["timeupdate", "pause", "seeking"]) player.audio.addEventListener(type, () => this.#follow());
  }

  /**
   * Show a place's source, scrolled to its quote.
   * @param {Place} place @param {string} [lead] the sentence within the quote that answers
   * @returns {Promise<boolean>} whether it is shown; false where it cannot be had, or another was asked for meanwhile
   */
  async open(place, lead = "") {
    this.asked += 1;
    const mine = this.asked;
    const page = pageOf(place);
    if (!page) return this.#hide();
    if (!this.#isShown(page, place.address)) {
      this.box.setAttribute("aria-busy", "true");
      const article = await fetchPane(page, { at: place.address });
      if (mine !== this.asked) return false;
      if (!article) return this.#hide();
      this.box.replaceChildren(article);
      this.places = null;
    }
    this.box.removeAttribute("aria-busy");
    this.place = place;
    this.box.hidden = false;
    this.#mark(place, lead);
    return true;
  }

  close() {
    this.asked += 1;
    this.#hide();
  }

  /** @returns {HTMLElement|null} */
  get #article() {
    return this.box.querySelector(".pane-source");
  }

  #hide() {
    this.box.removeAttribute("aria-busy");
    this.place = null;
    this.box.hidden = true;
    this.box.replaceChildren();
    return false;
  }

  /** Whether a paragraph stands in the box, with what is said about it. @param {string} page @param {string} address */
  #isShown(page, address) {
    const { page: shown, about = address } = this.#article?.dataset ?? {};
    return shown === page && about === address && this.#paragraph(address) !== null;
  }

  /** Search the lecture that is open; once more for the same words, show the next place. @param {Event} event */
  #submit(event) {
    event.preventDefault();
    const q = /** @type {HTMLInputElement} */ (this.box.querySelector("#pane-q")).value.trim();
    if (q !== this.query || !this.places?.step(1)) this.#search(q);
  }

  /** Show a place of some words in the lecture. @param {string} q @param {number} [number] @param {string} [at] its paragraph's address */
  async #search(q, number = 1, at = "") {
    const page = this.#article?.dataset.page;
    if (!page || !this.place) return;
    this.asked += 1;
    const mine = this.asked;
    this.box.removeAttribute("aria-busy"); // what was being opened gives way
    const article = await fetchPane(page, q ? { q, at } : { at: this.place.address });
    if (mine !== this.asked || !article) return;
    this.box.replaceChildren(article);
    this.query = q;
    this.places = new PlaceSteps(article, (to) => this.#search(q, to, addressOf(article, to)));
    if (!this.places.show(number)) this.box.scrollTo({ top: 0, behavior: "instant" });
    /** @type {HTMLElement|null} */ (article.querySelector("#pane-q"))?.focus({ preventScroll: true });
  }

  /** @param {string} address @returns {HTMLElement|null} */
  #paragraph(address) {
    return this.box.querySelector(`.paragraph[data-address="${CSS.escape(address)}"]`);
  }

  /** @param {Place} place @param {string} lead */
  #mark(place, lead) {
    const article = /** @type {HTMLElement} */ (this.#article);
    const paragraph = this.#paragraph(place.address) ?? article.querySelector(".paragraph.marked");
    unmark(article);
    for (const one of article.querySelectorAll(".paragraph.marked")) one.classList.remove("marked");
    const marks = markQuote(article, place.quote ?? "", paragraph, "cited");
    if (lead && lead !== place.quote) markQuote(article, lead, marks[0]?.closest(".paragraph") ?? paragraph, "cited-lead");
    if (!marks.length) paragraph?.classList.add("marked");
    this.#scrollTo(marks[0] ?? paragraph);
  }

  /** @param {Element|null} target */
  #scrollTo(target) {
    const { box } = this;
    if (!target) return void box.scrollTo({ top: 0, behavior: "instant" });
    const down = target.getBoundingClientRect().top - box.getBoundingClientRect().top;
    box.scrollTo({ top: box.scrollTop + down - ABOVE * box.clientHeight, behavior: "instant" });
  }

  /** A time plays from there; "Earlier" and "Later" show that part of the source. @param {Event} event */
  async #press(event) {
    const target = /** @type {Element} */ (event.target);
    const time = /** @type {HTMLElement|null} */ (target.closest("button.place"));
    if (time && this.place) this.player.play({ ...this.place, start: Number(time.dataset.at), end: null });
    const found = /** @type {HTMLAnchorElement|null} */ (target.closest(".found-list a[data-at]"));
    if (found) {
      event.preventDefault();
      return this.#search(this.query, Number(found.hash.replace("#found-", "")), found.dataset.at);
    }
    const more = /** @type {HTMLElement|null} */ (target.closest(".more a, .beside a"));
    if (!more || !this.place) return;
    event.preventDefault();
    await this.open({ ...this.place, address: more.dataset.at ?? "" });
    this.box.focus();
  }

  /** Underline the words being spoken. */
  #follow() {
    const { audio, source } = this.player;
    const page = this.#article?.dataset.page;
    const isThis = Boolean(page && ownUrl(source?.media)?.startsWith(page)) && !audio.paused;
    for (const phrase of /** @type {NodeListOf<HTMLElement>} */ (this.box.querySelectorAll("[data-start]"))) {
      const { start, end } = phrase.dataset;
      phrase.classList.toggle("spoken", isThis && Number(start) <= audio.currentTime && audio.currentTime < Number(end));
    }
  }
}

/** @param {Place} place @returns {string|null} the path of its source's page */
function pageOf({ url }) {
  const path = ownUrl(url);
  return path ? new URL(path, location.href).pathname : null;
}

/** @param {Element} article @param {number} number @returns {string} the address of the paragraph with this place */
function addressOf(article, number) {
  const links = /** @type {HTMLAnchorElement[]} */ ([...article.querySelectorAll(".found-list a[data-at]")]);
  return links.filter((link) => Number(link.hash.replace("#found-", "")) <= number).at(-1)?.dataset.at ?? "";
}

/**
 * @param {string} page @param {{at?: string, q?: string}} asked
 * @returns {Promise<Element|null>} null where it cannot be had; one that explains a bad search is had
 */
async function fetchPane(page, asked) {
  try {
    const answer = await fetch(`${page}pane?${new URLSearchParams(asked)}`);
    if (!answer.ok && answer.status !== 400) return null;
    const sent = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector(".pane-source");
    return sent && document.importNode(sent, true);
  } catch {
    return null;
  }
}
