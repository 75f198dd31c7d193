/** The column of sources: what is being read, then the source itself, opened at the citation that is looked at. */
import { placeIn, provenance, titleOf } from "./format.js";
import { byId, el, isNarrow } from "./dom.js";
import { placeCard } from "./citations.js";
import { citationFeedback } from "./feedback.js";
import { SourcePane } from "./source-pane.js";
import { fill, gettext } from "./gettext.js";
import { CLOSEST, NO_SOURCE_TEXT, NONE_CITED, NONE_CITED_NEAR, RELATED, SEARCHING, SOURCE, SOURCES } from "./words.js";

/** @typedef {import("./types.js").Source} Source */
/** @typedef {import("./types.js").Citation} Citation */
/** @typedef {import("./turn-view.js").TurnView} TurnView */
/** @typedef {{source: any, isCited: boolean, from: HTMLElement|null}} Stop One of the places that previous and next lead through. */

export class Evidence {
  /** @param {import("./player.js").Player} player @param {import("./panel.js").Panel} panel */
  constructor(player, panel) {
    this.player = player;
    this.panel = panel;
    this.pane = new SourcePane(byId("pane"), player);
    this.pinnedBox = byId("pinned");
    this.sourcesBox = byId("sources");
    this.hint = [...this.sourcesBox.childNodes];
    this.count = byId("evidence-count");
    /** @type {Stop[]} */
    this.stops = [];
    this.at = -1;
    /** @type {HTMLElement|null} */
    this.chip = null;
    /** @type {Source|null} the one whose source is open */
    this.pinned = null;
    /** @type {TurnView|null} the turn whose sources are shown */
    this.view = null;
    byId("pane-previous").addEventListener("click", () => this.step(-1));
    byId("pane-next").addEventListener("click", () => this.step(1));
    byId("pane-list").addEventListener("click", () => this.#list());
  }

  /** Show a turn's sources. Another turn's pinned citation gives way. @param {TurnView} view */
  show(view) {
    if (this.view !== view) this.unpin();
    this.view = view;
    this.#offerFeedback(view);
    const cited = citedOf(view);
    const found = view.running ? view.unread() : [];
    this.sourcesBox.replaceChildren(
      ...(cited.length ? [this.#heading(gettext("Cited")), el("ul", { class: "source-list" }, ...cited.map((one) => this.#citedRow(one, view)))] : []),
      ...(found.length ? [this.#heading(cited.length ? gettext("Also being read") : gettext("Being read")), el("ul", { class: "source-list" }, ...found.map(foundRow))] : []),
      ...(cited.length || found.length ? [] : [el("p", { class: "quiet", text: view.running ? SEARCHING : view.hasNearest ? NONE_CITED_NEAR : NONE_CITED })]),
    );
    const shown = cited.length || found.length;
    this.count.hidden = !shown;
    this.count.textContent = String(shown);
    this.panel.button?.setAttribute("aria-label", shown ? `${SOURCES}, ${shown}` : SOURCES);
    if (this.pinned && this.stops[this.at].isCited) this.#steps(view);
  }

  /** Show what has changed in a turn, unless another turn is being looked at. @param {TurnView} view */
  update(view) {
    if (!this.view || this.view === view) this.show(view);
  }

  /** Open the source of an answer that stands, where there is room beside it and nothing else is open. @param {TurnView} view */
  openFirst(view) {
    if (this.view !== view || this.pinned || isNarrow()) return;
    const [first] = citedOf(view);
    if (first) this.#open(first.citation, view, null);
  }

  /**
   * Open a citation's source and play it: only a press leads here, which is what browsers ask for before any sound.
   * @param {Citation} citation @param {TurnView} view
   * @param {HTMLElement|null} chip to return to @param {boolean} byKeyboard whether to move there
   */
  pin(citation, view, chip, byKeyboard) {
    this.show(view);
    this.#open(citation, view, chip);
    if (view.turn && !view.running) view.around.feedback.opened(view.turn, citation.n);
    this.panel.open(chip);
    if (byKeyboard && !isNarrow()) /** @type {HTMLElement} */ (this.pinnedBox.firstElementChild).focus();
    this.player.play(citation);
  }

  /**
   * Open one of the passages nearest to a question that was not answered.
   * @param {Source[]} places @param {number} index @param {TurnView} view @param {HTMLElement[]} links that lead to them
   */
  look(places, index, view, links) {
    this.show(view);
    this.stops = places.map((source, at) => ({ source, isCited: false, from: links[at] }));
    this.#show(index, view);
    this.panel.open(links[index]);
    this.player.close();
  }

  /** Go to the citation before or after the one that is open. It plays only where the one before was playing. @param {1|-1} by */
  step(by) {
    const view = this.view;
    if (!view || this.stops.length < 2) return;
    const wasPlaying = this.pinned !== null && this.player.isPlaying(this.pinned);
    const hadFocus = this.pinnedBox.contains(document.activeElement);
    this.#show((this.at + by + this.stops.length) % this.stops.length, view);
    if (hadFocus) /** @type {HTMLElement} */ (this.pinnedBox.firstElementChild).focus();
    if (wasPlaying && this.pinned) this.player.play(this.pinned);
  }

  /** @returns {boolean} whether there was something to unpin */
  unpin() {
    const had = this.pinned !== null;
    const wasInside = byId("evidence").contains(document.activeElement);
    const back = this.chip ?? this.stops[this.at]?.from;
    this.pinnedBox.replaceChildren();
    this.pane.close();
    this.#press(null);
    if (had && wasInside) back?.focus();
    if (this.pinned) this.player.pause(this.pinned);
    this.pinned = null;
    this.stops = [];
    this.at = -1;
    this.sourcesBox.hidden = false;
    byId("pane-steps").hidden = true;
    byId("evidence-title").textContent = SOURCES;
    return had;
  }

  /** Forget the turns: their conversation is gone. */
  clear() {
    this.unpin();
    this.player.close();
    this.view = null;
    this.count.hidden = true;
    this.sourcesBox.replaceChildren(...this.hint);
  }

  #list() {
    this.unpin();
    const first = this.sourcesBox.querySelector("button") ?? byId("evidence-close");
    first.focus();
  }

  /** @param {Citation} citation @param {TurnView} view @param {HTMLElement|null} chip */
  #open(citation, view, chip) {
    this.#steps(view);
    const at = this.stops.findIndex(({ source }) => source.n === citation.n);
    if (chip) this.stops[at].from = chip;
    this.#show(at, view, chip !== null);
  }

  /** @param {TurnView} view */
  #steps(view) {
    this.stops = citedOf(view).map(({ citation }) => ({ source: citation, isCited: true, from: view.chipOf(citation.n) }));
    this.#count();
  }

  /** @param {number} index @param {TurnView} view @param {boolean} [isChosen] false where no press led to it */
  #show(index, view, isChosen = true) {
    this.at = index;
    const { source, isCited, from } = this.stops[index];
    this.pinned = source;
    const chip = isCited ? from : null;
    this.#press(isChosen ? chip : null);
    chip?.setAttribute("aria-current", "true");
    const shown = placeCard(source, this.player);
    shown.classList.add("pinned");
    shown.tabIndex = -1;
    if (chip && view.turn) shown.append(citationFeedback(view, source, view.claimOf(chip)));
    this.pinnedBox.replaceChildren(shown);
    this.sourcesBox.hidden = true;
    byId("evidence-title").textContent = isCited ? (view.isClosest ? CLOSEST : SOURCE) : RELATED;
    this.#offerFeedback(view);
    this.#count();
    this.#read(source, chip ? view.claimOf(chip) : "", shown);
  }

  /** Show the source's text; where it cannot be had, the quote alone. @param {any} source @param {string} lead @param {HTMLElement} shown */
  async #read(source, lead, shown) {
    const quote = el("blockquote", { class: "card-quote", lang: source.language, dir: "auto", text: source.quote });
    if (await this.pane.open(source, lead)) return;
    if (this.pinned === source && this.pane.box.hidden) shown.append(quote, el("p", { class: "quiet", role: "status", text: NO_SOURCE_TEXT }));
  }

