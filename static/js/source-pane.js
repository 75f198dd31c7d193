/**
 * The text of a source, opened at a quote. The server sends the part around it as HTML that it has escaped; the same
 * rules as for the source's own page decide who gets it.
 */
import { ownUrl } from "./dom.js";
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
    /** @type {Place|null} */
    this.place = null;
    box.addEventListener("click", (event) => this.#press(event));
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
    if (this.#article?.dataset.page !== page || !this.#paragraph(place.address)) {
      this.box.setAttribute("aria-busy", "true");
      const article = await fetchPane(page, place.address);
      if (mine !== this.asked) return false;
      this.box.removeAttribute("aria-busy");
      if (!article) return this.#hide();
      this.box.replaceChildren(article);
    }
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
    this.place = null;
    this.box.hidden = true;
    this.box.replaceChildren();
    return false;
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
    const more = /** @type {HTMLElement|null} */ (target.closest(".more a"));
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

/** @param {string} page @param {string} address @returns {Promise<Element|null>} null where it cannot be had */
async function fetchPane(page, address) {
  try {
    const answer = await fetch(`${page}pane?at=${encodeURIComponent(address)}`);
    if (!answer.ok) return null;
    const sent = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector(".pane-source");
    return sent && document.importNode(sent, true);
  } catch {
    return null;
  }
}
