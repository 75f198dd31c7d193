/** The source of a passage, beside the list or the text that links to it. */
import { byId, isNarrow } from "./dom.js";
import { placeCard } from "./citations.js";
import { openBeside } from "./turn-parts.js";
import { Panel } from "./panel.js";
import { Player } from "./player.js";
import { SourcePane } from "./source-pane.js";
import { fill, gettext } from "./gettext.js";
import { PASSAGE } from "./words.js";

export class FoundPane {
  /** @param {string} links selects the links that open here, in the order of the page */
  constructor(links = ".result h2 a") {
    this.column = byId("evidence");
    this.player = new Player(byId("dock"));
    this.pane = new SourcePane(byId("pane"), this.player);
    this.sheet = new Panel(this.column, null, byId("evidence-close"), byId("veil"));
    this.links = /** @type {HTMLAnchorElement[]} */ ([...document.querySelectorAll(links)]);
    this.at = -1;
    /** Counts the openings: only the last one that fails leads to the page itself. */
    this.openings = 0;
    this.links.forEach((link, index) => link.addEventListener("click", (event) => openBeside(event, () => this.open(index))));
    byId("pane-previous").addEventListener("click", () => this.step(-1));
    byId("pane-next").addEventListener("click", () => this.step(1));
    byId("evidence-close").addEventListener("click", () => this.close());
  }

  /** @param {number} index */
  async open(index) {
    const link = this.links[index];
    const place = placeOf(link);
    this.openings += 1;
    const mine = this.openings;
    this.links[this.at]?.removeAttribute("aria-current");
    link.setAttribute("aria-current", "true");
    this.at = index;
    this.player.close();
    this.column.hidden = false;
    document.body.classList.add("with-pane");
    const card = placeCard(place, this.player);
    card.classList.add("pinned");
    byId("pinned").replaceChildren(card);
    byId("pane-steps").hidden = false;
    byId("evidence-title").textContent = PASSAGE;
    byId("pane-count").textContent = fill(gettext("{n} of {all}"), { n: index + 1, all: this.links.length });
    if (isNarrow()) this.sheet.open(link);
    if (!(await this.pane.open(place)) && this.at === index && mine === this.openings) location.assign(link.href);
  }

  /** @param {1|-1} by */
  step(by) {
    if (this.at >= 0) this.open((this.at + by + this.links.length) % this.links.length);
  }

  close() {
    if (this.at < 0) return;
    const link = this.links[this.at];
    link.removeAttribute("aria-current");
    this.at = -1;
    this.player.close();
    this.pane.close();
    if (isNarrow()) this.sheet.close();
    this.column.hidden = true;
    document.body.classList.remove("with-pane");
    link.focus();
  }
}

/** @param {HTMLAnchorElement} link @returns {any} the passage it leads to, as a citation has it */
function placeOf(link) {
  const { kind, address = "", quote = "", media = null, start, end, title, language, origin } = link.dataset;
  const shown = { text: link.firstElementChild?.textContent ?? "", language: link.firstElementChild?.getAttribute("lang") ?? undefined };
  return {
    n: null, kind, address, quote, media, url: link.href, title: title ?? shown.text,
    language: language ?? shown.language, translated_title: origin ? { ...shown, origin } : null, start: start ? Number(start) : null, end: end ? Number(end) : null,
  };
}
