/** A citation as a chip after a sentence, and as a card with its quote. */
import { chipName, placeIn, provenance, titleOf, verdictKey, verdictOf } from "./format.js";
import { byId, el, icon, isNarrow, ownUrl } from "./dom.js";
import { gettext } from "./gettext.js";
import { TRANSLATION_OF } from "./words.js";

/** @typedef {import("./types.js").Citation} Citation */
/** @typedef {import("./player.js").Player} Player */

const HIDE_AFTER_MS = 180;
const GAP_PX = 8;

/** @param {{verdict?: string, quoted?: boolean, proof?: string}} shown @returns {HTMLElement} icon, word and colour */
export function verdictTag(shown) {
  const { word, icon: name } = verdictOf(shown);
  return el("span", { class: `verdict ${verdictKey(shown)}` }, icon(name), word);
}

/**
 * @param {Citation} citation @param {(chip: HTMLButtonElement) => void} pin
 * @param {string} label the words on it; "" where the chip before it is the same, and the number says enough
 * @param {string} said the verdict its sentence shows; one of the chip's own that differs has its icon too
 * @param {string} [place] words after the label that are never cut short
 */
export function chip(citation, pin, label, said, place = "") {
  const own = verdictKey(citation);
  const words = label ? [" ", el("bdi", { class: "chip-label", text: label })] : [];
  if (place) words.push(el("bdi", { class: "chip-place", text: place }));
  const button = el("button", {
    class: `chip ${own}${label ? "" : " again"}`, type: "button", "data-n": citation.n, "aria-label": chipName(citation, label + place || undefined),
    "aria-pressed": "false", on: { click: () => pin(button) },
  }, el("span", { class: "chip-n", text: String(citation.n) }), own === said ? null : icon(verdictOf(citation).icon), ...words);
  return button;
}

/** @param {Citation} citation @param {Player} player @returns {HTMLElement} */
export function card(citation, player) {
  return el("article", { class: "card", "aria-label": chipName(citation) },
    el("header", { class: "card-head" }, el("span", { class: "chip-n", text: String(citation.n) }), verdictTag(citation)),
    el("blockquote", { class: "card-quote", lang: citation.language, dir: "auto", text: citation.quote }),
    el("p", { class: "card-title", dir: "auto", lang: titleOf(citation).language, text: titleOf(citation).text }),
    originalTitle(citation),
    el("p", { class: "quiet" }, [...provenance(citation), placeIn(citation)].join(" · ")),
    cardActions(citation, player));
}

/** The head of a source that is open: what it is, without its words. @param {any} source @param {Player} player @returns {HTMLElement} */
export function placeCard(source, player) {
  const mark = source.n === undefined || source.n === null ? [] : [el("span", { class: "chip-n", text: String(source.n) }), verdictTag(source)];
  const facts = [placeIn(source), ...provenance(source)].join(" · ");
  return el("article", { class: "card", "aria-label": mark.length ? chipName(source) : titleOf(source).text },
    el("p", { class: "card-title", dir: "auto" }, ...mark.slice(0, 1), " ", el("span", { lang: titleOf(source).language, text: titleOf(source).text }), " ", ...mark.slice(1)),
    originalTitle(source),
    el("p", { class: "quiet", dir: "auto", text: facts }),
    cardActions(source, player));
}

/** Whose words a translated title has, and the title itself. @param {Citation} source @returns {HTMLElement|null} */
function originalTitle({ title, language, translated_title: translated }) {
  if (!translated) return null;
  return el("p", { class: "quiet", dir: "auto" }, `${TRANSLATION_OF[translated.origin]} `, el("cite", { lang: language, text: title }));
}

/** Play it, open it. @param {Citation} citation @param {Player} player */
export function cardActions(citation, player) {
  const url = ownUrl(citation.url);
  const open = url && el("a", { class: "button small plain", href: url }, icon("open"), citation.kind === "lecture" ? gettext("Open transcript") : gettext("Open the text"));
  return el("p", { class: "card-actions" }, player.canPlay(citation) ? playButton(citation, player) : null, open);
}

/** @param {Citation} citation @param {Player} player @returns {HTMLButtonElement} that says whether it plays */
function playButton(citation, player) {
  const words = el("span");
  const button = el("button", { class: "button small primary", type: "button", on: { click: () => player.toggle(citation) } });
  const show = () => {
    const playing = player.isPlaying(citation);
    words.textContent = playing ? gettext("Pause") : gettext("Play from here");
    button.replaceChildren(icon(playing ? "pause" : "play"), words);
  };
  const change = () => {
    if (!button.isConnected) return player.removeEventListener("change", change);
    button.hidden = !player.canPlay(citation);
    show();
  };
  player.addEventListener("change", change);
  show();
  return button;
}

/** The card that shows while a chip is pointed at or focused. It stays while it is pointed at itself; Esc hides it. */
export class HoverCard {
  /** @param {Player} player */
  constructor(player) {
    this.player = player;
    this.timer = 0;
    this.box = el("div", { class: "hovercard", popover: "manual", on: {
      pointerenter: () => clearTimeout(this.timer), pointerleave: () => this.hideSoon(),
      focusout: () => this.hideSoon(), focusin: () => clearTimeout(this.timer),
    } });
    byId("main").append(this.box);
    addEventListener("scroll", (event) => { if (!this.box.contains(/** @type {Node} */ (event.target))) this.hide(); }, { capture: true, passive: true });
  }

  /** @param {HTMLElement} button @param {Citation} citation */
  watch(button, citation) {
    button.addEventListener("pointerenter", ({ pointerType }) => { if (pointerType === "mouse") this.show(button, citation); });
    button.addEventListener("pointerleave", () => this.hideSoon());
    button.addEventListener("focus", () => { if (button.matches(":focus-visible")) this.show(button, citation); });
    button.addEventListener("blur", () => this.hideSoon());
  }

  get isOpen() {
    return this.box.matches(":popover-open");
  }

  /** @param {HTMLElement} button @param {Citation} citation */
  show(button, citation) {
    clearTimeout(this.timer);
    if (isNarrow()) return;
    this.box.replaceChildren(card(citation, this.player));
    if (!this.isOpen) this.box.showPopover();
    const place = button.getBoundingClientRect();
    const { width, height } = this.box.getBoundingClientRect();
    const below = place.bottom + GAP_PX + height < innerHeight;
    this.box.style.top = `${Math.max(GAP_PX, below ? place.bottom + GAP_PX : place.top - GAP_PX - height)}px`;
    this.box.style.left = `${Math.min(Math.max(GAP_PX, place.left), innerWidth - width - GAP_PX)}px`;
  }

  hideSoon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.hide(), HIDE_AFTER_MS);
  }

  hide() {
    clearTimeout(this.timer);
    if (this.isOpen) this.box.hidePopover();
  }
}
