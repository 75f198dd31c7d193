/** The column of sources: what is being read, then only what was cited, and the citation pinned on top. */
import { placeIn, provenance } from "./format.js";
import { byId, el, isNarrow } from "./dom.js";
import { card } from "./citations.js";
import { citationFeedback } from "./feedback.js";

/** @typedef {import("./types.js").Source} Source */
/** @typedef {import("./types.js").Citation} Citation */
/** @typedef {import("./turn-view.js").TurnView} TurnView */

const NONE = "This answer cites nothing.";

export class Evidence {
  /** @param {import("./player.js").Player} player @param {import("./panel.js").Panel} panel */
  constructor(player, panel) {
    this.player = player;
    this.panel = panel;
    this.pinnedBox = byId("pinned");
    this.sourcesBox = byId("sources");
    this.count = byId("evidence-count");
    /** @type {HTMLElement|null} */
    this.chip = null;
    /** @type {Citation|null} the one that is pinned */
    this.pinned = null;
    /** @type {TurnView|null} the turn whose sources are shown */
    this.view = null;
  }

  /** Show a turn's sources. Another turn's pinned citation gives way. @param {TurnView} view */
  show(view) {
    if (this.view !== view) this.unpin();
    this.view = view;
    this.#offerFeedback(view);
    const cited = [...view.used.values()].sort((a, b) => a.citation.n - b.citation.n);
    const found = view.running ? view.unread() : [];
    this.sourcesBox.replaceChildren(
      ...(cited.length ? [this.#heading("Cited"), el("ul", { class: "source-list" }, ...cited.map((one) => this.#citedRow(one, view)))] : []),
      ...(found.length ? [this.#heading(cited.length ? "Also being read" : "Being read"), el("ul", { class: "source-list" }, ...found.map(foundRow))] : []),
      ...(cited.length || found.length ? [] : [el("p", { class: "quiet", text: view.running ? "Searching…" : NONE })]),
    );
    const shown = cited.length || found.length;
    this.count.hidden = !shown;
    this.count.textContent = String(shown);
    this.panel.button.setAttribute("aria-label", shown ? `Sources, ${shown}` : "Sources");
  }

  /** Show what has changed in a turn, unless another turn is being looked at. @param {TurnView} view */
  update(view) {
    if (!this.view || this.view === view) this.show(view);
  }

  /**
   * Show a citation on top and play it: only a press leads here, which is what browsers ask for before any sound.
   * @param {Citation} citation @param {TurnView} view
   * @param {HTMLElement|null} chip to return to @param {boolean} byKeyboard whether to move there
   */
  pin(citation, view, chip, byKeyboard) {
    this.show(view);
    this.chip?.setAttribute("aria-pressed", "false");
    this.chip = chip;
    this.pinned = citation;
    chip?.setAttribute("aria-pressed", "true");
    const shown = card(citation, this.player);
    shown.classList.add("pinned");
    shown.tabIndex = -1;
    if (chip && view.turn) shown.append(citationFeedback(view, citation, view.claimOf(chip)));
    this.pinnedBox.replaceChildren(shown);
    this.#offerFeedback(view);
    this.panel.open(chip);
    byId("evidence-body").scrollTop = 0;
    if (byKeyboard && !isNarrow()) shown.focus();
    this.player.play(citation);
  }

  /** @returns {boolean} whether there was something to unpin */
  unpin() {
    const had = this.pinnedBox.hasChildNodes();
    const wasInside = this.pinnedBox.contains(document.activeElement);
    this.pinnedBox.replaceChildren();
    this.chip?.setAttribute("aria-pressed", "false");
    if (wasInside) this.chip?.focus();
    if (this.pinned) this.player.pause(this.pinned);
    this.chip = this.pinned = null;
    return had;
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
    }, el("span", { class: "chip-n", text: String(citation.n) }), ...rowWords(citation, `cited ${uses}×`)));
  }
}

/** @param {Source} source */
function foundRow(source) {
  return el("li", { class: "source-row reading" }, ...rowWords(source));
}

/** @param {Source} source @param {string} [uses] */
function rowWords(source, uses) {
  const where = [placeIn(source), ...provenance(source)].slice(0, 3);
  return [
    el("span", { class: "source-title", dir: "auto", text: source.title }),
    el("span", { class: "source-meta", dir: "auto" }, where.join(" · "), uses ? ` · ${uses}` : ""),
  ];
}