  /** Mark the chip whose source is open. @param {HTMLElement|null} chip */
  #press(chip) {
    this.chip?.setAttribute("aria-pressed", "false");
    for (const one of document.querySelectorAll(".chip[aria-current]")) one.removeAttribute("aria-current");
    this.chip = chip;
    chip?.setAttribute("aria-pressed", "true");
  }

  #count() {
    byId("pane-steps").hidden = !this.pinned;
    byId("pane-count").textContent = fill(gettext("{n} of {all}"), { n: this.at + 1, all: this.stops.length });
    for (const name of ["pane-previous", "pane-next", "pane-count"]) byId(name).hidden = this.stops.length < 2;
  }

  /** Once its turn has ended. @param {TurnView} view */
  #offerFeedback(view) {
    this.pinnedBox.querySelector(".feedback")?.toggleAttribute("hidden", view.running);
  }

  /** @param {string} text */
  #heading(text) {
    return el("h3", { class: "source-heading", text });
  }

  /** @param {{citation: Citation, uses: number}} one @param {TurnView} view */
  #citedRow({ citation, uses }, view) {
    const tint = (/** @type {boolean} */ on) => view.tint(citation.n, on);
    return el("li", {}, el("button", {
      class: "source-row", type: "button",
      on: {
        click: (/** @type {MouseEvent} */ event) => this.pin(citation, view, view.chipOf(citation.n), event.detail === 0),
        pointerenter: () => tint(true), pointerleave: () => tint(false), focus: () => tint(true), blur: () => tint(false),
      },
    }, el("span", { class: "chip-n", text: String(citation.n) }), ...rowWords(citation, fill(gettext("cited {n}×"), { n: uses }))));
  }
}

/** @param {TurnView} view @returns {{citation: Citation, uses: number}[]} in the order of their numbers */
function citedOf(view) {
  return [...view.used.values()].sort((a, b) => a.citation.n - b.citation.n);
}

/** @param {Source} source */
function foundRow(source) {
  return el("li", { class: "source-row reading" }, ...rowWords(source));
}

/** @param {Source} source @param {string} [uses] */
function rowWords(source, uses) {
  const where = [placeIn(source), ...provenance(source)].slice(0, 3);
  return [
    el("span", { class: "source-title", dir: "auto", lang: titleOf(source).language, text: titleOf(source).text }),
    el("span", { class: "source-meta", dir: "auto" }, where.join(" · "), uses ? ` · ${uses}` : ""),
  ];
}
